"""Parquet: the taken columns, typed as they are stored."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from understudy.refusal import SourceRefused
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.opened import opened
from understudy.source.sound import sound


def table(path: Path, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    with opened(path) as file:
        try:
            stored = pa.parquet.ParquetFile(file)
            taken = list(columns.taken(stored.schema_arrow.names, schema))
            return sound(stored.read(columns=taken).select(taken))
        except (pa.ArrowException, OSError, ValueError):
            raise SourceRefused("the file is not well-formed Parquet", "write it again from its origin") from None
