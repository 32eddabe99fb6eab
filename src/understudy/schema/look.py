"""What a draft may know of a file: its names, its proposed kinds, and the values of columns declared public.

Law.  ``names_of`` reads the header or the file's own schema; ``kinds_of`` takes the private look at cells, and one word
a column comes out; ``values_of`` reads one column that the owner declared public. Nothing else reads the file.
"""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from understudy.refusal import SchemaRefused, SourceRefused
from understudy.schema.encode import distinct_values
from understudy.schema.parse import INTEGER, REAL

PARQUET, ARROW = {".parquet", ".pq"}, {".arrow", ".feather", ".ipc"}  # files that declare their own types
TEXT = {".csv", ".txt"}
ABSENT = {"", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?"}  # texts that say nothing about a kind
NOT_FINITE = {"nan", "inf", "-inf"}
FORMATS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d")  # of dates that are not ISO 8601
BOOLEANS = ({"true", "false"}, {"yes", "no"}, {"y", "n"})
ROWS = 1000  # as many rows as the look at cells takes


@dataclass(frozen=True)
class Proposal:
    """The kind that a column seems to have; ``typed`` where the file itself declares it."""

    kind: str
    typed: bool = False
    timezone: str | None = None
    format: str | None = None
    decimals: int | None = None


def typed(path: Path) -> bool:
    """Whether the file declares the types of its columns."""
    return path.suffix.lower() in PARQUET | ARROW


def names_of(path: Path) -> list[str]:
    """The column names, from the header line or the file's own schema."""
    if typed(path):
        return list(arrow_schema(path).names)
    with opened(path) as lines:
        names = next(csv.reader(lines, delimiter=delimiter_of(path)), [])
    if not names or len(set(names)) != len(names) or any(not name or like_a_value(name) for name in names):
        raise SchemaRefused(
            "the first line of the CSV is not a header: a name is empty, doubled, or a number or date",
            "give the file a header of column names",
        )
    return names


def delimiter_of(path: Path) -> str:
    """The delimiter that the header line has most of."""
    with opened(path) as lines:
        header = lines.readline()
    return max(",;\t|", key=header.count)


def kinds_of(path: Path) -> dict[str, Proposal]:
    """THE PRIVATE LOOK: a kind for each column, from the types of a Parquet or Arrow file, or from the cells of a CSV.

    The first thousand rows of a CSV are read. One word a column comes out, never a value; but the words depend on
    private cells, so they are proposals that the owner must confirm from public knowledge before the draft is shared.
    """
    if typed(path):
        return {field.name: arrow_kind(field.type) for field in arrow_schema(path)}
    names = names_of(path)
    columns: list[list[str]] = [[] for _ in names]
    for row in islice(csv_rows(path), ROWS):
        for cells, cell in zip(columns, row, strict=False):
            cells.append(cell)
    return {name: text_proposal(set(cells)) for name, cells in zip(names, columns, strict=True)}


def values_of(path: Path, name: str) -> set[Any]:
    """The distinct values of one column, which the owner has declared public; missing ones are left out."""
    if path.suffix.lower() in PARQUET:
        found = distinct_values(pq.read_table(path, columns=[name])[name])[0]
    elif path.suffix.lower() in ARROW:
        with pa.memory_map(str(path)) as file:
            found = distinct_values(pa.ipc.open_file(file).read_all()[name])[0]
    else:
        place = names_of(path).index(name)
        found = [row[place] for row in csv_rows(path) if place < len(row)]
    return {value for value in found if value not in ABSENT and value is not None and str(value) not in NOT_FINITE}


def csv_rows(path: Path) -> Iterator[list[str]]:
    """The rows of a CSV below its header, as texts."""
    with opened(path) as lines:
        yield from islice(csv.reader(lines, delimiter=delimiter_of(path)), 1, None)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The file as text; what goes wrong is said without quoting it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            yield lines
    except OSError as wrong:
        raise SourceRefused(f"{path} cannot be read: {wrong.strerror}", "check the path") from None
    except (UnicodeDecodeError, csv.Error):
        raise SourceRefused(f"{path} is not a CSV in UTF-8", "convert it, or write the schema by hand") from None


def arrow_schema(path: Path) -> pa.Schema:
    """Names and types of a Parquet or Arrow file; no cell is read."""
    try:
        if path.suffix.lower() in PARQUET:
            return pq.read_schema(path)
        with pa.memory_map(str(path)) as file:
            return pa.ipc.open_file(file).schema
    except (OSError, pa.ArrowInvalid):
        raise SourceRefused(f"{path} is not a Parquet or Arrow file that can be read", "check the path") from None


def arrow_kind(kind: pa.DataType) -> Proposal:
    """The kind that an Arrow type proposes."""
    types = pa.types
    if types.is_timestamp(kind):
        return Proposal("datetime", True, kind.tz)
    named = {
        "boolean": types.is_boolean,
        "integer": types.is_integer,
        "real": lambda kind: types.is_floating(kind) or types.is_decimal(kind),
        "date": types.is_date,
        "nested": types.is_nested,
    }
    return Proposal(next((name for name, test in named.items() if test(kind)), "categorical"), True)


def text_proposal(cells: set[str]) -> Proposal:
    """The kind of some texts, the format of dates that are not as ISO 8601 has them, and the decimals of numbers."""
    kind, present = text_kind(cells), cells - ABSENT
    if kind == "real":
        return Proposal(kind, decimals=max(decimals_of(cell) for cell in present))
    form = next((form for form in FORMATS if all(is_dated(cell, form) for cell in present)), None)
    return Proposal("date", format=form) if kind == "categorical" and present and form else Proposal(kind)


def decimals_of(cell: str) -> int:
    """How many decimals a number is written with, at most six."""
    return min(max(-int(Decimal(cell).as_tuple().exponent), 0), 6)


def is_dated(cell: str, form: str) -> bool:
    """Whether a text is a date of this format."""
    try:
        datetime.strptime(cell, form)
    except ValueError:
        return False
    return True


def text_kind(cells: set[str]) -> str:
    """The narrowest kind that all texts fit, apart from those that stand for missing."""
    present = cells - ABSENT
    if not present:
        return "categorical"
    if any({cell.lower() for cell in present} <= texts for texts in BOOLEANS):
        return "boolean"
    if any(len(cell) > 1 and cell.lstrip("+-").startswith("0") and cell.isdecimal() for cell in present):
        return "categorical"  # a leading zero belongs to a code, not to a number
    tests = ((INTEGER.fullmatch, "integer"), (REAL.fullmatch, "real"), (is_date, "date"), (is_moment, "datetime"))
    return next((name for test, name in tests if all(test(cell) for cell in present)), "categorical")


def is_moment(cell: str) -> bool:
    """Whether a text is an ISO 8601 date or moment."""
    try:
        datetime.fromisoformat(cell)
    except ValueError:
        return False
    return True


def is_date(cell: str) -> bool:
    """Whether a text is an ISO 8601 date without a time of day."""
    return is_moment(cell) and len(cell) <= 10


def like_a_value(name: str) -> bool:
    """Whether a header's name is a number or a date: then the first line is likely to be a row."""
    return REAL.fullmatch(name) is not None or is_moment(name)
