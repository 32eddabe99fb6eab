"""Rounds: again and again, choose the marginals on which the guess is worst, measure them, and let the guess be fitted.

    1  Marginals over all columns                                      share 1/5 of the purse
    2  rounds, each an equal part of the rest:
       Select, ``batch`` times without replacement                     a tenth of the round
       Marginals over what it chose                                    nine tenths of it

With one marginal a round this is MWEM; with a generator network for its data player it is GEM. Regret bound (Theorem A, row
A'): the sum over selections of s ln(candidates T / beta), s the Gumbel scale, with probability 1 - beta.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

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

COLUMNS, CHOICE = Fraction(1, 5), Fraction(1, 10)

Cliques = tuple[Columns, ...]


@dataclass(frozen=True)
class Rounds:
    """All columns, then ``rounds`` of choosing and measuring ``batch`` of the weighted candidates, each at most once."""

    schema: Schema
    purse: Purse
    candidates: Mapping[Columns, int]
    rounds: int
    batch: int

    def __post_init__(self) -> None:
        assert self.rounds * self.batch <= len(self.candidates), "there are fewer candidates than choices"

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The columns, then choices and their measurement in turn, told from what the tape holds already."""
        looks, picked = len(tape.of(Marginals.kind)), self.chosen(tape)
        if looks == 0:
            return self.columns()
        if looks > self.rounds:
            return None
        if len(picked) == looks * self.batch:
            return self.marginals(picked[-self.batch :])
        left = tuple(clique for clique in self.candidates if clique not in picked)
        n = size(tape, self.schema)
        expected = {clique: np.rint(n * guess.marginal(clique)).astype(np.int64) for clique in left}
        return self.choice(left, Reference.of_tables(expected))

    def script(self) -> tuple[Step, ...]:
        """Everything at its price; which marginals will be chosen does not matter to it."""
        columns = Step("all columns", (self.columns(),))
        if not self.rounds:
            return (columns,)
        choice = self.choice(tuple(self.candidates), Reference("not known yet"))
        largest = sorted(self.candidates, key=self.schema.cells, reverse=True)[: self.batch]
        return (
            columns,
            Step("choice of marginals", (choice,) * self.rounds * self.batch),
            Step("chosen marginals", (self.marginals(tuple(largest)),) * self.rounds),
        )

    def columns(self) -> Marginals:
        """All one-way marginals."""
        share = COLUMNS if self.rounds else Fraction(1)
        return self.purse.share(share).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    @property
    def round(self) -> Purse:
        """What one round may spend."""
        return self.purse.share((1 - COLUMNS) / self.rounds)

    def choice(self, candidates: Cliques, expected: Reference) -> Select:
        """One selection, against what the guess expects of n-hat rows; errors times weights are compared."""
        weights = tuple(self.candidates[clique] for clique in candidates)
        return self.round.share(CHOICE / self.batch).choosing(Select(Exact(), candidates, expected, weights))

    def marginals(self, chosen: Cliques) -> Marginals:
        """The measurement of one round."""
        return self.round.share(1 - CHOICE).noisy(Marginals(Exact(), chosen))

    def chosen(self, tape: Tape) -> Cliques:
        """What was selected so far."""
        picked: Cliques = ()
        for entry in tape.of(Select.kind):
            assert isinstance(entry.answer, int)
            picked += (tuple(entry.question["candidates"][entry.answer]),)
        return picked


def few_rounds(schema: Schema, purse: Purse, marginals: Cliques, most: int) -> Rounds:
    """About as many pairs of some marginals as two trees have, chosen in at most so many rounds."""
    candidates = pairs_within(marginals)
    total = min(2 * (len(schema.domain) - 1), len(candidates))
    rounds = min(most, total)
    return Rounds(schema, purse, candidates, rounds, total // rounds if rounds else 0)


def pairs_within(cliques: Cliques) -> Mapping[Columns, int]:
    """The pairs that some marginal of a workload has, with the number of those that do.

    >>> pairs_within((("a", "b", "c"), ("b",), ("b", "c")))
    Counter({('b', 'c'): 2, ('a', 'b'): 1, ('a', 'c'): 1})
    """
    return Counter(pair for clique in cliques for pair in combinations(clique, 2))
