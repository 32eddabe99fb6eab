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
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

from understudy.schema.column import UNITS, Bad, Boolean, Column, Listed, Moment, Number
from understudy.schema.grid import Grid

INTEGER = re.compile(r"[+-]?[0-9]+(\.0*)?", re.ASCII)
REAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,6})?", re.ASCII)
EPOCH = datetime(1970, 1, 1)

Reader = Callable[[object], int]


class Unreadable(Exception):
    """Inside this file only: the value is not of the column's kind."""


def reader(column: Column) -> Reader:
    """The total function from raw values to codes of ``column``."""
    missing = frozenset(column.missing or ())

    def code(value: object) -> int:
        if column.nullable and (value is None or value != value or value in missing):
            return column.missing_cell
        try:
            return within(value)
        except Exception:  # the law: whatever the value is, the schema's rule has a place for it
            return column.unreadable_cell

    match column:
        case Listed():
            within = partial(listed, column, {str(v): i for i, v in enumerate(column.values)})
        case Boolean():
            within = partial(boolean, column)
        case Number():
            within = partial(number, column)
        case Moment():
            within = partial(moment, column)
        case _:
            raise TypeError(f"column '{column.name}' is not modelled")
    return code


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
    amount = decimal_of(column, value)
    unit = Decimal(1).scaleb(-column.decimals)
    return cell_or_rule(column, column.grid, amount / unit if abs(amount) < 10**40 else amount)


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

    A moment that names its offset is moved to the column's timezone; one that names none is on that clock already.
    """
    if isinstance(value, str):
        value = datetime.strptime(value, column.format) if column.format else datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise Unreadable
    if value.tzinfo is not None:
        value = value.astimezone(ZoneInfo(column.timezone) if column.timezone else UTC).replace(tzinfo=None)
    return int((value - EPOCH) // timedelta(seconds=UNITS[column.unit]))


def plain_text(value: object) -> str:
    """A value as a schema would write it: 1.0 from a frame that turned integers into floats is "1"."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (float, Decimal)):
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    raise Unreadable
