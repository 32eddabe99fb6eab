"""Families: a network of columns grown one by one, each with the parents that it depends on most (PrivBayes).

    1  Marginals over all columns                                               share 1/5 of the purse
    2  for every column after the first, an equal part of the rest, a tenth of it for the choice:
       Select     among families (X, parents), X new, at most ``degree`` parents of those that are in
                  score = l1 error - noise to come,   against  n P(X) P(parents)
       Marginals  over the chosen family

The guess knows nothing of X but its marginal, so the reference is what independence would make of the family, and its l1 error
is twice PrivBayes's score R. The published R compares two private tables and moves by 3 / n; this reference is public, and a
person moves the error by 1. Mutual information, the method's first score, moves by (ln n) / n. The first family is any pair.
Families are limited by a public rule: the guess's tree with them has at most ``room`` cells. Regret bound: none for pairs that
no family has.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from understudy.game.measurement import size
from understudy.game.player import Columns, Guess, Step
from understudy.game.query.adaptive import NOTHING, SHY, chosen, noise
from understudy.game.query.closure import Tree, expected, tree
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS, CHOICE = Fraction(1, 5), Fraction(1, 10)


@dataclass(frozen=True)
class Families:
    """All columns, then a choice and a measurement for each column but the first."""

    schema: Schema
    purse: Purse
    degree: int
    room: int

    @property
    def rounds(self) -> int:
        """Every column but the first has parents."""
        return len(self.schema.domain) - 1

    def script(self) -> tuple[Step, ...]:
        """Everything at its price, which does not depend on what will be chosen."""
        columns = Step("all columns", (self.columns(),))
        if not self.rounds:
            return (columns,)
        pairs = self.families(())
        return (
            columns,
            Step("choice of parents", (self.choice(pairs, NOTHING, dict.fromkeys(pairs, 0)),) * self.rounds),
            Step("families", (self.family(pairs[0]),) * self.rounds),
        )

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The columns, then choices and their measurements in turn."""
        looks, picked = tape.of(Marginals.kind), [chosen(entry) for entry in tape.of(Select.kind)]
        if not looks:
            return self.columns()
        if len(picked) == len(looks):
            return self.family(picked[-1])
        if len(picked) == self.rounds:
            return None
        return self.choose(tree(guess), size(tape, self.schema), tuple(picked))

    def choose(self, guess: Tree, n: int, picked: tuple[Columns, ...]) -> Select:
        """One choice among the families that there is room for; pairs always have room."""
        candidates = self.families(picked)
        fitting = [f for f in candidates if len(f) == 2 or guess.tree_cells([*picked, f]) <= self.room]
        biases = {f: round(SHY * noise(self.family(f), self.schema.cells(f))) for f in fitting}
        return self.choice(fitting, Reference.of_tables(expected(guess, fitting, n)), biases)

    def families(self, picked: tuple[Columns, ...]) -> list[Columns]:
        """A new column with each of the sets of parents, in schema order."""
        inside = {name for family in picked for name in family}
        if not inside:
            return list(combinations(self.schema.domain, 2))
        return [tuple(name for name in self.schema.domain if name in family) for family in self.grown(inside)]

    def grown(self, inside: set[str]) -> Iterator[set[str]]:
        """Every new column with every set of parents."""
        known = [name for name in self.schema.domain if name in inside]
        for name in self.schema.domain:
            for parents in range(1, self.degree + 1 if name not in inside else 0):
                yield from ({name, *those} for those in combinations(known, parents))

    def columns(self) -> Marginals:
        """All one-way marginals."""
        share = COLUMNS if self.rounds else Fraction(1)
        return self.purse.share(share).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    @property
    def round(self) -> Purse:
        """What one family may spend."""
        return self.purse.share((1 - COLUMNS) / self.rounds)

    def choice(self, families: list[Columns], reference: Reference, biases: dict[Columns, int]) -> Select:
        """One selection."""
        ask = Select(Exact(), tuple(families), reference, biases=tuple(biases[family] for family in families))
        return self.round.share(CHOICE).choosing(ask)

    def family(self, columns: Columns) -> Marginals:
        """The measurement of one family."""
        return self.round.share(1 - CHOICE).noisy(Marginals(Exact(), (columns,)))
