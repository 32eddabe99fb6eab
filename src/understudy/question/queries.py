"""Listed queries: yes-or-no questions about one row, each a public function of the row's cells.

    Box         low_j <= cell_j <= high_j for every named column j: a prefix, a range, or a conjunction of such
    HalfSpace   sum_j a_j cell_j >= t with public integers a_j, t: a linear threshold in a public direction

c_q(S) = number of rows of S with q(row) = 1: linear in S, each row adds 0 or 1. Cells are numbered from 0 in the order of
the schema; of a nullable column the last is the missing one.

>>> codes = {"age": np.array([0, 3, 5]), "sex": np.array([1, 0, 1])}
>>> Box((("age", 0, 3),)).matches(codes).tolist()
[True, True, False]
>>> HalfSpace((("age", 1), ("sex", -2)), 3).matches(codes).tolist()
[False, True, True]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import Misuse
from understudy.schema.column import Pending
from understudy.schema.schema import Schema

Codes = Mapping[str, NDArray[np.integer]]
LARGEST_WEIGHT = 2**31
YES = 1  # the cell of true


@dataclass(frozen=True)
class Box:
    """Each named column's cell lies in its closed interval."""

    sides: tuple[tuple[str, int, int], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple(name for name, _, _ in self.sides)

    def matches(self, codes: Codes) -> NDArray[np.bool_]:
        """q(row) for every row."""
        within = [(codes[name] >= low) & (codes[name] <= high) for name, low, high in self.sides]
        return np.asarray(np.logical_and.reduce(within))


@dataclass(frozen=True)
class HalfSpace:
    """The weighted sum of some columns' cells reaches a threshold."""

    weights: tuple[tuple[str, int], ...]
    at_least: int

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple(name for name, _ in self.weights)

    def matches(self, codes: Codes) -> NDArray[np.bool_]:
        """q(row) for every row."""
        # sum_j a_j cell_j >= t, in 64-bit integers
        heights = sum(weight * codes[name].astype(np.int64) for name, weight in self.weights)
        return np.asarray(heights >= self.at_least)


Query = Box | HalfSpace


def prefixes(column: str, cells: int) -> Iterator[Box]:
    """All proper prefixes of an ordered column: cells 0..b.

    >>> len(list(prefixes("age", 5)))
    4
    """
    return (Box(((column, 0, high),)) for high in range(cells - 1))


def ranges(column: str, cells: int) -> Iterator[Box]:
    """All ranges of an ordered column that are neither empty nor everything.

    >>> len(list(ranges("age", 5)))
    14
    """
    pairs = ((low, high) for low in range(cells) for high in range(low, cells))
    return (Box(((column, low, high),)) for low, high in pairs if (low, high) != (0, cells - 1))


def conjunctions(columns: Sequence[str], ways: int) -> Iterator[Box]:
    """All monotone conjunctions of so many yes-or-no columns: yes to each of them.

    On these columns they are one-layer networks, relu(x_1 + ... + x_k - (k - 1)); a ``HalfSpace`` is one with a step.

    >>> len(list(conjunctions(("smokes", "drinks", "runs"), 2)))
    3
    """
    return (Box(tuple((name, YES, YES) for name in chosen)) for chosen in combinations(columns, ways))


def refuse_unfit(query: Query, schema: Schema) -> None:
    """A query names each column once, within its cells, and only columns that have cells already."""
    names = query.columns
    modelled = {column.name: column for column in schema.modelled}
    for name in names:
        if name not in modelled:
            raise Misuse(f"a query names '{name}', which is not a modelled column", "correct the workload file")
        if isinstance(modelled[name], Pending):
            raise Misuse(f"a query names '{name}', whose cells are not known yet", "declare its bounds or values")
    if not names or len(set(names)) != len(names):
        raise Misuse("a query names no column, or one twice", "name each of its columns once")
    if isinstance(query, Box):
        for name, low, high in query.sides:
            if not 0 <= low <= high < modelled[name].size:
                raise Misuse(
                    f"a query asks for cells {low} to {high} of '{name}', which has 0 to {modelled[name].size - 1}",
                    "correct the workload file",
                )
    elif max(abs(weight) for _, weight in query.weights) > LARGEST_WEIGHT:
        raise Misuse("a weight of a threshold is too large", f"use at most {LARGEST_WEIGHT:,}")
