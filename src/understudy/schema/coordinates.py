"""Coordinates: every row as a vector of whole numbers, on a public grid. Total and row-wise, as all parsing.

    UNIT = 4096 stands for 1

| column             | coordinates                                                                          |
|--------------------|--------------------------------------------------------------------------------------|
| number or moment   | round(UNIT (tick - low) / (high - low)); UNIT / 2 where it is missing                |
| list or boolean    | one for each cell, missing included: UNIT in the row's cell, 0 elsewhere             |
| image              | one for each pixel: round(UNIT level / high)                                         |
| place              | two, as two numbers that are missing together; the middle of its cell, off its outline |

A number, moment or place that can be missing has one more: UNIT where it is, 0 where it is not.

Law.  The vector of a row depends on that row and the schema alone, to the last bit: divisions are made value by value, so
neither the order nor the number of the other rows matters. ``values`` reads any vector back; on the vector of a row it finds
the row's own cells, where no cell is narrower than 1/UNIT of its column.

>>> from understudy.schema.column import Listed
>>> from understudy.schema.grid import Grid
>>> age = Number("age", missing=("",), grid=Grid.even(0, 100, None))
>>> coordinates(pa.chunked_array([["25", ""]]), age).tolist()
[[1024, 0], [2048, 4096]]
>>> values(np.array([[1031.5, 7.0], [0.0, 4000.0]]), age).ticks.tolist()
[25, 0]
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.schema.column import Column, Image, Moment, Number
from understudy.schema.encode import codes, distinct_values, points
from understudy.schema.grid import Grid
from understudy.schema.image import pixels
from understudy.schema.pair import Place
from understudy.schema.parse import tick_reader

UNIT = 4096

Vectors = NDArray[np.int16]
Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """What vectors of one column mean: the cells, and what is finer (ticks, those of points, or the levels of pixels)."""

    codes: NDArray[np.int64]
    ticks: NDArray[np.integer] | None


def width(column: Column) -> int:
    """How many coordinates a column has."""
    if isinstance(column, Image):
        return column.pixels
    if isinstance(column, Place):
        return 2 + column.nullable
    return 1 + column.nullable if isinstance(column, Number | Moment) else column.size


def coordinates(array: pa.ChunkedArray, column: Column) -> Vectors:
    """The coordinates of one column, a row each."""
    if isinstance(column, Image):
        return of_level(column)[pixels(array, column)]
    if isinstance(column, Number | Moment):
        return of_ordered(array, column)
    if isinstance(column, Place):
        return of_points(array, column)
    found = np.zeros((len(array), column.size), dtype=np.int16)
    found[np.arange(len(array)), codes(array, column)] = UNIT
    return found


def of_level(column: Image) -> NDArray[np.int16]:
    """The coordinate of each of 256 levels."""
    known = np.minimum(np.arange(256), column.high)
    return ((2 * UNIT * known + column.high) // (2 * column.high)).astype(np.int16)


def of_ordered(array: pa.ChunkedArray, column: Number | Moment) -> Vectors:
    """The coordinate of a number or moment, each distinct value read once; within its cell, so that both views agree."""
    cells, read = codes(array, column).astype(np.int64), tick_reader(column)
    distinct, index = distinct_values(array)
    grid = column.grid
    first = np.array(grid.starts, dtype=np.int64)
    last = np.append(first[1:] - 1, grid.high)
    known = [grid.low if (tick := read(value)) is None else tick for value in [*distinct, None]]
    ticks = np.array(known, dtype=np.int64)[index]
    absent = cells == column.missing_cell if column.nullable else np.zeros(len(cells), dtype=bool)
    cells = np.where(absent, 0, cells)
    share = (np.clip(ticks, first[cells], last[cells]) - grid.low) / max(grid.high - grid.low, 1)
    found = np.where(absent, UNIT // 2, np.rint(UNIT * share)).astype(np.int16)
    return np.stack([found, UNIT * absent.astype(np.int16)], axis=1) if column.nullable else found[:, None]


def of_points(array: pa.ChunkedArray, column: Place) -> Vectors:
    """The coordinates of points; of those that are projected, the middle of the cell that they come to."""
    cells = codes(array, column).astype(np.int64)
    found, present = points(array, column)
    absent = cells >= column.values_size
    present &= column.tree.hold(*found)
    middles = column.tree.middles(np.where(absent, 0, cells))
    shares = [
        (np.where(present, ticks, middle) - axis.grid.low) / max(axis.grid.high - axis.grid.low, 1)
        for ticks, middle, axis in zip(found, middles, column.sides, strict=True)
    ]
    vectors = [np.where(absent, UNIT // 2, np.rint(UNIT * share)).astype(np.int16) for share in shares]
    return np.stack([*vectors, *[UNIT * absent.astype(np.int16)] * column.nullable], axis=1)


def values(vectors: Float, column: Column) -> Values:
    """The nearest values of any vectors: levels and ticks within their bounds, the cell with the largest coordinate."""
    if isinstance(column, Image):
        levels = np.clip(np.rint(vectors * (column.high / UNIT)), 0, column.high).astype(np.uint8)
        total = levels.sum(axis=1, dtype=np.int64)
        return Values(column.values_size * total // (column.pixels * column.high + 1), levels)
    if isinstance(column, Place):
        north, east = (nearest_ticks(vectors[:, i], axis.grid) for i, axis in enumerate(column.sides))
        return Values(or_missing(column.tree.codes(north, east), vectors, column), np.stack([north, east], axis=1))
    if not isinstance(column, Number | Moment):
        return Values(vectors.argmax(axis=1), None)
    ticks = nearest_ticks(vectors[:, 0], column.grid)
    cells = np.searchsorted(np.array(column.grid.starts, dtype=np.int64), ticks, side="right") - 1
    return Values(or_missing(cells, vectors, column), ticks)


def nearest_ticks(coordinate: Float, grid: Grid) -> NDArray[np.int64]:
    """The ticks that are nearest to a coordinate."""
    share = np.clip(coordinate / UNIT, 0, 1)
    return np.clip(grid.low + np.rint(share * (grid.high - grid.low)).astype(np.int64), grid.low, grid.high)


def or_missing(cells: NDArray[np.int64], vectors: Float, column: Column) -> NDArray[np.int64]:
    """The cells, or missing where the last coordinate says so."""
    return np.where(vectors[:, -1] > UNIT / 2, column.missing_cell, cells) if column.nullable else cells
