"""Pictures: an Arrow column to levels and back. Total and row-wise, as all parsing.

A picture is height x width x channels bytes, row by row, each a level from 0 to ``high``. Levels above ``high`` count as
``high``; what is not of the right length, or no bytes at all, is a black picture. So one bad row stops nothing.

Its cell, for marginals and certificates, is its brightness in K equal steps, in integers:

    cell = floor(K sum(levels) / (pixels high + 1)),     K = 16, or fewer where there are fewer sums

>>> tiny = Image("tiny", height=1, width=2, high=10)
>>> levels(b"\\x0a\\x63", tiny).tolist(), levels(b"short of it", tiny).tolist()
([10, 10], [0, 0])
>>> shades(flat(np.arange(16), tiny), tiny).tolist() == list(range(16))
True
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.schema.column import Image

Levels = NDArray[np.uint8]


def pixels(array: pa.ChunkedArray, column: Image) -> Levels:
    """The levels of every picture of a column, one row each."""
    if array.type == pa.binary(column.pixels):
        parts = [stored(chunk, column) for chunk in array.chunks]
    else:
        parts = [levels(value.as_py(), column)[None] for value in array]
    return np.concatenate(parts) if parts else np.zeros((0, column.pixels), dtype=np.uint8)


def stored(chunk: pa.Array, column: Image) -> Levels:
    """The levels of pictures that are stored as they should be; a null is black."""
    flat = np.frombuffer(chunk.buffers()[1] or b"", dtype=np.uint8)
    found = flat[chunk.offset * column.pixels :][: len(chunk) * column.pixels].reshape(len(chunk), column.pixels)
    if chunk.null_count:
        found = np.where(chunk.is_valid().to_numpy(zero_copy_only=False)[:, None], found, 0).astype(np.uint8)
    return found if column.high == 255 else np.minimum(found, column.high).astype(np.uint8)


def levels(value: object, column: Image) -> Levels:
    """The levels of one value of any type."""
    if isinstance(value, bytes) and len(value) == column.pixels:
        return np.minimum(np.frombuffer(value, dtype=np.uint8), column.high).astype(np.uint8)
    if isinstance(value, list) and len(value) == column.pixels and all(type(item) is int for item in value):
        return np.array([min(max(item, 0), column.high) for item in value], dtype=np.uint8)
    return np.zeros(column.pixels, dtype=np.uint8)


def shades(found: Levels, column: Image) -> NDArray[np.int64]:
    """The cell of each picture."""
    # floor(K sum / (pixels high + 1))
    total: NDArray[np.int64] = found.sum(axis=1, dtype=np.int64)
    return column.values_size * total // (column.pixels * column.high + 1)


def flat(cells: NDArray[np.int64], column: Image) -> Levels:
    """The evenest picture of each cell: the least sum that belongs to it, spread over the pixels."""
    sums = -(-cells * (column.pixels * column.high + 1) // column.values_size)
    level, rest = np.divmod(sums, column.pixels)
    return np.asarray(level[:, None] + (np.arange(column.pixels) < rest[:, None]), dtype=np.uint8)


def pictures(found: Levels, column: Image) -> pa.Array:
    """Levels as an Arrow column of bytes."""
    buffer = pa.py_buffer(np.ascontiguousarray(found, dtype=np.uint8).tobytes())
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(column.pixels), len(found), [None, buffer])
