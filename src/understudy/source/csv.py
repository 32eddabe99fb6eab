"""CSV, strictly: every cell is exactly the text between its delimiters, or the whole file is refused.

Nothing is inferred: NA stays "NA", 00501 stays "00501", an empty cell is "". The grammar is checked by `records.py`
before Arrow's reader cuts out the cells; `complaint.py` is the second opinion, a plain scanner for the owner's eyes.

Privacy.  Whatever is wrong with a row is refused in one constant sentence. The header is settled before a row is
looked at, so that what is said about it does not depend on the rows.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from understudy.refusal import SchemaRefused, SourceRefused
from understudy.schema.schema import Csv, Schema
from understudy.source import columns
from understudy.source.opened import opened
from understudy.source.records import Block, blocks, refuse_unsound
from understudy.source.text import Text, malformed


def table(path: Path, schema: Schema) -> pa.Table:
    """The columns that the schema takes, as text."""
    csv = schema.csv
    refuse_marks(csv)
    with opened(path) as file:
        text = Text(file, csv.encoding)
        names = header_names(text.header(), csv)
        taken = columns.taken(names, schema)
        parts = [pa.table({name: pa.array([], pa.string()) for name in taken})]
        for block in blocks(text.blocks(), csv):
            refuse_unsound(block, len(names), csv)
            parts.append(cells(block, names, taken, csv))
    return pa.concat_tables(parts)


def refuse_marks(csv: Csv) -> None:
    """Delimiter and quote are one byte each in UTF-8, and no line end."""
    for mark in (csv.delimiter, csv.quote):
        if not mark.isascii() or mark in "\n\r\0":
            raise SchemaRefused("[csv] delimiter and quote are ASCII characters, no line ends", "correct the schema")


def header_names(line: str, csv: Csv) -> list[str]:
    """The names in the first line."""
    header = list(blocks([line], csv))
    if not header:
        raise SourceRefused("the file has no header line", "write the names of its columns in the first line")
    width = header[0].separators.size
    refuse_unsound(header[0], width, csv)
    places = [str(place) for place in range(width)]
    return [name for (name,) in cells(header[0], places, places, csv).to_pydict().values()]


def cells(block: Block, names: list[str], taken: tuple[str, ...] | list[str], csv: Csv) -> pa.Table:
    """The cells of a sound block. A line is put before it and skipped, since Arrow drops a byte order mark there."""
    data = b"\n" + block.data
    try:
        return pa.csv.read_csv(
            pa.BufferReader(data),
            pa.csv.ReadOptions(column_names=names, skip_rows=1, block_size=len(data) + 1),
            pa.csv.ParseOptions(
                delimiter=csv.delimiter, quote_char=csv.quote, newlines_in_values=True, ignore_empty_lines=False
            ),
            pa.csv.ConvertOptions(
                include_columns=list(taken), column_types=dict.fromkeys(taken, pa.string()), strings_can_be_null=False
            ),
        )
    except (pa.ArrowException, OverflowError):  # a single block of more than 2 GiB
        raise malformed() from None
