"""The schema back to a file: `read.py` reads what this writes to an equal schema.

>>> from understudy.schema.column import Boolean
>>> from understudy.schema.schema import Schema, Unit
>>> survey = Schema("survey", Unit("person"), (Boolean("smokes", true=("y",), false=("n",)),))
>>> print(to_toml(survey).partition("[columns.")[2])
"smokes"]
kind = "boolean"
true = ["y"]
false = ["n"]
bad = "clamp"
<BLANKLINE>
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from understudy.schema.column import UNITS, Boolean, Column, Identifier, Image, Listed, Moment, Number, Pending
from understudy.schema.grid import Grid
from understudy.schema.outline import wkt
from understudy.schema.pair import Edge, Place
from understudy.schema.parse import EPOCH
from understudy.schema.schema import Schema
from understudy.schema.words import Table


def to_dict(schema: Schema) -> Table:
    """The canonical form: what `from_dict` reads back to an equal schema."""
    table: Table = {"name": schema.name, "unit": schema.unit.noun}
    if schema.unit.column is not None:
        table |= {"unit_column": schema.unit.column, "rows_per_unit": schema.unit.rows}
    if schema.unit.missing:
        table["unit_missing"] = list(schema.unit.missing)
    table["relation"] = schema.relation.value
    if schema.n is not None:
        table["rows"] = schema.n
    if schema.label is not None:
        table["label"] = schema.label
    if schema.ignored:
        table["ignore"] = list(schema.ignored)
    csv = {"delimiter": schema.csv.delimiter, "encoding": schema.csv.encoding, "quote": schema.csv.quote}
    columns = {c.name: column_words(c) for c in schema.columns}
    constraints = {"constraint": [c.words() for c in schema.constraints]} if schema.constraints else {}
    return {"table": table, "csv": csv, "columns": columns} | constraints


def column_words(column: Column) -> Table:
    """The section of one column."""
    if isinstance(column, Pending):
        words = column_words(column.like)
        for word in ("min", "max", "edges", "values"):
            words.pop(word, None)
        if not isinstance(column.like, Listed):
            words["bins"] = column.bins
        return words | {"discover": True}
    match column:
        case Identifier():
            return {
                "kind": "identifier",
                "prefix": column.prefix,
                "width": column.width,
                "type": "text" if column.text else "integer",
            }
        case Image():
            size = {"height": column.height, "width": column.width, "channels": column.channels, "max": column.high}
            return {"kind": "image"} | size
        case Place():
            words = {"kind": "place", **place_words(column)}
        case Edge():
            blocks = {name: list(nodes) for name, nodes in column.blocks}
            words = {"kind": "edge", "source": column.ends[0], "target": column.ends[1], "blocks": blocks}
        case Listed():
            words = {"kind": "ordinal" if column.ordered else "categorical", "values": list(column.values)}
            if column.other is not None:
                words["other"] = column.other
        case Boolean():
            words = {"kind": "boolean", "true": list(column.true), "false": list(column.false)}
        case Number():
            words = {"kind": "real", "decimals": column.decimals} if column.real else {"kind": "integer"}
            words |= grid_words(column.grid, lambda tick: untick(tick, column))
        case Moment():
            words = {"kind": "datetime", "unit": column.unit} if column.clock else {"kind": "date"}
            words |= grid_words(column.grid, lambda tick: moment_of(tick, column).isoformat())
            if column.timezone is not None:
                words["timezone"] = column.timezone
            if column.format is not None:
                words["format"] = column.format
    words["bad"] = column.bad.value
    if column.missing is not None:
        words["missing"] = list(column.missing)
    return words


def place_words(column: Place) -> Table:
    """Where the points of a place stand, its box, and its outline."""
    latitude, longitude = column.sides
    words: Table = {"latitude": latitude.name, "longitude": longitude.name}
    words |= {"south": untick(latitude.grid.low, latitude), "north": untick(latitude.grid.high, latitude)}
    words |= {"west": untick(longitude.grid.low, longitude), "east": untick(longitude.grid.high, longitude)}
    words |= {"decimals": latitude.decimals, "depth": column.depth}
    return words if column.outline is None else words | {"outline": wkt(column.outline, latitude.decimals)}


def grid_words(grid: Grid, show: Callable[[int], Any]) -> Table:
    """A grid as min, max and its inner edges, or bins where the cells are even."""
    words = {"min": show(grid.low), "max": show(grid.high)}
    if Grid.even(grid.low, grid.high, grid.size) == grid:
        return words | {"bins": grid.size}
    return words | {"edges": [show(start) for start in grid.starts[1:]]}


def untick(tick: int, column: Number) -> int | float:
    """The number that a tick stands for."""
    return float(Decimal(tick).scaleb(-column.decimals)) if column.real else tick


def moment_of(tick: int, column: Moment) -> date | datetime:
    """The date or moment that a tick stands for, on the column's clock."""
    when = EPOCH + timedelta(seconds=tick * UNITS[column.unit])
    return when if column.clock else when.date()


def write_schema(schema: Schema, path: str | Path) -> None:
    """Write a schema file that `read_schema` reads back to an equal schema."""
    Path(path).write_text(to_toml(schema), encoding="utf-8")


def to_toml(schema: Schema) -> str:
    """The schema as TOML text."""
    parsed = to_dict(schema)
    blocks = [block("table", parsed["table"]), block("csv", parsed["csv"])]
    blocks += [block(f"columns.{quoted(name)}", words) for name, words in parsed["columns"].items()]
    blocks += [block("[constraint]", words) for words in parsed.get("constraint", [])]
    return "\n".join(blocks)


def block(title: str, words: Table) -> str:
    """One section."""
    return "".join([f"[{title}]\n", *(f"{word} = {literal(value)}\n" for word, value in words.items())])


def literal(value: Any) -> str:
    """A TOML value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{quoted(word)} = {literal(item)}" for word, item in value.items()) + " }"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(value: str) -> str:
    """A TOML basic string."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value) + '"'
