"""Errors: how far a public guess is from each of some marginals, all in one look.

Math.  f_i(S) = ||c_i(S) - r_i||_1 for each of w marginals, r_i the public integer table that the guess expects.
|f_i(S) - f_i(S')| <= ||c_i(S) - c_i(S')||_1 by the triangle inequality, and one unit may move all of them:

    add-remove:   move = R          l1 = w move,  l2sq = w move^2,  linf = move
    replace-one:  move = 2 R

Where many marginals are to be chosen, one noisy look at all errors is cheaper than a selection for each.
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
class Errors(Question):
    """The l1 distances of the ``candidates`` to what was expected of them."""

    candidates: tuple[tuple[str, ...], ...]
    reference: Reference

    kind: ClassVar[str] = "errors"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = rows if relation is Relation.ADD_REMOVE else 2 * rows
        scores = len(self.candidates)
        return Sensitivity(l1=scores * move, l2sq=scores * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([distance(rows, c, self.reference) for c in self.candidates], dtype=np.int64)


def distance(rows: Rows, candidate: tuple[str, ...], reference: Reference) -> int:
    """||c(S) - r||_1 of one marginal."""
    exact = rows.counts(candidate)
    return int(np.abs(exact - reference.beside(exact, candidate)).sum())
