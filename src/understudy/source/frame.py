"""Frames in memory: polars, pyarrow, duckdb relations and all else that speaks Arrow; pandas.

A pandas index is not a column. A pandas column of dtype object holds a value of any type in each cell; each is read as
the text that a schema would write for it, whatever the others are, so that no row changes how another is read.
"""

import sys
from datetime import date
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa

from understudy.refusal import Refusal, SourceRefused
from understudy.schema.column import Boolean, Column, Moment
from understudy.schema.parse import plain_text
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.sound import sound

EXACT = 2**53  # below it every whole number is a float of its own


def speaks_arrow(data: object) -> bool:
    """Whether rows can be read from it."""
    return is_pandas(data) or hasattr(data, "__arrow_c_stream__")


def is_pandas(data: object) -> bool:
    """Whether it is a pandas frame; pandas is not imported for the question."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def table(data: Any, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    try:
        return sound(from_pandas(data, schema) if is_pandas(data) else from_arrow(data, schema))
    except Refusal:
        raise
    except Exception:  # whatever a foreign frame raises may quote its rows
        raise SourceRefused("the frame does not convert to Arrow", "give its columns one type each") from None


def from_arrow(data: Any, schema: Schema) -> pa.Table:
    """Through Arrow's stream."""
    stream = pa.RecordBatchReader.from_stream(data)
    taken = columns.taken(stream.schema.names, schema)
    return stream.read_all().select(list(taken))


def from_pandas(data: Any, schema: Schema) -> pa.Table:
    """Column by column, so that neither the index nor a column that is not taken matters."""
    names = [str(name) for name in data.columns]
    taken = columns.taken(names, schema)
    declared = {field.name: field for field in schema.fields}
    series = {name: data.iloc[:, names.index(name)] for name in taken}
    if (unit := schema.unit.column) is not None:
        series[unit] = certain(series[unit])
    return pa.table({name: array(values, declared.get(name)) for name, values in series.items()})


def array(series: Any, column: Column | None) -> pa.Array:
    """One pandas column. Where a cell may hold anything (objects, categories, texts of Python), each is read by itself."""
    if of_objects(series):
        return pa.array([as_text(value, column) for value in series], pa.string())
    return pa.array(series, from_pandas=True)


def of_objects(series: Any) -> bool:
    """Whether each cell may be of another type."""
    return series.dtype.name in ("object", "category") or getattr(series.dtype, "storage", "") == "python"


def certain(keys: Any) -> Any:
    """The keys of units, each by itself: among objects, a float that may stand for several numbers names nobody."""
    return type(keys)([None if rounded(key) else key for key in keys], dtype=object) if of_objects(keys) else keys


def rounded(value: object) -> bool:
    """Whether a floating number may be another one's rounding: beyond 2^53, or broken.

    >>> rounded(7.0), rounded(2.0**53), rounded(0.1), rounded(2**70)
    (False, True, True, False)
    """
    if isinstance(value, float):
        return not (value.is_integer() and abs(value) < EXACT)
    return isinstance(value, np.floating)


def as_text(value: object, column: Column | None) -> str | None:
    """The text that the column reads as it would read this value; None where there is none.

    >>> as_text(True, Boolean("smokes", true=("yes",), false=("no",))), as_text(1.0, None), as_text([1], None)
    ('yes', '1', None)
    """
    if isinstance(value, np.generic):
        value = value.item()
    try:
        if value != value:
            return None
        if isinstance(value, bool) and isinstance(column, Boolean):
            return column.true[0] if value else column.false[0]
        if isinstance(value, date) and isinstance(column, Moment) and column.format:
            return value.strftime(column.format)
        text = str(value) if value in (inf, -inf) else plain_text(value)
        text.encode()  # half of a surrogate pair is no text
        return text
    except Exception:  # the law: no value of any type stops the others
        return None
