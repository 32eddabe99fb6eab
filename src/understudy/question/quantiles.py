"""Quantiles: how the values of one column fall into a public grid, before its bounds are settled.

Math.  f(S)_i = number of rows whose tick lies in cell i; ticks beyond the grid are clamped into its first or last cell,
rows without a readable value are in none. A histogram over disjoint cells, R rows a unit:

    add-remove:   l1 = R,    l2sq = R^2,    linf = R
    replace-one:  l1 = 2 R,  l2sq = 2 R^2,  linf = R

Bounds, bins and quantiles are all read off the noisy histogram; that is post-processing.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.grid import Grid
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Quantiles(Question):
    """The histogram of one column over a public grid."""

    column: str
    grid: Grid

    kind: ClassVar[str] = "quantiles"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        return Sensitivity(l1=sides * rows, l2sq=sides * rows**2, linf=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        inside = [min(max(tick, self.grid.low), self.grid.high) for tick in rows.ticks(self.column)]
        cells = np.searchsorted(np.array(self.grid.starts), np.array(inside, dtype=np.int64), side="right") - 1
        return np.bincount(cells, minlength=self.grid.size).astype(np.int64)
