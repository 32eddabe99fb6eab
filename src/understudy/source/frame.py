"""Frames in memory: polars, pyarrow, duckdb relations and all else that speaks Arrow; pandas.

A pandas index is not a column. A pandas column of dtype object holds a value of any type in each cell; each is read as
the text that a schema would write for it, whatever the others are, so that no row changes how another is read.
"""

import sys
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa

from understudy.refusal import Refusal, SourceRefused
from understudy.schema.column import Boolean, Column, Moment
from understudy.schema.parse import plain_text
from understudy.schema.schema import Schema
from understudy.source import columns


def speaks_arrow(data: object) -> bool:
    """Whether rows can be read from it."""
    return is_pandas(data) or hasattr(data, "__arrow_c_stream__") or hasattr(data, "__dataframe__")


def is_pandas(data: object) -> bool:
    """Whether it is a pandas frame; pandas is not imported for the question."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def table(data: Any, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    try:
        rows = from_pandas(data, schema) if is_pandas(data) else from_arrow(data, schema)
        rows.validate(full=True)
    except Refusal:
        raise
    except Exception:  # whatever a foreign frame raises may quote its rows
        raise SourceRefused("the frame does not convert to Arrow", "give its columns one type each") from None
    return rows


def from_arrow(data: Any, schema: Schema) -> pa.Table:
    """Through Arrow's stream, or the older interchange protocol."""
    if hasattr(data, "__arrow_c_stream__"):
        stream = pa.RecordBatchReader.from_stream(data)
        taken = columns.taken(stream.schema.names, schema)
        return stream.read_all().select(list(taken))
    from pyarrow.interchange import from_dataframe

    taken = columns.taken(list(data.__dataframe__().column_names()), schema)
    return from_dataframe(data).select(list(taken))


def from_pandas(data: Any, schema: Schema) -> pa.Table:
    """Column by column, so that neither the index nor a column that is not taken matters."""
    names = [str(name) for name in data.columns]
    taken = columns.taken(names, schema)
    declared = {column.name: column for column in schema.columns}
    arrays = []
    for name in taken:
        series = data.iloc[:, names.index(name)]
        values = [as_text(value, declared.get(name)) for value in series] if series.dtype == object else series
        arrays.append(pa.array(values, pa.string()) if series.dtype == object else pa.array(values, from_pandas=True))
    return pa.table(arrays, names=list(taken))


def as_text(value: object, column: Column | None) -> str | None:
    """The text that the column reads as the same cell as this value; None if it has none."""
    if isinstance(value, bool) and isinstance(column, Boolean):
        return column.true[0] if value else column.false[0]
    if isinstance(value, date) and isinstance(column, Moment) and column.format:
        return value.strftime(column.format)
    if isinstance(value, (str, int, float, Decimal, date)) and value == value:
        return plain_text(value)
    return None
