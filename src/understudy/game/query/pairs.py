"""Pairs: measure every column, choose the pairs that a product of columns misses most, measure those.

    1  Marginals over all columns                               share 1/5 of the purse
    2  Select, k times without replacement, against the guess   share 1/10, a k-th of it each
    3  Marginals over the chosen pairs                          share 7/10

The candidates of a round follow from earlier answers alone: all pairs that were not chosen (``strongest``), or those
that join two trees (``spanning``: the choice grows to a maximum spanning tree). Regret bound: none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from understudy.game.measurement import size
from understudy.game.player import Columns, Guess, Step
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS, CHOICE, PAIRS = Fraction(1, 5), Fraction(1, 10), Fraction(7, 10)

Pairs = tuple[Columns, ...]


@dataclass(frozen=True)
class ChosenPairs:
    """All columns, then ``rounds`` privately chosen pairs out of ``allowed(chosen)``."""

    schema: Schema
    purse: Purse
    rounds: int
    allowed: Callable[[Pairs], Pairs]

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The next step of the three, told from what the tape holds already."""
        looks, choices = tape.of(Marginals.kind), tape.of(Select.kind)
        if not looks:
            return self.columns()
        if len(choices) < self.rounds:
            candidates = self.allowed(self.chosen(tape))
            n = size(tape, self.schema)
            expected = {pair: np.rint(n * guess.marginal(pair)).astype(np.int64) for pair in candidates}
            return self.choice(candidates, Reference.of_tables(expected))
        if len(looks) == 1 and self.rounds:
            return self.pairs(self.chosen(tape))
        return None

    def script(self) -> tuple[Step, ...]:
        """The three steps; which pairs will be chosen is not known, and does not matter to the price."""
        columns = Step("all columns", (self.columns(),))
        if not self.rounds:
            return (columns,)
        candidates = self.allowed(())
        choice = self.choice(candidates, Reference("not known yet"))
        largest = sorted(candidates, key=self.schema.cells, reverse=True)[: self.rounds]
        chosen = self.pairs(tuple(largest))
        return columns, Step("choice of pairs", (choice,) * self.rounds), Step("chosen pairs", (chosen,))

    def columns(self) -> Marginals:
        """All one-way marginals."""
        share = COLUMNS if self.rounds else Fraction(1)
        return self.purse.share(share).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    def choice(self, candidates: Pairs, expected: Reference) -> Select:
        """One round of selection, against what the guess expects of n-hat rows."""
        return self.purse.share(CHOICE / self.rounds).choosing(Select(Exact(), candidates, expected))

    def pairs(self, chosen: Pairs) -> Marginals:
        """The chosen pairs."""
        return self.purse.share(PAIRS).noisy(Marginals(Exact(), chosen))

    def chosen(self, tape: Tape) -> Pairs:
        """The pairs that were selected so far."""
        chosen: Pairs = ()
        for entry in tape.of(Select.kind):
            assert isinstance(entry.answer, int)
            chosen += (tuple(entry.question["candidates"][entry.answer]),)
        return chosen


def strongest(pairs: Pairs) -> Callable[[Pairs], Pairs]:
    """Every pair that was not chosen yet."""
    return lambda chosen: tuple(pair for pair in pairs if pair not in chosen)


def spanning(pairs: Pairs) -> Callable[[Pairs], Pairs]:
    """Every pair that joins two trees of the forest of chosen pairs.

    >>> spanning((("a", "b"), ("a", "c"), ("b", "c")))((("a", "b"), ("a", "c")))
    ()
    """

    def allowed(chosen: Pairs) -> Pairs:
        tree = {name: name for pair in pairs for name in pair}
        for a, b in chosen:
            joined = tree[b]
            tree = {name: tree[a] if root == joined else root for name, root in tree.items()}
        return tuple((a, b) for a, b in pairs if tree[a] != tree[b])

    return allowed
