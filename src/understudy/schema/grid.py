"""A grid: how an ordered column becomes cells.

Every ordered value is first a **tick**, an integer on a public resolution: an integer is its own tick, a real is
counted in units of 10^-decimals, a date in days, a moment in its unit. A grid cuts the ticks [low, high] into cells:

    cell i = { t : starts[i] <= t < starts[i + 1] },   starts[0] = low,   the last cell ends at high, inclusive.

Ticks outside [low, high] are clamped. Being integers, cells have no rounding at their edges.

>>> ages = Grid.stepped(0, 110, 5)
>>> ages.size, ages.cell(42), ages.cell(-3), ages.cell(10**30)
(23, 8, 0, 22)
>>> ages.bounds(8)
(40, 44)
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused

FINEST = 100  # a column with at most this many values keeps one cell for each
BINS = 32  # otherwise this many cells of equal width, unless the schema says more


@dataclass(frozen=True)
class Grid:
    """Consecutive cells of ticks; ``high`` is the last tick, inclusive."""

    starts: tuple[int, ...]
    high: int

    def __post_init__(self) -> None:
        ascending = all(a < b for a, b in zip(self.starts, self.starts[1:], strict=False))
        if not self.starts or not ascending or self.high < self.starts[-1]:
            raise SchemaRefused("a grid needs ascending edges and min <= max", "check min, max, step and edges")
        if not -(2**62) < self.starts[0] <= self.high < 2**62:
            raise SchemaRefused("a grid's bounds do not fit in 62 bits", "narrow min and max, or use fewer decimals")

    @property
    def size(self) -> int:
        return len(self.starts)

    @property
    def low(self) -> int:
        return self.starts[0]

    def cell(self, tick: int) -> int:
        """The cell that holds a tick; ticks outside the bounds belong to the first or last cell."""
        return max(bisect_right(self.starts, min(max(tick, self.low), self.high)) - 1, 0)

    def bounds(self, cell: int) -> tuple[int, int]:
        """First and last tick of a cell, both inclusive."""
        return self.starts[cell], (self.starts[cell + 1] - 1 if cell + 1 < self.size else self.high)

    def draw(self, cells: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.int64]:
        """A tick for each cell, uniform within it."""
        first = np.array(self.starts, dtype=np.int64)
        last = np.append(first[1:] - 1, self.high)
        ticks: NDArray[np.int64] = rng.integers(first[cells], last[cells], endpoint=True, dtype=np.int64)
        return ticks

    @staticmethod
    def stepped(low: int, high: int, step: int) -> "Grid":
        """Cells of ``step`` ticks each, the last one shorter where step does not divide the range."""
        if step < 1:
            raise SchemaRefused("step must be at least one unit of the column's resolution", "give a larger step")
        if (high - low) // step >= 10**7:
            raise SchemaRefused("the step cuts the range into more than ten million cells", "give a larger step")
        return Grid(tuple(range(low, high + 1, step)), high)

    @staticmethod
    def even(low: int, high: int, bins: int | None) -> "Grid":
        """``bins`` cells of nearly equal width; by default one a tick up to 100 ticks, else 32."""
        ticks = high - low + 1
        if ticks < 1:
            raise SchemaRefused("a grid needs min <= max", "check min and max")
        if bins is None:
            bins = ticks if ticks <= FINEST else BINS
        if not 1 <= bins <= 10**7:
            raise SchemaRefused("bins must be between 1 and ten million", "give another number of bins")
        bins = min(bins, ticks)
        return Grid(tuple(low + (ticks * i) // bins for i in range(bins)), high)

    @staticmethod
    def cut(low: int, high: int, inner: tuple[int, ...]) -> "Grid":
        """Cells that begin at ``low`` and at each inner edge."""
        return Grid((low, *(edge for edge in sorted(set(inner)) if low < edge <= high)), high)
