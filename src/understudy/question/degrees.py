"""Degrees: how many edges each node has, in order of size within each block.

Math.  d_u(S) = the rows of S that have node u at an end; both ends must be nodes, and differ. f(S) holds, for each public
block, the numbers d_u of its nodes sorted from the smallest to the largest. A unit has at most R rows, and each row adds 1 to
two of the d_u. Sorting within blocks moves nothing apart: ||sort(x) - sort(y)||_p <= ||x - y||_p. So with
||e_u + e_v||_2^2 = 2

    add-remove:   l1 = 2 R,   l2sq = 2 R^2,   linf = R
    replace-one:  l1 = 4 R,   l2sq = 4 R^2,   linf = R          (two such moves, neither with a negative entry)

All are attained. The unit is an edge, or what has at most R edges; it is never a node with all its edges, for nobody bounds
how many these are. Sorted, the numbers say what degrees there are in a block, and not which node has which.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.edge import sound
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Degrees(Question):
    """The sorted degrees of the nodes that a column of edges joins, block after block of so many nodes."""

    column: str
    sizes: tuple[int, ...]

    kind: ClassVar[str] = "degrees"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        return Sensitivity(l1=2 * sides * rows, l2sq=2 * sides * rows**2, linf=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        ends = rows.ends(self.column)
        degrees = np.bincount(ends[sound(ends)].ravel(), minlength=sum(self.sizes))
        return np.concatenate([np.sort(block) for block in np.split(degrees, np.cumsum(self.sizes)[:-1])])
