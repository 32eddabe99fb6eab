"""Parquet: the taken columns, typed as they are stored."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from understudy.refusal import SourceRefused
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.opened import opened


def table(path: Path, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    with opened(path) as file:
        try:
            stored = pa.parquet.ParquetFile(file)
            taken = list(columns.taken(stored.schema_arrow.names, schema))
            rows = stored.read(columns=taken).select(taken)
            rows.validate(full=True)
        except (pa.ArrowException, OSError, ValueError):
            raise SourceRefused("the file is not well-formed Parquet", "write it again from its origin") from None
    return rows
