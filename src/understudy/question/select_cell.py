"""SelectCell: a single query on which a public guess is wrong, and in which direction.

Math.  Candidates are the cells of some marginals and some listed queries, each with both signs. With a public whole number
``times`` and public integer references r_q (what the guess expects of ``times`` tables),

    score(+q) = times c_q(S) - r_q,        score(-q) = r_q - times c_q(S)

A unit has at most R rows; each falls in one cell of a marginal, and adds 0 or 1 to a listed query. With w marginals, K
listed queries and t = times, over both signs:

    add-remove:   l1 = 2 (w + K) t R     l2sq = 2 (w + K) t^2 R^2      linf = t R
    replace-one:  l1 = 2 (2 w + K) t R   l2sq = 2 (2 w + K) t^2 R^2    linf = t R

The gate answers with the exponential mechanism: P[q] proportional to exp(score_q / s). With times = 1 it is the private best
response (MWEM, FEM, the dual Frank-Wolfe of document 001); with the sum of many guesses for a reference and times their
number it draws from multiplicative weights over queries (DualQuery). Adding a row moves +q up and -q down, so scores are
not monotone, and linf is no larger under replace-one: one cell moves by at most R.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.queries import Box, Query
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

LARGEST_TIMES, LARGEST_REFERENCE = 2**20, 2**61  # so that a score of fewer than 2^40 rows is an int64
LISTED: tuple[str, ...] = ()  # under this name the reference holds what is expected of the listed queries

Columns = tuple[str, ...]


@dataclass(frozen=True)
class Signed:
    """A query of the class, or its complement: a cell of a marginal is a box of one cell a side."""

    query: Query
    sign: int


@dataclass(frozen=True)
class SelectCell(Question):
    """The place of one signed query: first all cells in order and the listed queries, then the same with a minus."""

    cliques: tuple[Columns, ...]
    queries: tuple[Query, ...]
    reference: Reference
    times: int = 1

    kind: ClassVar[str] = "select_cell"

    def __post_init__(self) -> None:
        if type(self.times) is not int or not 1 <= self.times <= LARGEST_TIMES:
            raise Misuse("a selection of cells counts a table a moderate whole number of times", "use 1 or more")

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        tables, move = 2 * (sides * len(self.cliques) + len(self.queries)), self.times * rows
        return Sensitivity(l1=tables * move, l2sq=tables * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        exact = [(clique, rows.counts(clique)) for clique in self.cliques]
        if self.queries:
            exact.append((LISTED, np.array([rows.matches(query) for query in self.queries], dtype=np.int64)))
        # score(+q) = times c_q(S) - r_q
        rise = np.concatenate([(self.times * c - self.expected(c, clique)).ravel() for clique, c in exact])
        return np.concatenate([rise, -rise])

    def expected(self, exact: NDArray[np.int64], columns: Columns) -> NDArray[np.int64]:
        """The public side of a score; a reference so large that a difference would leave 64 bits is refused."""
        table = self.reference.beside(exact, columns)
        if table.size and int(abs(table).max()) > LARGEST_REFERENCE:
            raise Misuse("the reference of a selection of cells is too large", "give counts of tables")
        return table


def read(index: int, cliques: Sequence[Sequence[str]], queries: Sequence[Query], domain: Mapping[str, int]) -> Signed:
    """What an answer stands for.

    >>> read(4, [["a"], ["a", "b"]], [], {"a": 2, "b": 3})
    Signed(query=Box(sides=(('a', 0, 0), ('b', 2, 2))), sign=1)
    >>> read(8, [["a"], ["a", "b"]], [], {"a": 2, "b": 3}).sign
    -1
    """
    shapes = [tuple(domain[name] for name in clique) for clique in cliques]
    sizes = [int(np.prod(shape)) for shape in shapes]
    half = sum(sizes) + len(queries)
    sign, place = (1, index) if index < half else (-1, index - half)
    for clique, shape, size in zip(cliques, shapes, sizes, strict=True):
        if place < size:
            cell = [int(code) for code in np.unravel_index(place, shape)]
            return Signed(Box(tuple((name, code, code) for name, code in zip(clique, cell, strict=True))), sign)
        place -= size
    return Signed(queries[place], sign)
