"""Space: some columns as one vector of coordinates, with what is public about it.

    middle    1/2 for a number, a moment or a level; for a list, the same chance for each of its cells
    longest   how far any row can be from the middle

All in units of 1/UNIT, as `schema/coordinates.py` has them. ``values`` reads vectors back as cells, and what is finer.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes, Details
from understudy.question.lift import WIDEST_BALL
from understudy.schema.column import Column, Image, Moment, Number
from understudy.schema.coordinates import UNIT, values, width
from understudy.schema.schema import Schema

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Space:
    """The coordinates of some columns, one after another."""

    columns: tuple[Column, ...]

    @staticmethod
    def of(schema: Schema, without: str | None = None) -> "Space":
        """All modelled columns, or all but one; the schema's label is the last."""
        kept = [column for column in schema.modelled if column.name != without]
        return Space(tuple(sorted(kept, key=lambda column: column.name == schema.label)))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """How many coordinates each column has."""
        return tuple(width(column) for column in self.columns)

    def width_of(self, name: str | None) -> int:
        """How many coordinates one column has; none where it is not among them."""
        return dict(zip(self.names, self.widths, strict=True)).get(name or "", 0)

    @property
    def dimension(self) -> int:
        """How many they are together."""
        return sum(self.widths)

    @cached_property
    def middle(self) -> NDArray[np.int64]:
        """The public centre."""
        return np.concatenate([middle_of(column) for column in self.columns])

    @cached_property
    def longest(self) -> int:
        """No row is farther from the middle, and no ball is wider."""
        square = sum(farthest_of(column) for column in self.columns)
        return min(math.ceil(math.sqrt(square)), WIDEST_BALL)

    def values(self, vectors: NDArray[np.floating]) -> tuple[Codes, Details]:
        """The nearest cells, and ticks and levels, of any vectors, where 1 is UNIT."""
        codes: Codes = {}
        details: Details = {}
        starts = np.cumsum([0, *self.widths])
        for column, start, wide in zip(self.columns, starts, self.widths, strict=False):
            found = values(np.asarray(UNIT * vectors[:, start : start + wide], dtype=np.float64), column)
            codes[column.name] = found.codes
            if found.ticks is not None:
                details[column.name] = found.ticks
        return codes, details


def middle_of(column: Column) -> NDArray[np.int64]:
    """The middle of one column."""
    if isinstance(column, Number | Moment):
        return np.array([UNIT // 2, 0][: width(column)], dtype=np.int64)
    each = UNIT // 2 if isinstance(column, Image) else UNIT // column.size
    return np.full(width(column), each, dtype=np.int64)


def farthest_of(column: Column) -> float:
    """The square of the distance from it."""
    if isinstance(column, Number | Moment):
        return UNIT**2 * (1 / 4 + column.nullable)
    if isinstance(column, Image):
        return column.pixels * UNIT**2 / 4
    # (1 - 1/s)^2 + (s - 1) / s^2 = 1 - 1/s, and each middle is rounded by less than 1
    return UNIT**2 * (1 - 1 / column.size) + 2 * UNIT
