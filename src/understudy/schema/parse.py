"""Parsing: from a raw cell to the code of its cell in the domain. Total and row-wise.

Law.  For every column and every value of any type, ``reader(column)(value)`` is an integer in [0, column.size): it
never raises, and it depends on nothing but that value and the schema. So one bad row cannot stop a run, and one row
cannot change how another is read.

>>> from understudy.schema.column import Bad, Listed, Number
>>> from understudy.schema.grid import Grid
>>> read = reader(Number("age", missing=("",), grid=Grid.even(0, 99, None)))
>>> [read(v) for v in ("42", 42, "", None, "-7", "1e400", "nan", "forty", 2**70)]
[42, 42, 100, 100, 0, 100, 100, 100, 99]
>>> read = reader(Listed("zip", values=("00501", "10001"), other="elsewhere", bad=Bad.OTHER))
>>> [read(v) for v in ("00501", 501, "501", None)]
[0, 2, 2, 2]
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from understudy.schema.column import FAITHFUL, UNITS, Bad, Boolean, Column, Image, Listed, Moment, Number
from understudy.schema.edge import Nodes, sound
from understudy.schema.grid import Grid
from understudy.schema.image import levels, shades
from understudy.schema.pair import Edge, Place, parts
from understudy.schema.place import located

INTEGER = re.compile(r"[+-]?[0-9]+(\.0*)?", re.ASCII)
REAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,6})?", re.ASCII)
EPOCH = datetime(1970, 1, 1)

Reader = Callable[[object], int]


class Unreadable(Exception):
    """Inside this file only: the value is not of the column's kind."""


def reader(column: Column) -> Reader:
    """The total function from raw values to codes of ``column``."""

    def code(value: object) -> int:
        if column.nullable and is_missing(column, value):
            return column.missing_cell
        try:
            return within(value)
        except Exception:  # the law: whatever the value is, the schema's rule has a place for it
            return column.unreadable_cell

    match column:
        case Listed():
            kept = [*column.values, *([] if column.other is None else [column.other])]
            within = partial(listed, column, {str(v): i for i, v in enumerate(kept)})
        case Boolean():
            within = partial(boolean, column)
        case Number():
            within = partial(number, column)
        case Moment():
            within = partial(moment, column)
        case Image():
            return lambda value: int(shades(levels(value, column)[None], column)[0])
        case Place():
            return partial(place, column, (tick_reader(column.latitude), tick_reader(column.longitude)))
        case Edge():
            return partial(edge, column, node_reader(column))
        case _:
            raise TypeError(f"column '{column.name}' is not modelled")
    return code


def is_missing(column: Column, value: object) -> bool:
    """Null, not a number, or one of the missing codes: -9 is the code "-9". A truth value is never a code."""
    try:
        if value is None or value != value:
            return True
        return type(value) is not bool and plain_text(value) in (column.missing or ())
    except Exception:  # lists, bytes, signalling NaN: not missing, but unreadable
        return False


def tick_reader(column: Column) -> Callable[[object], int | None]:
    """The total function from raw values to ticks, for a column without bounds yet; None where there is none."""
    limit = Decimal(FAITHFUL if isinstance(column, Number) and column.real else 2**61)

    def tick(value: object) -> int | None:
        if column.nullable and is_missing(column, value):
            return None
        try:
            if isinstance(column, Moment):
                return tick_of(column, value)
            assert isinstance(column, Number)
            # beyond the limit all numbers are alike; comparing first keeps 1e999999 cheap
            return round(min(max(ticks_of(column, decimal_of(column, value)), -limit), limit))
        except Exception:  # the law: no value stops a run
            return None

    return tick


def text_reader(column: Column) -> Callable[[object], str | None]:
    """The total function from raw values to texts, for a list that is not settled; None where there is none."""
    absent = frozenset(column.missing or ())

    def text(value: object) -> str | None:
        try:
            found = plain_text(value)
        except Exception:  # the law: no value stops a run
            return None
        return None if found in absent else found

    return text


def place(column: Place, axes: tuple[Callable[[object], int | None], ...], value: object) -> int:
    """The cell of a point, each half of it read by itself."""
    ticks = [tick(part) for tick, part in zip(axes, parts(value, column), strict=True)]
    north, east = (np.array([tick or 0], dtype=np.int64) for tick in ticks)
    return int(located(column, (north, east), np.array([None not in ticks]))[0])


def edge(column: Edge, node: Reader, value: object) -> int:
    """The cell of an edge, each end of it read by itself."""
    return int(joined_blocks(column, np.array([[node(part) for part in parts(value, column)]]))[0])


def joined_blocks(column: Edge, ends: Nodes) -> NDArray[np.int64]:
    """The cell of each edge; of what is none, where the rule says."""
    there = sound(ends)
    return np.where(there, column.joins.codes(np.where(there[:, None], ends, 0)), column.unreadable_cell)


def node_reader(column: Edge) -> Reader:
    """The total function from raw values to the numbers of nodes; -1 where there is none."""
    read = text_reader(column)
    return lambda value: -1 if (text := read(value)) is None else column.joins.numbers.get(text, -1)


def listed(column: Listed, codes: dict[str, int], value: object) -> int:
    """The index of a listed value; what is not listed is other if the list is open."""
    found = codes.get(plain_text(value))
    if found is not None:
        return found
    if column.other is not None and column.bad is not Bad.MISSING:
        return column.values_size - 1
    raise Unreadable


def boolean(column: Boolean, value: object) -> int:
    """0 for false, 1 for true."""
    if isinstance(value, bool):
        return int(value)
    text = plain_text(value)
    if text in column.true or text in column.false:
        return int(text in column.true)
    raise Unreadable


def number(column: Number, value: object) -> int:
    """The cell of a number. Bounds are compared before ticks are made, so that 1e999999 costs no more than 1."""
    return cell_or_rule(column, column.grid, ticks_of(column, decimal_of(column, value)))


def ticks_of(column: Number, amount: Decimal) -> Decimal:
    """A number in units of 10^-decimals; one beyond 10^40 is beyond any bound as it is, and scaling might overflow."""
    return amount.scaleb(column.decimals) if amount.adjusted() < 40 else amount


def decimal_of(column: Number, value: object) -> Decimal:
    """A finite decimal; an integer column takes whole numbers only."""
    if isinstance(value, str):
        if not (REAL if column.real else INTEGER).fullmatch(value):
            raise Unreadable
        amount = Decimal(value)
    elif isinstance(value, (bool, bytes)):
        raise Unreadable
    else:
        amount = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)  # type: ignore[arg-type]
    if not amount.is_finite() or not (column.real or amount == amount.to_integral_value()):
        raise Unreadable
    return amount


def cell_or_rule(column: Column, grid: Grid, tick: Decimal | int) -> int:
    """The cell of a tick. Beyond the bounds: clamped, or missing where the schema says so."""
    if not grid.low <= tick <= grid.high:
        if column.bad is Bad.MISSING:
            raise Unreadable
        return 0 if tick < grid.low else grid.size - 1
    return grid.cell(round(tick))


def moment(column: Moment, value: object) -> int:
    """The cell of a date or a moment, in ticks of the column's unit since 1970-01-01 on the clock of its timezone."""
    return cell_or_rule(column, column.grid, tick_of(column, value))


def tick_of(column: Moment, value: object) -> int:
    """Ticks of a date, a datetime, or an ISO 8601 text (or the column's declared format).

    A moment that names its offset is moved to the column's timezone; one that names none is on that clock already. A
    date is the day as it is written: midnight in Zurich is not moved to the day before in UTC.
    """
    if isinstance(value, str):
        value = datetime.strptime(value, column.format) if column.format else datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise Unreadable
    if value.tzinfo is not None and column.clock:
        value = on_clock(value, ZoneInfo(column.timezone) if column.timezone else UTC)
    value = value.replace(tzinfo=None)
    return int((value - EPOCH) // timedelta(seconds=UNITS[column.unit]))


def on_clock(value: datetime, zone: tzinfo) -> datetime:
    """A moment on the clock of a timezone; at the two ends of the calendar, where there is none, on its own clock."""
    try:
        return value.astimezone(zone)
    except OverflowError:
        return value


def plain_text(value: object) -> str:
    """A value as a schema would write it: 1.0 from a frame that turned integers into floats is "1"."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal) and value.adjusted() >= 40:  # 1e999999 is not written out
        return str(value)
    if isinstance(value, (float, Decimal)):
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    raise Unreadable
