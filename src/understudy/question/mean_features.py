"""Mean features: the sums of lifted rows, for each class by itself.

Math.  f(S) = for each class the sum of y over its rows. A unit has at most R rows, each with ||y||_2^2 <= B = lift.square,
||y||_1 <= L = lift.length and |y_i| <= lift.entry.

    add-remove:   l1 = R L,    l2sq = R^2 B,    linf = R entry
    replace-one:  twice in every norm: two rows of one class may point in opposite directions

Rows of different classes move different sums, by less: sqrt(2) R sqrt(B) together (proof/mean_features.md).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.grouped import blocks
from understudy.question.lift import Lift
from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class MeanFeatures(Question):
    """The sums, class after class."""

    lift: Lift
    label: str
    classes: int

    kind: ClassVar[str] = "mean_features"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        times = rows if relation is Relation.ADD_REMOVE else 2 * rows
        return Sensitivity(l1=times * self.lift.length, l2sq=times**2 * self.lift.square, linf=times * self.lift.entry)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        sums = np.zeros((self.classes, self.lift.dimension), dtype=np.int64)
        for group, y in blocks(rows, self.lift, self.lift.vectors, self.label, self.classes):
            sums[group] += y.sum(axis=0).astype(np.int64)
        return sums.ravel()
