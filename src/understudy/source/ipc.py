"""Arrow's own files (.arrow, .feather, .ipc): the file format or the stream format."""

from pathlib import Path

import pyarrow as pa
import pyarrow.ipc

from understudy.refusal import SourceRefused
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.opened import opened
from understudy.source.sound import sound

MAGIC = b"ARROW1"  # how the file format begins


def table(path: Path, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    with opened(path) as file:
        streamed = file.read(len(MAGIC)) != MAGIC
        file.seek(0)
        try:
            stored = pa.ipc.open_stream(file) if streamed else pa.ipc.open_file(file)
            taken = list(columns.taken(stored.schema.names, schema))
            return sound(stored.read_all().select(taken))
        except (pa.ArrowException, OSError, ValueError):
            raise SourceRefused("the file is not a well-formed Arrow file", "write it again from its origin") from None
