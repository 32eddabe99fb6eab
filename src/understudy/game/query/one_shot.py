"""One shot: one noisy look at the errors of all candidates, then one measurement of those that are worth it (SWIFT).

    1  Marginals over all columns                                share 1/5 of the purse
    2  Errors of all candidates against the product of columns   share 1/20
    3  Marginals, one question for each chosen candidate          share 3/4, divided so that the errors to come are least

Chosen are, from the largest down, candidates whose noisy error is above ``SHY`` times the noise to come, as long as the
guess's tree has room: at most ``room`` cells, a public rule. With m_i cells and a share a_i of rho or epsilon, the noise to
come is in proportion to m_i / sqrt(a_i) (Gaussian) or m_i / a_i (Laplace); its sum is least for

    a_i in proportion to m_i^(2/3)      or      m_i^(1/2)

Regret bound: 0 against what is measured; against another candidate, twice the largest noise on the errors by which it was
passed over, and what the room left out.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import numpy as np

from understudy.game.measurement import size
from understudy.game.player import Columns, Step
from understudy.game.query.adaptive import NOTHING, noise
from understudy.game.query.closure import Tree, expected
from understudy.privacy.charge import Measure
from understudy.privacy.purse import Purse
from understudy.question.errors import Errors
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS, ERRORS = Fraction(1, 5), Fraction(1, 20)
SHY = 0.4
GRAIN = 10**6  # shares are whole multiples of a part in a million


@dataclass
class OneShot:
    """Errors first, measurements afterwards; ``looks`` is how many marginals are measured at most."""

    schema: Schema
    purse: Purse
    candidates: tuple[Columns, ...]
    looks: int
    room: int
    _plan: dict[Columns, Fraction] = field(default_factory=dict, repr=False)

    def script(self) -> tuple[Step, ...]:
        """The three steps; which marginals will be chosen, and how the last share is divided, is not known yet."""
        largest = max(self.candidates, key=self.schema.cells)
        each = self.marginal(largest, Fraction(1, self.looks))
        return (
            Step("all columns", (self.columns(),)),
            Step("errors of all candidates", (self.errors(NOTHING),)),
            Step("chosen marginals", (each,) * self.looks),
        )

    def next(self, guess: Tree, tape: Tape) -> Question | None:
        """The columns, the errors, and the chosen marginals one after another."""
        looks, errors = tape.of(Marginals.kind), tape.of(Errors.kind)
        if not looks:
            return self.columns()
        if not errors:
            return self.errors(Reference.of_tables(expected(guess, self.candidates, size(tape, self.schema))))
        if len(looks) == 1:
            answer = errors[0].answer
            assert isinstance(answer, np.ndarray)
            self._plan = self.shares(guess, self.worthwhile(guess, dict(zip(self.candidates, answer.tolist(), strict=True))))
        waiting = list(self._plan.items())[len(looks) - 1 :]
        return self.marginal(*waiting[0]) if waiting else None

    def worthwhile(self, guess: Tree, error: dict[Columns, int]) -> list[Columns]:
        """The candidates whose error is more than the noise to come, as far as there is room."""
        share = Fraction(1, self.looks)
        gain = {c: e - SHY * noise(self.marginal(c, share), guess.cells(c)) for c, e in error.items()}
        chosen: list[Columns] = []
        for c in sorted((c for c in gain if gain[c] > 0), key=lambda c: -gain[c]):
            if len(chosen) < self.looks and guess.cells(c) <= self.room and guess.tree_cells([*chosen, c]) <= self.room:
                chosen.append(c)
        return chosen

    def shares(self, guess: Tree, chosen: list[Columns]) -> dict[Columns, Fraction]:
        """a_i in proportion to a power of m_i, rounded down."""
        power = 1 / 2 if self.purse.amount.measure is Measure.PURE else 2 / 3
        parts = {c: guess.cells(c) ** power for c in chosen}
        return {c: Fraction(max(int(GRAIN * part / sum(parts.values())), 1), GRAIN) for c, part in parts.items()}

    def columns(self) -> Marginals:
        """All one-way marginals."""
        return self.purse.share(COLUMNS).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    def errors(self, reference: Reference) -> Errors:
        """The errors of all candidates against the product of the columns."""
        return self.purse.share(ERRORS).noisy(Errors(Exact(), self.candidates, reference))

    def marginal(self, columns: Columns, part: Fraction) -> Marginals:
        """One marginal, for a part of the last share."""
        return self.purse.share((1 - COLUMNS - ERRORS) * part).noisy(Marginals(Exact(), (columns,)))
