"""Cells of places: the leaves of a public quadtree over a box, as far as an outline reaches into them.

    a box of latitudes and longitudes is cut in four, each quarter in four again, ``depth`` times
    number of a leaf     the bits of its row and its column in turn: its first 2l bits are its ancestor at level l
    code of a leaf       its position among the leaves that hold a tick of the outline, in the order of their numbers

A leaf without a tick of the outline is no cell: it is a structural zero of every table. What lies in one belongs to the cell
nearest to it. All is made of the schema, and is public.

>>> box = Quadtree(Grid.even(0, 7, 4), Grid.even(0, 7, 4), depth=2)
>>> box.size, box.codes(np.array([0, 7]), np.array([7, 0])).tolist()
(16, [5, 10])
>>> box.ancestors(np.array([5, 10]), level=1).tolist()
[1, 2]
"""

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.grid import Grid
from understudy.schema.outline import Outline, Runs, Ticks

DEEPEST = 8
BLOCK = 2**22  # distances at a time


@dataclass(frozen=True)
class Quadtree:
    """2^depth rows of latitude by as many columns of longitude, within an outline where there is one.

    ``flatness`` is the length of a degree of longitude beside one of latitude, for distances between leaves.
    """

    latitude: Grid
    longitude: Grid
    depth: int
    outline: Outline | None = None
    flatness: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise SchemaRefused(f"depth is 1 to {DEEPEST}", "each level cuts every cell in four")
        if not self.latitude.size == self.longitude.size == 2**self.depth:
            raise SchemaRefused("its box has fewer ticks than cells", "use more decimals, or a smaller depth")
        if self.outline is not None and not len(self.leaves):
            raise SchemaRefused("its outline has no tick in its box", "check the order: longitude, then latitude")

    @cached_property
    def runs(self) -> Runs:
        """The ticks of the outline in the box."""
        assert self.outline is not None
        runs = self.outline.runs(self.latitude.low, self.latitude.high)
        return runs.within(self.longitude.low, self.longitude.high)

    @cached_property
    def leaves(self) -> Ticks:
        """The numbers of the leaves that are cells, ascending."""
        side = 2**self.depth
        if self.outline is None:
            return np.arange(side * side)
        row = strip(self.latitude, self.runs.latitude)
        # a run marks where it enters a row and where it has left; what is between has been entered and not left
        steps = np.zeros((side, side + 1), dtype=np.int64)
        np.add.at(steps, (row, strip(self.longitude, self.runs.west)), 1)
        np.add.at(steps, (row, strip(self.longitude, self.runs.east) + 1), -1)
        return np.sort(interleaved(*np.nonzero(np.cumsum(steps, axis=1)[:, :side])))

    @property
    def size(self) -> int:
        return len(self.leaves)

    @cached_property
    def nearest(self) -> NDArray[np.int64]:
        """For each leaf the code of the nearest cell: its own, where it is one; the first of those equally near."""
        side = 2**self.depth
        found = np.full(side * side, -1, dtype=np.int64)
        found[self.leaves] = np.arange(self.size)
        empty = np.flatnonzero(found < 0)
        spans = [grid.high - grid.low + 1 for grid in (self.latitude, self.longitude)]
        scale = np.array([spans[0], spans[1] * self.flatness]) / side
        cells = np.stack(apart(self.leaves), axis=1) * scale
        step = max(BLOCK // self.size, 1)
        for first in range(0, len(empty), step):
            block = np.stack(apart(empty[first : first + step]), axis=1) * scale
            distance = ((block[:, None, :] - cells[None, :, :]) ** 2).sum(axis=2)
            found[empty[first : first + step]] = distance.argmin(axis=1)
        return found

    def codes(self, latitude: Ticks, longitude: Ticks) -> NDArray[np.int64]:
        """The cells of points in the box."""
        return self.nearest[interleaved(strip(self.latitude, latitude), strip(self.longitude, longitude))]

    def hold(self, latitude: Ticks, longitude: Ticks) -> NDArray[np.bool_]:
        """Which points are in the box and the outline."""
        rows, columns = self.latitude, self.longitude
        north, east = np.clip(latitude, rows.low, rows.high), np.clip(longitude, columns.low, columns.high)
        inside: NDArray[np.bool_] = (north == latitude) & (east == longitude)
        return inside if self.outline is None else inside & self.runs.hold(north, east)

    def ancestors(self, codes: NDArray[np.integer], level: int) -> NDArray[np.int64]:
        """The numbers of the quarters of ``level`` that hold some cells."""
        return np.asarray(self.leaves[codes] >> 2 * (self.depth - level), dtype=np.int64)

    def bounds(self, code: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """First and last latitude, first and last longitude of a cell."""
        row, column = apart(self.leaves[code : code + 1])
        return self.latitude.bounds(int(row[0])), self.longitude.bounds(int(column[0]))

    def middles(self, codes: NDArray[np.integer]) -> tuple[Ticks, Ticks]:
        """The middles of the leaves that cells are, be they in the outline or not."""
        row, column = apart(self.leaves[codes])
        return middle(self.latitude)[row], middle(self.longitude)[column]

    def draw(self, codes: NDArray[np.integer], rng: np.random.Generator) -> tuple[Ticks, Ticks]:
        """A point of each cell, uniform over the ticks that the cell and the outline have in common."""
        if self.outline is None:
            row, column = apart(self.leaves[codes])
            return self.latitude.draw(row, rng), self.longitude.draw(column, rng)
        points = np.zeros((2, len(codes)), dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            if len(group):
                (south, north), (west, east) = self.bounds(int(codes[group[0]]))
                points[:, group] = self.runs.between(south, north).within(west, east).draw(len(group), rng)
        return points[0], points[1]


def quadtree(latitude: Grid, longitude: Grid, depth: int, decimals: int, outline: Outline | None) -> Quadtree:
    """The quadtree of a box; a degree of longitude is as long as it is in its middle, to a thousandth."""
    middle = (latitude.low + latitude.high) / 2 / 10**decimals
    return Quadtree(latitude, longitude, depth, outline, max(round(cos(radians(middle)), 3), 0.001))


def strip(grid: Grid, ticks: Ticks) -> NDArray[np.int64]:
    """The row or column of ticks within a grid."""
    return np.asarray(np.searchsorted(np.array(grid.starts), ticks, side="right") - 1, dtype=np.int64)


def middle(grid: Grid) -> Ticks:
    """The middle of each row or column of a grid."""
    ends = np.array([*grid.starts, grid.high + 1], dtype=np.int64)
    return np.asarray((ends[:-1] + ends[1:] - 1) // 2, dtype=np.int64)


def interleaved(rows: NDArray[np.integer], columns: NDArray[np.integer]) -> NDArray[np.int64]:
    """The numbers of leaves: bits of the row and of the column in turn."""
    number = np.zeros(len(rows), dtype=np.int64)
    for bit in range(DEEPEST):
        number |= ((rows >> bit & 1) << 2 * bit + 1) | ((columns >> bit & 1) << 2 * bit)
    return number


def apart(numbers: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and the columns of leaves."""
    rows, columns = np.zeros((2, len(numbers)), dtype=np.int64)
    for bit in range(DEEPEST):
        rows |= (numbers >> 2 * bit + 1 & 1) << bit
        columns |= (numbers >> 2 * bit & 1) << bit
    return rows, columns
