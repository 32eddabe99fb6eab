"""Orders: columns that do not decrease along a row, where they are present.

A tick t of a column stands for the moments (or numbers)  [t unit, t unit + slack],  in seconds or in the finest decimal;
slack is a day less a second for a date, so that a date and a moment are compared by the day, and 0 for all others.

    x before y     t_x unit_x <= t_y unit_y + slack_y
    floor(y | x)   = ceil((t_x unit_x - slack_y) / unit_y)       the least tick of y, if x has t_x
    ceiling(x | y) = floor((t_y unit_y + slack_y) / unit_x)      the last tick of x, if y has t_y

Floors run from the first columns to the last, ceilings back. The cells of a row can hold ticks in order if and only if
no column's floor is beyond its cell; and then ticks drawn forward, each between floor and ceiling, are in order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.column import UNITS, Column, Moment, Number
from understudy.schema.parse import tick_reader

Codes = Mapping[str, NDArray[np.integer]]
Ticks = NDArray[np.int64]
DAY = 86400


@dataclass(frozen=True, eq=False)
class Span:
    """First and last tick of each cell, and what a tick stands for. A code beyond the cells is missing."""

    first: Ticks
    last: Ticks
    unit: int
    slack: int

    def bounds(self, codes: NDArray[np.integer]) -> tuple[Ticks, Ticks, NDArray[np.bool_]]:
        """First and last tick of each row's cell, and whether there is one."""
        present = codes < len(self.first)
        cells = np.where(present, codes, 0).astype(np.int64)
        return self.first[cells], self.last[cells], present

    def at(self, cell: int, tick: int) -> "Span":
        """The span with one cell narrowed to one tick."""
        first, last = self.first.copy(), self.last.copy()
        first[cell] = last[cell] = tick
        return replace(self, first=first, last=last)


def floor_of(y: Span, x: Span, ticks: Ticks) -> Ticks:
    """The least tick of y that is not before x."""
    return -((y.slack - ticks * x.unit) // y.unit)


def ceiling_of(x: Span, y: Span, ticks: Ticks) -> Ticks:
    """The last tick of x that is not after y."""
    return (ticks * y.unit + y.slack) // x.unit


@dataclass(frozen=True, eq=False)
class Ordering:
    """Pairs of columns, the first not after the second, and the spans of all columns that are in a pair or fixed."""

    pairs: tuple[tuple[str, str], ...]
    spans: dict[str, Span]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns, each after all that come before it in an order."""
        before: dict[str, set[str]] = {name: set() for name in self.spans}
        for first, second in self.pairs:
            before[second].add(first)
        return tuple(TopologicalSorter(before).static_order())

    def floors(self, codes: Codes) -> dict[str, Ticks]:
        """The least tick that each column of each row can have."""
        low: dict[str, Ticks] = {}
        for y in self.columns:
            low[y] = np.maximum(self.spans[y].bounds(codes[y])[0], self.floor(codes, low, y))
        return low

    def floor(self, codes: Codes, ticks: dict[str, Ticks], y: str) -> Ticks:
        """The least tick that the columns before y leave to it."""
        low = np.full(len(codes[y]), np.iinfo(np.int64).min)
        for x in (first for first, second in self.pairs if second == y):
            present = codes[x] < len(self.spans[x].first)
            low = np.where(present, np.maximum(low, floor_of(self.spans[y], self.spans[x], ticks[x])), low)
        return low

    def ceilings(self, codes: Codes) -> dict[str, Ticks]:
        """The last tick that each column of each row can have."""
        high: dict[str, Ticks] = {}
        for x in reversed(self.columns):
            high[x] = np.minimum(self.spans[x].bounds(codes[x])[1], self.ceiling(codes, high, x))
        return high

    def ceiling(self, codes: Codes, ticks: dict[str, Ticks], x: str) -> Ticks:
        """The last tick that the columns after x leave to it."""
        high = np.full(len(codes[x]), np.iinfo(np.int64).max)
        for y in (second for first, second in self.pairs if first == x):
            present = codes[y] < len(self.spans[y].first)
            high = np.where(present, np.minimum(high, ceiling_of(self.spans[x], self.spans[y], ticks[y])), high)
        return high

    def broken(self, codes: Codes) -> NDArray[np.bool_]:
        """Rows whose cells can hold no ticks in order."""
        wrong = np.zeros(len(next(iter(codes.values()))), dtype=bool)
        for name, low in self.floors(codes).items():
            _, last, present = self.spans[name].bounds(codes[name])
            wrong |= present & (low > last)
        return wrong

    def permitted(self, codes: Codes, name: str) -> NDArray[np.bool_]:
        """For each row, the values' cells of a column that leave its order possible."""
        low = self.floor(codes, self.floors(codes), name)[:, None]
        high = self.ceiling(codes, self.ceilings(codes), name)[:, None]
        span = self.spans[name]
        return (span.first <= high) & (span.last >= low) & (low <= high)

    def draw(self, codes: Codes, rng: np.random.Generator) -> dict[str, Ticks]:
        """Ticks in order, for rows that are not broken: each uniform within what is left to it."""
        high, drawn = self.ceilings(codes), dict[str, Ticks]()
        for y in self.columns:
            first, _, present = self.spans[y].bounds(codes[y])
            low = np.where(present, np.maximum(first, self.floor(codes, drawn, y)), 0)
            drawn[y] = rng.integers(low, np.where(present, high[y], 0), endpoint=True, dtype=np.int64)
        return drawn

    def disordered(self, ticks: dict[str, Ticks], present: dict[str, NDArray[np.bool_]], n: int) -> NDArray[np.bool_]:
        """Which of n rows have ticks that are not in order."""
        wrong = np.zeros(n, dtype=bool)
        for x, y in self.pairs:
            wrong |= present[x] & present[y] & (ticks[x] > ceiling_of(self.spans[x], self.spans[y], ticks[y]))
        return wrong


def ordering_of(orders: list[tuple[Column, ...]]) -> Ordering:
    """The ordering of the schema's orders; refused where columns cannot be compared."""
    spans: dict[str, Span] = {}
    pairs: dict[tuple[str, str], None] = {}
    decimals = max((c.decimals for order in orders for c in order if isinstance(c, Number)), default=0)
    for order in orders:
        refuse_incomparable(order)
        spans |= {column.name: span_of(column, decimals) for column in order}
        pairs |= dict.fromkeys((a.name, b.name) for i, a in enumerate(order) for b in order[i + 1 :])
    made = Ordering(tuple(pairs), spans)
    try:
        made.columns  # noqa: B018  refuses a circle
    except CycleError:
        raise SchemaRefused("the orders run in a circle", "drop one of them") from None
    return made


def refuse_incomparable(order: tuple[Column, ...]) -> None:
    """Numbers go with numbers, dates and moments with each other; moments must be on one clock."""
    for column in order:
        if not isinstance(column, Number | Moment):
            raise SchemaRefused(
                f"column '{column.name}' has no bounds to order it by", "order numbers, dates and moments"
            )
    if len({type(column) for column in order}) > 1:
        raise SchemaRefused("numbers and dates are not comparable", "order columns of one kind")
    if len({column.timezone for column in order if isinstance(column, Moment) and column.clock}) > 1:
        raise SchemaRefused("moments of different timezones are not comparable", "declare one timezone for all")


def span_of(column: Column, decimals: int) -> Span:
    """The span of a number or a moment."""
    assert isinstance(column, Number | Moment)
    if isinstance(column, Moment):
        unit, slack = UNITS[column.unit], 0 if column.clock else DAY - 1
    else:
        unit, slack = 10 ** (decimals - column.decimals), 0
    if max(abs(column.grid.low), abs(column.grid.high)) * unit >= 2**62:
        raise SchemaRefused(f"column '{column.name}' is too wide to be compared", "narrow it, or use fewer decimals")
    first = np.array(column.grid.starts, dtype=np.int64)
    return Span(first, np.append(first[1:] - 1, column.grid.high), unit, slack)


def ticks_of_values(values: list[object], index: NDArray[np.int64], column: Column) -> tuple[Ticks, NDArray[np.bool_]]:
    """The ticks of a table's values, and where there is one."""
    read = tick_reader(column)
    found = [*(read(value) for value in values), None]
    ticks = np.array([tick or 0 for tick in found], dtype=np.int64)[index]
    return ticks, np.array([tick is not None for tick in found])[index]
