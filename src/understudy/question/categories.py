"""Categories: which values an open list has, shown only where enough units have them.

Math.  f(S) = { text: number of rows with it }. The gate adds discrete Laplace noise to each count that is present and
shows a text where count + Z >= tau. A unit has at most R rows, hence

    add-remove:   l1 = R,    linf = R,  and at most R texts are present in one of S, S' and absent in the other
    replace-one:  l1 = 2 R,  linf = R,  and at most 2 R such texts

A text that only the unit has can give it away whatever the noise: that happens with probability at most
keys * P[R + Z >= tau], and is charged as delta.
"""

from dataclasses import dataclass
from typing import ClassVar

from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Categories(Question):
    """The texts of one column that pass the threshold, with noisy counts."""

    column: str

    kind: ClassVar[str] = "categories"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        return Sensitivity(l1=sides * rows, l2sq=sides * rows**2, linf=rows, keys=sides * rows)

    def statistic(self, rows: Rows) -> dict[str, int]:
        return rows.texts(self.column)
