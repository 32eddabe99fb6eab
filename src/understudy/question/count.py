"""Count: how many rows the table has.

Math.  f(S) = |S|, R rows a unit.

    add-remove:   a unit brings at most R rows:                      |f(S) - f(S')| <= R
    replace-one:  both units have between 1 and R rows:              |f(S) - f(S')| <= R - 1
                  (with R = 1, n is the same for all neighbours, and may be asked exactly)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Count(Question):
    """The number of rows."""

    kind: ClassVar[str] = "count"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = rows if relation is Relation.ADD_REMOVE else rows - 1
        return Sensitivity(l1=move, l2sq=move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([len(rows)], dtype=np.int64)
