"""What the schema reads as something else than it is: for the owner's eyes, and never part of a release.

Reading is total: what is not listed, is beyond the bounds, or is no number at all still has a cell (schema/parse.py), and
rows beyond a unit's share are left out (unit.py). No run stops for it, so here the owner is told, with the number of rows
and no value.

>>> from understudy.schema.column import Listed
>>> from understudy.schema.schema import Schema, Unit
>>> pets = Schema("pets", Unit("row", None, 1), (Listed("species", values=("dog", "cat")),))
>>> print(*misread(pa.table({"species": ["dog", "axolotl", "cat"]}), pets))
column 'species': 1 row is not listed, read as 'dog'; list it, name an other, or add it to missing
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.schema.column import Bad, Boolean, Column, Listed, Moment, Number
from understudy.schema.edge import sound
from understudy.schema.encode import distinct_values, ends, points, raw
from understudy.schema.pair import Edge, Place, halves
from understudy.schema.parse import is_missing, plain_text, tick_reader
from understudy.schema.place import boxed
from understudy.schema.schema import Schema
from understudy.source.source import columns_of
from understudy.source.unit import missing_codes, units

REMEDIES = {
    "empty": 'write missing = [""]',
    "not listed": "list it, name an other, or add it to missing",
    "neither true nor false": "add it to true, false or missing",
    "no number": "add its code to missing",
    "no date or moment of its format": "correct format, or add its code to missing",
    "beyond min or max": 'widen them, add its code to missing, or write bad = "missing"',
}


def misread(data: object, schema: Schema) -> list[str]:
    """A line for each column and reason, and for the rows that are left out; an empty list where there are none."""
    table = columns_of(data, schema)
    lines = (line for column in schema.modelled for part in parts_of(column) for line in of_column(table, part))
    return [*left_out(table, schema), *lines]


def parts_of(column: Column) -> tuple[Column, ...]:
    """What is looked at: a column, an edge as a whole, a place as its two halves and as a whole."""
    return (*column.sides, column) if isinstance(column, Place) else (column,)


def left_out(table: pa.Table, schema: Schema) -> Iterator[str]:
    """Rows of nobody, and rows beyond what one unit may have."""
    unit = schema.unit
    if unit.column is None:
        return
    numbers = units(table[unit.column], unit.column, missing_codes(schema, unit.column))
    nobody, many = int((numbers < 0).sum()), np.bincount(numbers[numbers >= 0])
    beyond = int(np.maximum(many - unit.rows, 0).sum())
    if nobody:
        yield f"unit column '{unit.column}': {rows(nobody)} without a {unit.noun}, left out; fill it in if it is known"
    if beyond:
        remedy = f"raise rows_per_unit, which is {unit.rows:,}; all noise grows with it"
        yield f"unit column '{unit.column}': {rows(beyond)} beyond its {unit.noun}'s share, left out; {remedy}"


def of_column(table: pa.Table, column: Column) -> Iterator[str]:
    """How many rows of one column are misread, by reason."""
    if isinstance(column, Place | Edge):
        yield from of_pairs(raw(table, column), column)
    if not isinstance(column, Listed | Boolean | Number | Moment):
        return
    distinct, index = distinct_values(table[column.name])
    many = np.bincount(index, minlength=len(distinct) + 1)
    found: Counter[str] = Counter()
    for value, count in zip([*distinct, None], many, strict=True):
        reason = reason_for(column, value)
        if reason is not None:
            found[reason] += int(count)
    for reason, count in found.items():
        if count:
            yield f"column '{column.name}': {rows(count)} {reason}, {place_of(column, reason)}; {REMEDIES[reason]}"


def of_pairs(array: pa.ChunkedArray, column: Place | Edge) -> Iterator[str]:
    """How many pairs are read as others: points off the outline, edges that join no two nodes."""
    if isinstance(column, Edge):
        said = np.logical_and.reduce([~absent(half, column) for half in halves(array)])
        count = int((said & ~sound(ends(array, column))).sum())
        where = "read as missing" if column.nullable else f"read as {column.joins.names[0]}"
        reason, remedy = "not between two different nodes", "add its nodes to their blocks"
    else:
        found, present = points(array, column)
        count = int((present & ~column.tree.hold(*boxed(column, found))).sum())
        where = "read as missing" if column.bad is Bad.MISSING else "moved to the nearest cell"
        reason, remedy = "off the outline", "draw it wider, or leave it so"
    if count:
        yield f"column '{column.name}': {rows(count)} {reason}, {where}; {remedy}"


def absent(half: pa.ChunkedArray, column: Column) -> NDArray[np.bool_]:
    """Which rows have nothing there, or a missing code."""
    distinct, index = distinct_values(half)
    return np.array([*(is_missing(column, value) for value in distinct), True])[index]


def reason_for(column: Column, value: object) -> str | None:
    """Why a value is not what the schema says; None where it is."""
    if is_missing(column, value) or value == "":
        return None if column.nullable and is_missing(column, value) else "empty"
    match column:
        case Listed():
            kept = {str(known) for known in column.values}
            open_list = column.other is not None and column.bad is not Bad.MISSING
            return None if open_list or text_of(value) in kept | {str(column.other)} else "not listed"
        case Boolean():
            known = isinstance(value, bool) or text_of(value) in (*column.true, *column.false)
            return None if known else "neither true nor false"
        case Number() | Moment():
            tick = tick_reader(column)(value)
            if tick is None:
                return "no number" if isinstance(column, Number) else "no date or moment of its format"
            return None if column.grid.low <= tick <= column.grid.high else "beyond min or max"
    return None


def text_of(value: object) -> str | None:
    """A value as the schema would write it; None where it cannot be."""
    try:
        return plain_text(value)
    except Exception:  # whatever the value is, it is not listed
        return None


def place_of(column: Column, reason: str) -> str:
    """Where such values go."""
    if reason == "beyond min or max" and column.bad is not Bad.MISSING:
        return "moved to the bound"
    cell = column.unreadable_cell
    if column.nullable and cell == column.missing_cell:
        return "read as missing"
    match column:
        case Listed():
            return f"read as '{(*column.values, column.other)[cell]}'"
        case Boolean():
            return f"read as '{column.false[0]}'"
    return "read as the lowest"


def rows(count: int) -> str:
    """A number of rows as the subject of a sentence."""
    return f"{count:,} row is" if count == 1 else f"{count:,} rows are"
