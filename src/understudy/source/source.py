"""The one entrance for private rows: a file, a query or a frame in; raw Arrow columns out, bounded by the privacy unit.

    FILE.csv  FILE.txt                     csv       strict text, every cell as it is written
    FILE.parquet  FILE.pq                  parquet
    FILE.arrow  FILE.feather  FILE.ipc     ipc
    FILE.npz  FOLDER of idx or PNG files   pictures
    FILE.duckdb::TABLE_OR_QUERY            sql
    pandas, polars, pyarrow, duckdb ...    frame     whatever speaks Arrow

Law.  The result is a function of the rows, row by row, and of each unit's rows in their order: it has the modelled
columns in the schema's order (and the unit column where that is modelled), raw. What goes wrong in a row is refused in
one constant sentence for each kind of source: which row it was is private.
"""

import os
from pathlib import Path

import pyarrow as pa

from understudy.refusal import Misuse
from understudy.schema.schema import Schema
from understudy.source import csv, frame, ipc, parquet, pictures, sql
from understudy.source.unit import bound

READERS = {
    ".csv": csv.table,
    ".txt": csv.table,
    ".parquet": parquet.table,
    ".pq": parquet.table,
    ".arrow": ipc.table,
    ".feather": ipc.table,
    ".ipc": ipc.table,
    ".npz": pictures.archive,
}


def read(data: object, schema: Schema) -> pa.Table:
    """The private rows of ``data``, at most the declared number for each unit."""
    return bound(columns_of(data, schema), schema)


def columns_of(data: object, schema: Schema) -> pa.Table:
    """The columns that the schema takes, and the unit column, of every row."""
    if isinstance(data, str) and "::" in data:
        return sql.table(data, schema)
    if isinstance(data, (str, os.PathLike)):
        path = Path(os.fsdecode(data))
        if path.is_dir():
            return pictures.folder(path, schema)
        if path.suffix.lower() not in READERS:
            raise Misuse(f"'{path.name}' is no kind of file that can be read", f"it ends in {', '.join(READERS)}")
        return READERS[path.suffix.lower()](path, schema)
    if frame.speaks_arrow(data):
        return frame.table(data, schema)
    raise Misuse(f"rows cannot be read from a {type(data).__name__}", "give a path, or a frame that speaks Arrow")
