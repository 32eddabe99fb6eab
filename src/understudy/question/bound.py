"""Bound: how far the frozen synthetic rows are from the private ones, for a certificate.

Math.  Let m be the number of synthetic rows, n-hat the public size, c_q(S) and c_q(T) the counts of a cell q in the
private and in the synthetic table. To stay with integers, errors are counted in units of 1/m of a row:

    e_q(S) = | m c_q(S) - nhat c_q(T) |

    WorstCell    F(S) = max of e_q over all cells of all marginals.
                 A unit moves a count by at most R, so each e_q by m R, and a maximum by no more than its terms:
                 linf = m R under both relations.
    Variations   F_i(S) = sum of e_q over the cells of marginal i, for each of w marginals.
                 A unit moves F_i by at most m ||c(S) - c(S')||_1: move = m R (add-remove), 2 m R (replace-one);
                 l1 = w move,  l2sq = w move^2,  linf = move.
    WorstQuery   F(S) = max of e_q over listed queries: as WorstCell, for a row changes each c_q by 0 or 1.

Everything is an int64: m is at most MOST_SYNTHETIC and n-hat at most MOST_PRIVATE, and a private table has fewer than
MOST_PRIVATE rows (it would not fit a machine), so that a sum of e_q is at most m |S| + nhat m <= 2^62.

The rows of T are public and frozen (their digest is in the spec) before the question is asked, so the answer holds for
these rows whatever the optimiser did. Adding the upper quantile of the noise gives a one-sided bound.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.queries import Query
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Infeasible
from understudy.schema.relation import Relation

MOST_SYNTHETIC, MOST_PRIVATE = 2**26, 2**35


def refuse_overflow(synthetic_rows: int, n: int) -> None:
    """Refuse sizes whose errors do not fit an int64; both are public."""
    if not (0 <= synthetic_rows <= MOST_SYNTHETIC and 0 <= n <= MOST_PRIVATE):
        raise Infeasible(
            f"a certificate speaks of at most {MOST_SYNTHETIC:,} synthetic and {MOST_PRIVATE:,} private rows",
            "release fewer rows",
        )


@dataclass(frozen=True)
class Bound(Question):
    """What both bounds share: the marginals, the synthetic counts, and the two sizes."""

    cliques: tuple[tuple[str, ...], ...]
    synthetic: Reference
    synthetic_rows: int
    n: int

    def __post_init__(self) -> None:
        refuse_overflow(self.synthetic_rows, self.n)

    def errors(self, rows: Rows, clique: tuple[str, ...]) -> NDArray[np.int64]:
        """e_q for every cell q of one marginal."""
        exact = rows.counts(clique)
        # e_q = | m c_q(S) - nhat c_q(T) |
        return abs(self.synthetic_rows * exact - self.n * self.synthetic.beside(exact, clique))


@dataclass(frozen=True)
class WorstCell(Bound):
    """The largest error over all cells of all marginals."""

    kind: ClassVar[str] = "worst_cell"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = self.synthetic_rows * rows
        return Sensitivity(l1=move, l2sq=move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([max(int(self.errors(rows, c).max()) for c in self.cliques)], dtype=np.int64)


@dataclass(frozen=True)
class Variations(Bound):
    """The summed error of each marginal: twice its total variation distance, in units of n m."""

    kind: ClassVar[str] = "variations"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        move, tables = sides * self.synthetic_rows * rows, len(self.cliques)
        return Sensitivity(l1=tables * move, l2sq=tables * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([int(self.errors(rows, c).sum()) for c in self.cliques], dtype=np.int64)


@dataclass(frozen=True)
class WorstQuery(Question):
    """The largest error over listed queries, whose counts in the synthetic rows are written into the question."""

    queries: tuple[Query, ...]
    expected: tuple[int, ...]
    synthetic_rows: int
    n: int

    kind: ClassVar[str] = "worst_query"

    def __post_init__(self) -> None:
        refuse_overflow(self.synthetic_rows, self.n)

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = self.synthetic_rows * rows
        return Sensitivity(l1=move, l2sq=move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        # e_q = | m c_q(S) - nhat c_q(T) |
        pairs = zip(self.queries, self.expected, strict=True)
        return np.array(
            [max(abs(self.synthetic_rows * rows.matches(q) - self.n * t) for q, t in pairs)], dtype=np.int64
        )
