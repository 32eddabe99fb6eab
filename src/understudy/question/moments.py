"""Moments: the second moments of lifted rows, for each class by itself.

Math.  f(S) = for each class the upper triangle of M = sum of y y^T over its rows, the diagonal times a and the rest times b.
A unit has at most R rows, each with ||y||_2^2 <= B = lift.square; d is the lift's dimension.

    add-remove:   M moves by a positive semidefinite D with ||D||_F <= R B
    replace-one:  by D - D', both such; their inner product is not negative, so ||D - D'||_F^2 <= 2 R^2 B^2;
                  two rows of different classes move two matrices, each by at most R B: the same
    with s = 1 (add-remove), 2 (replace-one):
                  l2sq = s R^2 B^2 max(a^2, ceil(b^2 / 2))
                  l1   = floor(R B sqrt(t (a^2 d + b^2 d (d - 1) / 4))),   t = 1, and for replace-one 2, or 4 by classes
                  linf = R B max(|a|, |b|)

(a, b) = (29, 41) is the Frobenius isometry in whole numbers: 41/29 is below sqrt 2 by 0.03 %, so l2sq = s a^2 R^2 B^2,
attained on an axis, and the noise is as for a matrix of Frobenius norm R B: no factor of d. (1, 2) counts every entry of the
matrix once, as Laplace noise wants it: l1 = R B d, and sqrt(2) R B d for replace-one, both attained (proof/moments.md).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.grouped import blocks, packed
from understudy.question.lift import Lift
from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation

FROBENIUS = (29, 41)  # for Gaussian noise
ENTRYWISE = (1, 2)  # for Laplace noise


@dataclass(frozen=True)
class Moments(Question):
    """The weighted upper triangles, row by row, class after class."""

    lift: Lift
    label: str
    classes: int
    weights: tuple[int, int]

    kind: ClassVar[str] = "moments"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        a, b = self.weights
        d, reach = self.lift.dimension, rows * self.lift.square
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        apart = sides**2 if self.classes > 1 else sides
        return Sensitivity(
            l1=math.isqrt(apart * reach**2 * d * (4 * a**2 + b**2 * (d - 1)) // 4),
            l2sq=sides * reach**2 * max(a**2, -(-(b**2) // 2)),
            linf=reach * max(abs(a), abs(b)),
        )

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        d = self.lift.dimension
        sums = np.zeros((self.classes, d, d), dtype=np.int64)
        for group, y in blocks(rows, self.lift, self.lift.vectors, self.label, self.classes):
            # exact: a block's sums stay below 2^53
            sums[group] += (y.T @ y).astype(np.int64)
        return np.concatenate([packed(matrix, *self.weights) for matrix in sums])
