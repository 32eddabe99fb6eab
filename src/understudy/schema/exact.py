"""Exact reading: the cell of a value that the owner or a reader of a release names, or nothing where it is in none.

A private cell is read by `parse.reader`, which has a place for everything. A value in a constraint or in a ``given`` is
public and must mean what it says: it is not clamped, not rounded, and an unlisted word is not "other".

>>> from understudy.schema.grid import Grid
>>> age = Number("age", missing=("",), grid=Grid.stepped(0, 99, 10))
>>> exact_cell(age, 42), exact_cell(age, 142), exact_cell(age, None), exact_tick(age, "42")
(4, None, 10, 42)
"""

from dataclasses import replace

from understudy.schema.column import UNITS, Bad, Column, Moment, Number
from understudy.schema.parse import decimal_of, is_missing, reader, tick_of, ticks_of


def exact_cell(column: Column, value: object) -> int | None:
    """The cell that holds this very value; None where there is none."""
    if column.nullable and is_missing(column, value):
        return column.missing_cell
    strict = replace(column, missing=(), bad=Bad.MISSING)
    cell = reader(strict)(value)
    if cell == strict.missing_cell or (isinstance(column, Number | Moment) and exact_tick(column, value) is None):
        return None
    return cell


def exact_tick(column: Number | Moment, value: object) -> int | None:
    """The tick of a value that is on the column's resolution; None for all others."""
    try:
        if isinstance(column, Moment):
            seconds = tick_of(replace(column, unit="second"), value)
            tick, rest = divmod(seconds, UNITS[column.unit])
            return tick if rest == 0 else None
        ticks = ticks_of(column, decimal_of(column, value))
        return int(ticks) if ticks == ticks.to_integral_value() else None
    except Exception:  # as in `parse.reader`: whatever the value is, it has an answer
        return None
