"""Marginals: the counts of every cell of some marginals.

Math.  f(S) = (c_1(S), ..., c_w(S)), the w contingency tables one after another. A unit has at most R rows, and each row
falls in exactly one cell of each table.

    add-remove:   one table moves by u >= 0 with ||u||_1 <= R, so ||u||_2^2 <= R^2 (all R rows in one cell);
                  l1 = w R,  l2sq = w R^2,  linf = R
    replace-one:  one table moves by u - v, both as above: ||u - v||_1 <= 2 R, ||u - v||_2^2 <= 2 R^2;
                  l1 = 2 w R,  l2sq = 2 w R^2,  linf = R

All are attained. Integers in, integer noise, integers out.
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
class Marginals(Question):
    """The tables over ``cliques``, flattened row by row, one after another."""

    cliques: tuple[tuple[str, ...], ...]

    kind: ClassVar[str] = "marginals"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        tables = len(self.cliques)
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        return Sensitivity(l1=sides * tables * rows, l2sq=sides * tables * rows**2, linf=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.concatenate([rows.counts(clique).ravel() for clique in self.cliques])
