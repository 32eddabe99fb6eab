"""CSV, strictly: every cell is exactly the text between its delimiters, or the whole file is refused.

    file   = record (newline record)* newline?          newline = LF | CR LF
    record = field (delimiter field)*                   as many fields in each as in the header
    field  = [^ quote delimiter CR LF NUL]*  |  quote ( [^ quote NUL] | quote quote )* quote

The header is one line. CR stands before LF only, inside quotes too. A blank line is an empty cell of a one-column
table, and ragged in any other. Nothing is inferred: NA stays "NA", 00501 stays "00501", an empty cell is "".

The structure is checked here on the bytes, in whole columns at a time; Arrow's reader only cuts out the cells of a
block that has passed. `complaint.py` is the second opinion: a plain scanner, character by character.

Privacy.  Whatever is wrong with a row is refused in one constant sentence.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.schema import Csv, Schema
from understudy.source import columns
from understudy.source.opened import opened
from understudy.source.text import Text, malformed

LF, CR = ord("\n"), ord("\r")

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]


def table(path: Path, schema: Schema) -> pa.Table:
    """The columns that the schema takes, as text."""
    refuse_marks(schema.csv)
    with opened(path) as file:
        text = Text(file, schema.csv.encoding)
        names = header_names(text.header(), schema.csv)
        taken = columns.taken(names, schema)
        blank = pa.table({name: pa.array([], pa.string()) for name in taken})
        parts = [cells(block, names, taken, schema.csv) for block in records(text.blocks(), len(names), schema.csv)]
    return pa.concat_tables([blank, *parts])


def refuse_marks(csv: Csv) -> None:
    """Delimiter and quote are single bytes in UTF-8, and not a line end."""
    for mark in (csv.delimiter, csv.quote):
        if not mark.isascii() or mark in "\n\r\0":
            raise SchemaRefused(
                "[csv] delimiter and quote are ASCII characters other than line ends", "correct the schema"
            )


def header_names(line: str, csv: Csv) -> list[str]:
    """The names in the first line."""
    (block,) = records(iter([line]), None, csv) or [b""]
    return [str(cell) for (cell,) in cells(block, None, None, csv).to_pydict().values()]


def records(texts: Iterator[str], width: int | None, csv: Csv) -> Iterator[bytes]:
    """The text as blocks of whole, well-formed records, in UTF-8, each block ending in LF."""
    rest = b""
    for piece in texts:
        rest += encoded(piece)
        marks = np.frombuffer(rest, dtype=np.uint8)
