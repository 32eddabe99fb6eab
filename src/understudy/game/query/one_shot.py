"""One shot: one noisy look at the errors of all candidates, then one measurement of those that are worth it (SWIFT).

    1  Marginals over all columns                                share 1/5 of the purse
    2  Errors of all candidates against the product of columns   share 1/20
    3  Marginals, one question for each chosen candidate          share 3/4, divided so that the errors to come are least

Chosen are, from the largest down, candidates whose noisy error is above ``SHY`` times the noise to come, as long as the
guess's tree has room: at most ``room`` cells, a public rule. With weight w_i, m_i cells and a share a_i of rho or epsilon,
the noise to come is in proportion to w_i m_i / sqrt(a_i) (Gaussian) or w_i m_i / a_i (Laplace); its sum is least for

    a_i in proportion to (w_i m_i)^(2/3)      or      (w_i m_i)^(1/2)

Regret bound: 0 against what is measured; against another candidate, twice the largest noise on the errors by which it was
passed over, and what the room left out.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from understudy.game.measurement import size
from understudy.game.player import Columns, Guess, Step
from understudy.game.query.adaptive import NOTHING, noise
from understudy.game.query.closure import Tree, expected, tree
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
GRAIN = 1000  # the powers are rounded to a thousandth


@dataclass
class OneShot:
    """Errors first, measurements afterwards; ``looks`` is how many marginals are measured at most."""

    schema: Schema
    purse: Purse
    candidates: dict[Columns, int]
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

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The columns, the errors, and the chosen marginals one after another."""
        looks, errors = tape.of(Marginals.kind), tape.of(Errors.kind)
        if not looks:
            return self.columns()
        if not errors:
            return self.errors(Reference.of_tables(expected(guess, self.candidates, size(tape, self.schema))))
        if len(looks) == 1:
            answer = errors[0].answer
            assert isinstance(answer, np.ndarray)
            self._plan = self.shares(tree(guess), self.worthwhile(tree(guess), answer.tolist()))
        waiting = list(self._plan.items())[len(looks) - 1 :]
        return self.marginal(*waiting[0]) if waiting else None

    def worthwhile(self, guess: Tree, errors: list[int]) -> list[Columns]:
        """The candidates whose error is more than the noise to come, as far as there is room."""
        share, seen = Fraction(1, self.looks), zip(self.candidates.items(), errors, strict=True)
        gain = {c: w * (e - SHY * noise(self.marginal(c, share), guess.cells(c))) for (c, w), e in seen}
        chosen: list[Columns] = []
        for c in sorted((c for c in gain if gain[c] > 0), key=lambda c: -gain[c]):
            if len(chosen) < self.looks and guess.cells(c) <= self.room and guess.tree_cells([*chosen, c]) <= self.room:
                chosen.append(c)
        return chosen

    def shares(self, guess: Tree, chosen: list[Columns]) -> dict[Columns, Fraction]:
        """a_i in proportion to a power of w_i m_i, in whole parts of their exact sum."""
        power = 1 / 2 if self.purse.amount.measure is Measure.PURE else 2 / 3
        parts = {c: max(round(GRAIN * (self.candidates[c] * guess.cells(c)) ** power), 1) for c in chosen}
        return {c: Fraction(part, sum(parts.values())) for c, part in parts.items()}

    def columns(self) -> Marginals:
        """All one-way marginals."""
        return self.purse.share(COLUMNS).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    def errors(self, reference: Reference) -> Errors:
        """The errors of all candidates against the product of the columns."""
        return self.purse.share(ERRORS).noisy(Errors(Exact(), tuple(self.candidates), reference))

    def marginal(self, columns: Columns, part: Fraction) -> Marginals:
        """One marginal, for a part of the last share."""
        return self.purse.share((1 - COLUMNS - ERRORS) * part).noisy(Marginals(Exact(), (columns,)))
