"""Discovery: what the schema leaves open, asked through the gate and paid from the same total.

    a number or moment   1  histogram over the public dyadic grid 0, +-1, +-2, +-4, ...   -> outer bounds, or a single 0
                         2  histogram over a finer grid within them                       -> bounds, bins of equal mass
    an open list         the values whose noisy count passes the threshold; all others are "other"

Each pending column gets an equal part of the purse and of the delta. A run of cells counts as occupied where its noisy count
is above what noise alone reaches anywhere with probability ``FALSE``; so one person's extreme value stretches no bounds.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Step
from understudy.noise import discrete_gaussian, discrete_laplace
from understudy.privacy.purse import Purse
from understudy.question.categories import Categories
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact
from understudy.question.quantiles import Quantiles
from understudy.schema.column import FAITHFUL, Column, Listed, Moment, Number, Pending
from understudy.schema.format import span
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema
from understudy.vault.gate import Gate

FALSE = 1e-3  # probability that noise alone makes anything of a histogram look occupied
FINE = 256  # cells of the second histogram, besides the dyadic ones
LISTED = 100  # values that a discovered list keeps at most

DYADIC = Grid((*(-(2**k) for k in range(61, -1, -1)), 0, *(2**k for k in range(61))), 2**61)

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Discovery:
    """What may be spent on a schema's pending columns."""

    schema: Schema
    purse: Purse
    delta: Fraction

    @property
    def part(self) -> Purse:
        """Of the purse, for one column."""
        return self.purse.share(Fraction(1, len(self.schema.pending)))

    def script(self) -> tuple[Step, ...]:
        """The questions, at their price."""
        return tuple(Step(f"discover '{pending.name}'", self.questions(pending)) for pending in self.schema.pending)

    def questions(self, pending: Pending) -> tuple[Quantiles, Quantiles] | tuple[Categories]:
        """What one column will be asked; the second histogram's grid is not known yet."""
        if isinstance(pending.like, Listed):
            return (self.values(pending),)
        return self.histogram(pending, DYADIC), self.histogram(pending, DYADIC)

    def histogram(self, pending: Pending, grid: Grid) -> Quantiles:
        """One of the two histograms of a number or moment."""
        return self.part.share(Fraction(1, 2)).noisy(Quantiles(Exact(), pending.name, grid))

    def values(self, pending: Pending) -> Categories:
        """The values of an open list."""
        lists = sum(isinstance(column.like, Listed) for column in self.schema.pending)
        return self.part.revealing(Categories(Exact(), pending.name), self.delta / lists)

    def run(self, gate: Gate, tell: Callable[[str], None]) -> Schema:
        """The schema with every pending column settled; the vault reads its rows by it from now on."""
        settled = self.schema
        for pending in self.schema.pending:
            tell(f"discovering column '{pending.name}'")
            listed = isinstance(pending.like, Listed)
            settled = settled.settle(self.list_of(gate, pending) if listed else self.bounded(gate, pending))
            gate.settle(settled)
        return settled

    def list_of(self, gate: Gate, pending: Pending) -> Column:
        """An open list: the most frequent values shown, in the order of their texts; those that a CSV can hold."""
        assert isinstance(pending.like, Listed)
        shown = gate.ask(self.values(pending))
        assert isinstance(shown, dict)
        frequent = sorted(filter(self.schema.csv.holds, shown), key=lambda text: (-shown[text], text))[:LISTED]
        return replace(pending.like, values=tuple(sorted(text for text in frequent if text != pending.like.other)))

    def bounded(self, gate: Gate, pending: Pending) -> Column:
        """A number or moment: bounds where the counts are, bins of equal mass between them."""
        assert isinstance(pending.like, Number | Moment)
        coarse = self.histogram(pending, DYADIC)
        first, last = occupied(coarse, asked(gate, coarse)) or (0, 0)
        low, high = writable(pending.like)
        outer = min(max(first, low), high), min(max(last, low), high)
        fine = self.histogram(pending, subdivided(outer))
        counts = asked(gate, fine)
        # few rows in many cells may stand out nowhere; then the coarse bounds are what is known
        inner = occupied(fine, counts) or outer
        return replace(pending.like, grid=equal_mass(fine.grid, inner, np.maximum(counts, 0), pending.bins))


def writable(column: Number | Moment) -> tuple[int, int]:
    """The ticks that values of this column can be written with: 15 digits of a real, the years that a date's format holds."""
    if isinstance(column, Moment):
        return span(column)
    return (-FAITHFUL, FAITHFUL) if column.real else (DYADIC.low, DYADIC.high)


def asked(gate: Gate, question: Quantiles) -> Counts:
    """The noisy histogram."""
    answer = gate.ask(question)
    assert isinstance(answer, np.ndarray)
    return answer


def occupied(question: Quantiles, counts: Counts) -> tuple[int, int] | None:
    """The first and the last tick of the cells that hold more than noise; nothing where none does."""
    first, back = beginning(question.mechanism, counts), beginning(question.mechanism, counts[::-1])
    if first is None or back is None:
        return None
    return question.grid.bounds(first)[0], question.grid.bounds(len(counts) - 1 - back)[1]


def beginning(mechanism: object, counts: Counts) -> int | None:
    """Where the rows begin: at the run of 1, 2, 4, ... cells that is the first to end with more in it than noise.

    One cell is enough where many rows are; a thin tail is seen by the many cells that it fills.
    """
    lengths = [2**k for k in range(len(counts).bit_length())]
    below = np.concatenate([[0], np.cumsum(counts)])
    found: list[tuple[int, int]] = []
    for length in lengths:
        level = noise_level(mechanism, length, FALSE / (2 * len(lengths) * len(counts)))
        above = np.nonzero(below[length:] - below[:-length] > level)[0]
        if len(above):
            found.append((int(above[0]) + length, length))
    if not found:
        return None
    end, length = min(found)
    return end - length


def noise_level(mechanism: object, cells: int, beta: float) -> int:
    """What the noise of some cells together exceeds with probability at most beta."""
    if isinstance(mechanism, DiscreteGaussian):
        return discrete_gaussian.upper_of_sum(mechanism.sigma2, cells, beta)
    assert isinstance(mechanism, DiscreteLaplace)
    return discrete_laplace.upper_of_sum(mechanism.scale, cells, beta)


def subdivided(outer: tuple[int, int]) -> Grid:
    """A fine grid within the outer bounds: even cells, and the dyadic ones for what is crowded near zero."""
    low, high = outer
    return Grid.cut(low, high, (*Grid.even(low, high, FINE).starts, *DYADIC.starts))


def equal_mass(grid: Grid, inner: tuple[int, int], counts: Counts, bins: int) -> Grid:
    """Cells of about equal noisy mass within the inner bounds.

    >>> equal_mass(Grid((0, 10, 20, 30), 39), (0, 39), np.array([50, 0, 25, 25]), 2)
    Grid(starts=(0, 10), high=39)
    """
    low, high = inner
    starts = np.array(grid.starts)
    mass = np.where((starts >= low) & (starts <= high), counts, 0)
    below = np.cumsum(mass) - mass
    goals = mass.sum() * np.arange(1, bins) / bins
    edges = starts[np.minimum(np.searchsorted(below, goals, side="left"), len(starts) - 1)]
    return Grid.cut(low, high, tuple(int(edge) for edge in edges))


def assumed(schema: Schema) -> Schema:
    """The schema as large as discovery can make it: for plans, which see no data."""
    for pending in schema.pending:
        like = pending.like
        if isinstance(like, Listed):
            schema = schema.settle(replace(like, values=tuple(f"value {i}" for i in range(LISTED))))
        else:
            assert isinstance(like, Number | Moment)
            schema = schema.settle(replace(like, grid=Grid.even(0, pending.bins - 1, pending.bins)))
    return schema
