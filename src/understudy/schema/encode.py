"""Encoding: an Arrow column to the codes of its cells, each distinct value read once.

Law.  ``codes(array, column)[i] == reader(column)(array[i])`` for every row i: reading distinct values
first is only faster.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.schema.column import Column, Image, Moment, Number
from understudy.schema.edge import Nodes
from understudy.schema.image import pixels, shades
from understudy.schema.pair import Edge, Pair, Place, halves, joined
from understudy.schema.parse import joined_blocks, node_reader, reader, tick_reader
from understudy.schema.place import Points, located
from understudy.schema.schema import Schema

Codes = NDArray[np.unsignedinteger]


def code_type(size: int) -> np.dtype[np.unsignedinteger]:
    """The smallest unsigned integer that holds codes below ``size``."""
    return np.dtype(np.min_scalar_type(max(size - 1, 0)))


def codes(array: pa.ChunkedArray, column: Column) -> Codes:
    """The code of every cell of an Arrow column."""
    if isinstance(column, Image):
        return shades(pixels(array, column), column).astype(code_type(column.size))
    if isinstance(column, Place):
        return located(column, *points(array, column)).astype(code_type(column.size))
    if isinstance(column, Edge):
        return joined_blocks(column, ends(array, column)).astype(code_type(column.size))
    read = reader(column)
    distinct, index = distinct_values(array)
    code_of = np.array([read(value) for value in distinct] + [read(None)], dtype=code_type(column.size))
    return code_of[index]


def coded(table: pa.Table, schema: Schema) -> dict[str, NDArray[np.integer]]:
    """The codes of every modelled column of a table."""
    return {column.name: codes(raw(table, column), column) for column in schema.modelled}


def raw(table: pa.Table, column: Column) -> pa.ChunkedArray:
    """The raw values of a column: those of a pair stand in two columns of the table."""
    return joined(table, column) if isinstance(column, Pair) else table[column.name]


def points(array: pa.ChunkedArray, column: Place) -> tuple[Points, NDArray[np.bool_]]:
    """The ticks of every point of a column, and which rows have one."""
    (north, there), (east, too) = (ticks(half, side) for half, side in zip(halves(array), column.sides, strict=True))
    return (north, east), there & too


def ends(array: pa.ChunkedArray, column: Edge) -> Nodes:
    """The numbers of the two nodes of every edge, -1 where there is none."""
    node, found = node_reader(column), []
    for half in halves(array):
        distinct, index = distinct_values(half)
        found.append(np.array([*map(node, distinct), -1], dtype=np.int64)[index])
    return np.stack(found, axis=1)


def ticks(array: pa.ChunkedArray, column: Number | Moment) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The tick of every value, and which rows have one."""
    read = tick_reader(column)
    distinct, index = distinct_values(array)
    found = [read(value) for value in distinct] + [None]
    present = np.array([tick is not None for tick in found])
    return np.array([tick or 0 for tick in found], dtype=np.int64)[index], present[index]


def distinct_values(array: pa.ChunkedArray) -> tuple[list[object], NDArray[np.int64]]:
    """The distinct values that are not null, and for each row the index of its own (null: one past the last)."""
    try:
        if pa.types.is_dictionary(array.type):  # its chunks may disagree, and its indices be too narrow to agree
            array = array.cast(array.type.value_type)
        if pa.types.is_timestamp(array.type) and array.type.unit == "ns":  # Python knows no nanoseconds
            array = array.cast(pa.timestamp("us", array.type.tz), safe=False)
        merged = array.dictionary_encode().combine_chunks()
    except pa.ArrowNotImplementedError:  # nested and exotic types: read them value by value
        return [plain(value) for value in array], np.arange(len(array), dtype=np.int64)
    distinct = [plain(value) for value in merged.dictionary]
    index: NDArray[np.int64] = merged.indices.fill_null(len(distinct)).to_numpy(zero_copy_only=False).astype(np.int64)
    return distinct, index


def plain(value: pa.Scalar) -> object:
    """A Python value; one that Python cannot hold (years beyond 9999) becomes one that no column can read."""
    try:
        return value.as_py()
    except (ValueError, OverflowError):
        return object()
