"""The schema as a file: TOML in, TOML out, checked word by word.

    [table]                         [columns.age]                 [columns.diagnosis]
    name = "clinic"                 kind = "integer"              kind = "categorical"
    unit = "patient"                min = 0                       values = ["I10", "E11"]
    unit_column = "patient_id"      max = 110                     other = "another"
    rows_per_unit = 1               step = 5                      missing = ["", "NA"]
    relation = "add-remove"

The words are published as `schema.json` (JSON Schema) beside this file. A word that is not known is refused: a misspelt
bound must not turn into a default.
"""

import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from understudy.refusal import SchemaRefused
from understudy.schema.column import (
    UNITS,
    Bad,
    Boolean,
    Column,
    Identifier,
    Listed,
    Moment,
    Number,
    Pending,
    refuse_bad_rule,
)
from understudy.schema.grid import Grid
from understudy.schema.parse import Unreadable, tick_of
from understudy.schema.relation import Relation
from understudy.schema.schema import Csv, Schema, Unit
from understudy.schema.words import Table, known, optional_text, rule, section, sequence, text, texts, whole

COMMON = {"kind", "missing", "bad"}
BOUNDED = COMMON | {"min", "max", "bins", "edges", "discover"}
WORDS = {
    "categorical": COMMON | {"values", "other", "discover"},
    "ordinal": COMMON | {"values", "other"},
    "boolean": COMMON | {"true", "false"},
    "integer": BOUNDED | {"step"},
    "real": BOUNDED | {"step", "decimals"},
    "date": BOUNDED | {"step", "format"},
    "datetime": BOUNDED | {"step", "format", "unit", "timezone"},
    "identifier": {"kind", "prefix", "width", "type"},
}
TABLE_WORDS = {"name", "unit", "unit_column", "rows_per_unit", "relation", "rows", "ignore"}


def read_schema(path: str | Path) -> Schema:
    """Read a schema file."""
    try:
        parsed = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SchemaRefused(f"there is no schema at {path}", "draft one with `understudy schema draft DATA`") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise SchemaRefused(f"{path} is not TOML: {wrong}", "correct that place") from None
    except OSError as wrong:
        raise SchemaRefused(f"{path} cannot be read: {wrong.strerror}", "check the path and its permissions") from None
    return from_dict(parsed)


def from_dict(parsed: Table) -> Schema:
    """A schema from the parsed file."""
    known(parsed, {"table", "columns", "csv"}, "the schema")
    table = section(parsed, "table")
    known(table, TABLE_WORDS, "[table]")
    csv = section(parsed, "csv") if "csv" in parsed else {}
    known(csv, {"delimiter", "encoding", "quote"}, "[csv]")
    unit = Unit(text(table, "unit", "row"), optional_text(table, "unit_column"), whole(table, "rows_per_unit", 1))
    try:
        relation = Relation(table.get("relation", "add-remove"))
    except ValueError:
        raise SchemaRefused("relation is 'add-remove' or 'replace-one'", "correct [table] relation") from None
    return Schema(
        name=text(table, "name", "table"),
        unit=unit,
        columns=tuple(column_from(name, words) for name, words in section(parsed, "columns").items()),
        relation=relation,
        n=whole(table, "rows", 0) if "rows" in table else None,
        csv=Csv(text(csv, "delimiter", ","), text(csv, "encoding", "utf-8"), text(csv, "quote", '"')),
        ignored=texts(table, "ignore") or (),
    )


def column_from(name: str, words: Any) -> Column:
    """One column from its section."""
    where = f"column '{name}'"
    if not isinstance(words, dict):
        raise SchemaRefused(f"{where}: [columns.{name}] is not a section", "write its kind and bounds there")
    kind = words.get("kind")
    if kind not in WORDS:
        raise SchemaRefused(f"{where}: its kind is none of {', '.join(WORDS)}", "give it one of them")
    known(words, WORDS[kind], f"{where} ({kind})")
    try:
        column = BUILDERS[kind](name, words)
        if words.get("discover", False) is True:
            column = pending(column, kind, words)
        if not isinstance(column, Identifier):
            refuse_bad_rule(column.like if isinstance(column, Pending) else column)
        return column
    except SchemaRefused as refusal:
        if refusal.rule.startswith("column "):
            raise
        raise SchemaRefused(f"{where}: {refusal.rule}", refusal.remedy) from None


def listed(name: str, words: Table) -> Listed:
    """A categorical or ordinal column."""
    values = tuple(words.get("values", ()))
    other = words.get("other")
    discovered = words.get("discover", False) is True
    if discovered and values:
        raise SchemaRefused("values are listed and discover = true", "keep one of them")
    if not all(type(value) in (str, int) for value in (*values, *([] if other is None else [other]))):
        raise SchemaRefused("values and other are texts or integers", "quote them")
    if discovered and other is None:
        other = "other"
    missing = texts(words, "missing")
    fallback = Bad.OTHER if other is not None else Bad.CLAMP
    return Listed(name, missing, rule(words, fallback), values, other, words["kind"] == "ordinal")


def boolean(name: str, words: Table) -> Boolean:
    """A boolean column."""
    plain = Boolean(name)
    true, false = texts(words, "true") or plain.true, texts(words, "false") or plain.false
    return Boolean(name, texts(words, "missing"), rule(words), true, false)


def number(name: str, words: Table) -> Number:
    """An integer or real column; bounds, step and edges become ticks of 10^-decimals."""
    real = words["kind"] == "real"
    decimals = whole(words, "decimals", 3) if real else 0
    if decimals > 15:
        raise SchemaRefused("decimals is at most 15", "declare fewer")

    def tick(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (float("inf"), float("-inf")):
            raise SchemaRefused("min, max, step and edges are numbers", "correct them")
        scaled = Decimal(str(value)).scaleb(decimals)
        if scaled != scaled.to_integral_value():
            raise SchemaRefused(f"{value} is finer than the column's resolution", "raise decimals, or round it")
        return int(scaled)

    grid = grid_from(words, tick, tick)
    return Number(name, texts(words, "missing"), rule(words), grid, decimals, real)


def moment(name: str, words: Table) -> Moment:
    """A date or datetime column; step is counted in its unit."""
    clock = words["kind"] == "datetime"
    zone = optional_text(words, "timezone")
    unit = text(words, "unit", "minute") if clock else "day"
    if unit not in UNITS:
        raise SchemaRefused("unit is second, minute, hour or day", "correct it")
    if zone is not None:
        refuse_unknown_zone(zone)
    blank = Moment(name, texts(words, "missing"), rule(words), Grid((0,), 0), unit, zone, None, clock)

    def tick(value: Any) -> int:
        try:
            return tick_of(blank, value)
        except (Unreadable, ValueError, TypeError):
            raise SchemaRefused("min, max and edges are ISO dates", 'write them like "2020-01-31"') from None

    def width(value: Any) -> int:
        if type(value) is not int:
            raise SchemaRefused(f"step is a whole number of {unit}s", "correct it")
        return value

    form = optional_text(words, "format")
    return Moment(name, blank.missing, blank.bad, grid_from(words, tick, width), unit, zone, form, clock)


def refuse_unknown_zone(zone: str) -> None:
    """A timezone must be one that this machine knows."""
    try:
        ZoneInfo(zone)
    except Exception:
        raise SchemaRefused(f"timezone '{zone}' is not known here", "use a name like Europe/Zurich or UTC") from None


def identifier(name: str, words: Table) -> Identifier:
    """A key column."""
    form = text(words, "type", "text")
    if form not in ("text", "integer"):
        raise SchemaRefused("type of an identifier is text or integer", "correct it")
    return Identifier(name, None, Bad.CLAMP, text(words, "prefix", ""), whole(words, "width", 0), form == "text")


BUILDERS: dict[str, Callable[[str, Table], Column]] = {
    "categorical": listed,
    "ordinal": listed,
    "boolean": boolean,
    "integer": number,
    "real": number,
    "date": moment,
    "datetime": moment,
    "identifier": identifier,
}


def grid_from(words: Table, tick: Callable[[Any], int], width: Callable[[Any], int]) -> Grid:
    """The grid of a bounded column: edges, or min and max with step or bins."""
    if words.get("discover", False) is True:
        if {"min", "max", "edges", "step"} & set(words):
            raise SchemaRefused("bounds are given and discover = true", "keep one of them")
        return Grid((0,), 0)
    if len({"step", "bins", "edges"} & set(words)) > 1:
        raise SchemaRefused("step, bins and edges exclude each other", "keep one of them")
    if not {"min", "max"} <= set(words):
        raise SchemaRefused("it has no public min and max", "add them, or pay for them with discover = true")
    low, high = tick(words["min"]), tick(words["max"])
    if "edges" in words:
        inner = tuple(tick(edge) for edge in sequence(words, "edges"))
        if any(not low <= edge <= high for edge in inner):
            raise SchemaRefused("an edge lies outside min and max", "move it inside")
        return Grid.cut(low, high, inner)
    if "step" in words:
        return Grid.stepped(low, high, width(words["step"]))
    return Grid.even(low, high, whole(words, "bins", 0) or None)


def pending(column: Column, kind: str, words: Table) -> Pending:
    """The column as a promise, to be settled by discovery."""
    if kind == "datetime" or kind == "date" or kind in ("integer", "real"):
        bins = whole(words, "bins", 16)
        if not 1 <= bins <= 1000:
            raise SchemaRefused("a discovered column has 1 to 1000 bins", "give another number")
        return Pending(column.name, column.missing, column.bad, column, bins)
    return Pending(column.name, column.missing, column.bad, column)
