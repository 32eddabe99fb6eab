"""Select: the marginal on which a public guess is worst.

Math.  score_i(S) = ||c_i(S) - r_i||_1, where r_i is the public integer table that the guess expects (n-hat times its
marginal, rounded). The triangle inequality gives |score_i(S) - score_i(S')| <= ||c_i(S) - c_i(S')||_1, that is

    add-remove:   linf = R
    replace-one:  linf = 2 R

The gate answers with the exponential mechanism (Gumbel noise of scale s): P[i] proportional to exp(score_i / s), which
is eps-DP with eps = 2 linf / s and, being eps-bounded-range, eps^2 / 8-zCDP. Scores are not monotone.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Select(Question):
    """The index of one of ``candidates``, likely one with a large error against ``reference``."""

    candidates: tuple[tuple[str, ...], ...]
    reference: Reference

    kind: ClassVar[str] = "select"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = rows if relation is Relation.ADD_REMOVE else 2 * rows
        scores = len(self.candidates)
        return Sensitivity(l1=scores * move, l2sq=scores * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([self.score(rows.counts(c), c) for c in self.candidates], dtype=np.int64)

    def score(self, exact: NDArray[np.int64], candidate: tuple[str, ...]) -> int:
        """The l1 distance of one marginal to what was expected of it."""
        return int(np.abs(exact - self.reference.beside(exact, candidate)).sum())
