"""Synthetic rows as an npz archive: one array a column, pictures as (n, height, width[, channels]) bytes.

Columns of one type without missing values become plain arrays; all others their texts, the missing ones as the column's first
missing code. No archive holds an object, so none needs pickle. The times in the archive are fixed: the same rows are the same
bytes.
"""

import io
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.publish.csv import texts
from understudy.schema.column import Column, Image
from understudy.schema.image import pictures, pixels
from understudy.schema.schema import Schema

FIXED = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip archive knows


def write_npz(table: pa.Table, schema: Schema) -> bytes:
    """Every column as an array."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in table.column_names:
            content = io.BytesIO()
            np.lib.format.write_array(content, array_of(table[name], schema.field(name)), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", FIXED), content.getvalue(), zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def array_of(values: pa.ChunkedArray, column: Column) -> NDArray[Any]:
    """A column as an array."""
    if isinstance(column, Image):
        size = (column.height, column.width, column.channels) if column.channels > 1 else (column.height, column.width)
        return pixels(values, column).reshape(len(values), *size)
    if values.null_count == 0 and (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        return np.asarray(values.to_numpy())
    return np.array(texts(values, column), dtype=np.str_)


def read_npz(content: bytes, schema: Schema) -> pa.Table:
    """The arrays of a bundle as the columns that its schema reads."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return pa.table({name: column_of(arrays[name], schema.field(name)) for name in arrays.files})


def column_of(array: NDArray[Any], column: Column) -> pa.Array:
    """An array as a column."""
    if isinstance(column, Image):
        return pictures(array.reshape(len(array), column.pixels), column)
    return pa.array(array.tolist() if array.dtype.kind == "U" else array)
