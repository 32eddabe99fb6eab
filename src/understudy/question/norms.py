"""Norms: how many rows lie how far from the centre, before they are brought into the ball.

Math.  f(S) = a histogram over the squared lengths ||P (x - c)||^2, cut at public edges. A row is in exactly one cell.

    add-remove:   l1 = R,    l2sq = R^2,    linf = R
    replace-one:  l1 = 2 R,  l2sq = 2 R^2,  linf = R          as one table of `question/marginals.py`

It is what a clip is chosen by.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.grouped import blocks
from understudy.question.lift import Ball
from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Norms(Question):
    """Rows by length: below edges[0], from there to below edges[1], ..., from the last edge on."""

    lift: Ball
    label: str
    classes: int
    edges: tuple[int, ...]

    kind: ClassVar[str] = "norms"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        return Sensitivity(l1=sides * rows, l2sq=sides * rows**2, linf=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        squared = np.array(self.edges, dtype=np.float64) ** 2
        counts = np.zeros(len(self.edges) + 1, dtype=np.int64)
        for _, moved in blocks(rows, self.lift, self.lift.centred, self.label, self.classes):
            cells = np.searchsorted(squared, np.einsum("ij,ij->i", moved, moved), side="right")
            counts += np.bincount(cells, minlength=len(counts))
        return counts
