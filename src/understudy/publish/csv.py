"""Synthetic rows as CSV that the schema reads back to the same cells, and that a spreadsheet takes for text.

A text that begins with = + - @ tab or CR would be run as a formula by a spreadsheet: it gets a leading apostrophe, which
`read_csv` takes off again. ``exact`` leaves every text as it is, for machines; its file says so in its name.

Missing values are written as the column's first missing code, booleans and dates in the column's own words.
"""

import csv
import io

import pyarrow as pa

from understudy.schema.column import Boolean, Column, Moment
from understudy.schema.parse import REAL
from understudy.schema.schema import Schema

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(table: pa.Table, schema: Schema, exact: bool) -> bytes:
    """The table in the schema's own dialect."""
    written = [[guarded(text, exact) for text in texts(table[name], schema.field(name))] for name in table.column_names]
    names = table.column_names if exact else [shielded(name) for name in table.column_names]
    sink = Lines()
    writer = csv.writer(sink, delimiter=schema.csv.delimiter, quotechar=schema.csv.quote, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows(zip(*written, strict=True))
    return "".join(sink.lines).encode(schema.csv.encoding)


class Lines:
    """Lines that end with \\n, though the writer ends them with \\r\\n: it quotes what its own line end has, so both."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line.removesuffix("\r\n") + "\n")


def texts(values: pa.ChunkedArray, column: Column) -> list[str]:
    """Each value in the column's own words."""
    absent = (column.missing or ("",))[0]
    if isinstance(column, Boolean):
        words = {True: column.true[0], False: column.false[0], None: absent}
        return [words[value] for value in values.to_pylist()]
    if isinstance(column, Moment) and column.format is not None:
        form = column.format
        return [absent if value is None else value.strftime(form) for value in values.to_pylist()]
    if isinstance(column, Moment):
        return [absent if value is None else value.isoformat() for value in values.to_pylist()]
    return [absent if value is None else str(value) for value in values.to_pylist()]


def guarded(text: str, exact: bool) -> str:
    """A text that no spreadsheet runs; numbers stay numbers."""
    return text if exact or REAL.fullmatch(text) else shielded(text)


def shielded(text: str) -> str:
    """An apostrophe before what a spreadsheet would run."""
    return f"'{text}" if text.startswith((*FORMULA, "'")) else text


def read_csv(content: bytes, schema: Schema, exact: bool) -> pa.Table:
    """The texts of a synthetic CSV, apostrophes taken off."""
    lines = csv.reader(
        io.StringIO(content.decode(schema.csv.encoding), newline=""),
        delimiter=schema.csv.delimiter,
        quotechar=schema.csv.quote,
        strict=True,
    )
    rows = list(lines)
    if not exact:
        rows = [[cell[1:] if cell.startswith("'") else cell for cell in row] for row in rows]
    columns = list(zip(*rows[1:], strict=True)) or [()] * len(rows[0])
    return pa.table({name: pa.array(cells, type=pa.string()) for name, cells in zip(rows[0], columns, strict=True)})
