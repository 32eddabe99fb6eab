"""The kinds of columns in a schema file: each from the words of its section, or refused by name.

>>> column_from("age", {"kind": "integer", "min": 0, "max": 110, "step": 5}).size
23
>>> column_from("age", {"kind": "integer", "max": 110})
Traceback (most recent call last):
...
understudy.refusal.SchemaRefused: column 'age': it has no public min and max; add them, or set discover = true
"""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import Any
from zoneinfo import ZoneInfo

from understudy.refusal import SchemaRefused
from understudy.schema.bounds import grid_from
from understudy.schema.column import (
    UNITS,
    Bad,
    Boolean,
    Column,
    Identifier,
    Image,
    Listed,
    Moment,
    Number,
    Pending,
    refuse_bad_rule,
)
from understudy.schema.format import refuse_unreadable_format
from understudy.schema.grid import Grid
from understudy.schema.outline import outline_from
from understudy.schema.pair import Edge, Place, fields_of
from understudy.schema.parse import Unreadable, reader, tick_of, tick_reader
from understudy.schema.quadtree import DEEPEST
from understudy.schema.words import Table, flag, known, optional_text, rule, sequence, text, texts, whole

COMMON = {"kind", "missing", "bad"}
SIDES = ("south", "north", "west", "east")
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
    "image": {"kind", "height", "width", "channels", "max"},
    "edge": COMMON | {"source", "target", "blocks", "blocks_file"},
    "place": COMMON | {"latitude", "longitude", *SIDES, "decimals", "depth", "outline", "outline_file"},
}


def column_from(name: str, words: Any) -> Column:
    """One column from its section."""
    where = f"column '{name}'"
    if not name:
        raise SchemaRefused("a column has no name", "give it the one of the table's header")
    if not isinstance(words, dict):
        raise SchemaRefused(f"{where}: [columns.{name}] is not a section", "write its kind and bounds there")
    kind = words.get("kind")
    if not isinstance(kind, str) or kind not in WORDS:
        raise SchemaRefused(f"{where}: its kind is none of {', '.join(WORDS)}", "give it one of them")
    known(words, WORDS[kind], f"{where} ({kind})")
    try:
        column = BUILDERS[kind](name, words)
        if isinstance(column, Identifier | Image):
            return column
        refuse_bad_rule(column)
        if flag(words, "discover"):
            refuse_discoverable_codes(column)
            return pending(column, words)
        refuse_readable_codes(column)
        return column
    except SchemaRefused as refusal:
        if refusal.rule.startswith("column "):
            raise
        raise SchemaRefused(f"{where}: {refusal.rule}", refusal.remedy) from None


def listed(name: str, words: Table) -> Listed:
    """A categorical or ordinal column."""
    values = tuple(sequence(words, "values")) if "values" in words else ()
    other = words.get("other")
    discovered = flag(words, "discover")
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
    true, false = texts(words, "true"), texts(words, "false")
    return Boolean(
        name,
        texts(words, "missing"),
        rule(words),
        plain.true if true is None else true,
        plain.false if false is None else false,
    )


def number(name: str, words: Table) -> Number:
    """An integer or real column; bounds, step and edges become ticks of 10^-decimals."""
    real = words["kind"] == "real"
    decimals = whole(words, "decimals", 3) if real else 0
    if decimals > 15:
        raise SchemaRefused("decimals is at most 15", "declare fewer")

    def tick(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
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
    made = Moment(name, blank.missing, blank.bad, grid_from(words, tick, width), unit, zone, form, clock)
    refuse_unreadable_format(made)
    return made


def refuse_unknown_zone(zone: str) -> None:
    """A timezone must be one that this machine knows."""
    try:
        ZoneInfo(zone)
    except Exception:
        raise SchemaRefused(f"timezone '{zone}' is not known here", "use a name like Europe/Zurich or UTC") from None


def refuse_readable_codes(column: Column) -> None:
    """A missing code must not also be a value of the column, or what is decoded could not be read back."""
    for half in fields_of(column):
        bare = replace(half, missing=(), bad=Bad.MISSING)
        if any(reader(bare)(code) != bare.missing_cell for code in column.missing or ()):
            remedy = "drop the code, or narrow the bounds"
            raise SchemaRefused("a missing code is also a value within its bounds", remedy)


def refuse_discoverable_codes(column: Column) -> None:
    """Where the bounds are not known yet, they might hold any code that can be read."""
    if not isinstance(column, Number | Moment):
        return
    tick = tick_reader(replace(column, missing=None))
    if any(tick(code) is not None for code in column.missing or ()):
        raise SchemaRefused(
            "a missing code is also a value, and may come to lie within bounds that are discovered",
            "declare public min and max that leave it out, or drop the code",
        )


def pending(column: Column, words: Table) -> Pending:
    """The column as a promise, to be settled by discovery."""
    bins = 16 if isinstance(column, Listed) else whole(words, "bins", 16)
    if not 1 <= bins <= 1000:
        raise SchemaRefused("a discovered column has 1 to 1000 bins", "give another number")
    return Pending(column.name, column.missing, column.bad, column, bins)


def identifier(name: str, words: Table) -> Identifier:
    """A key column."""
    form = text(words, "type", "text")
    if form not in ("text", "integer"):
        raise SchemaRefused("type of an identifier is text or integer", "correct it")
    return Identifier(name, None, Bad.CLAMP, text(words, "prefix", ""), whole(words, "width", 0), form == "text")


def image(name: str, words: Table) -> Image:
    """A column of pictures, all of one size."""
    if "height" not in words or "width" not in words:
        raise SchemaRefused("a picture needs its height and width", "add them")
    height, width, channels = whole(words, "height", 0), whole(words, "width", 0), whole(words, "channels", 1)
    return Image(name, None, Bad.CLAMP, height, width, channels, whole(words, "max", 255))


def place(name: str, words: Table) -> Place:
    """A point on the map: a box in degrees, cut in four ``depth`` times, and the outline that points lie in."""
    if not {"latitude", "longitude", *SIDES} <= set(words):
        remedy = "add latitude and longitude, which name columns of the table, and south, north, west and east"
        raise SchemaRefused("it names no two columns, or its box has a side too few", remedy)
    if "outline_file" in words:
        raise SchemaRefused("outline_file is read beside a schema file, and alone", "write the outline as text here")
    decimals, depth = whole(words, "decimals", 4), whole(words, "depth", 4)
    if decimals > 6:
        raise SchemaRefused("decimals of a place is at most 6, a decimetre", "declare fewer")
    if not 1 <= depth <= DEEPEST:
        raise SchemaRefused(f"depth is 1 to {DEEPEST}", "each level cuts every cell in four")

    def side(part: str, low: str, high: str, full: int) -> Number:
        bounds = {"kind": "real", "decimals": decimals, "min": words[low], "max": words[high], "bins": 2**depth}
        made = number(text(words, part, ""), bounds | {word: words[word] for word in COMMON & set(words) - {"kind"}})
        if max(abs(made.grid.low), abs(made.grid.high)) > full * 10**decimals:
            raise SchemaRefused(f"{low} or {high} is more than {full} degrees", "correct its box")
        return made

    latitude, longitude = side("latitude", "south", "north", 90), side("longitude", "west", "east", 180)
    outline = outline_from(text(words, "outline", ""), decimals) if "outline" in words else None
    return Place(name, latitude.missing, latitude.bad, latitude, longitude, depth, outline)


def edge(name: str, words: Table) -> Edge:
    """An edge between public nodes in public blocks."""
    if "blocks_file" in words:
        raise SchemaRefused("blocks_file is read beside a schema file, and alone", "write the blocks as a table here")
    blocks = words.get("blocks")
    if not {"source", "target"} <= set(words) or not isinstance(blocks, dict):
        remedy = 'add source and target, which name columns of the table, and blocks = { north = ["ann", "bo"] }'
        raise SchemaRefused("it names no two columns, or no blocks of nodes", remedy)
    ends = text(words, "source", ""), text(words, "target", "")
    listed_blocks = tuple((block, texts(blocks, block) or ()) for block in blocks)
    return Edge(name, texts(words, "missing"), rule(words), ends, listed_blocks)


BUILDERS: dict[str, Callable[[str, Table], Column]] = {
    "categorical": listed,
    "ordinal": listed,
    "boolean": boolean,
    "integer": number,
    "real": number,
    "date": moment,
    "datetime": moment,
    "identifier": identifier,
    "image": image,
    "place": place,
    "edge": edge,
}
