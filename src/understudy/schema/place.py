"""Places: two columns of a table, latitude and longitude, as one column of cells. Total and row-wise, as all parsing.

    a point in the box and the outline     its own cell
    a point beyond the box                 the nearest point of the box first; or missing, where the rule says so
    a point off the outline                the nearest cell that the outline reaches; or missing
    a half of a point, or none             missing, or else the first cell

Out comes a tick of the cell that is inside the outline: every point that is written is in the public region.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from understudy.schema.column import Bad, Number, Place
from understudy.schema.outline import Ticks

PARTS = ("latitude", "longitude")
Points = tuple[Ticks, Ticks]


def located(column: Place, points: Points, present: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The cell of each point; ``present`` says where there is one."""
    tree = column.tree
    if column.bad is Bad.MISSING:
        present = present & tree.hold(*points)
    found = tree.codes(*boxed(column, points))
    return np.where(present, found, column.unreadable_cell)


def boxed(column: Place, points: Points) -> Points:
    """The nearest points of the box."""
    north, east = (
        np.clip(ticks, axis.grid.low, axis.grid.high) for ticks, axis in zip(points, column.sides, strict=True)
    )
    return north, east


def parts(value: object) -> tuple[object, object]:
    """Latitude and longitude of a value; of what is no pair, nothing."""
    if isinstance(value, dict):
        return value.get(PARTS[0]), value.get(PARTS[1])
    return None, None


def joined(table: pa.Table, column: Place) -> pa.ChunkedArray:
    """The two columns of a table as one."""
    pair = [table[axis.name] for axis in column.sides]
    chunks = pa.table(pair, names=list(PARTS)).to_struct_array()
    return pa.chunked_array(
        chunks.chunks, pa.struct([(part, found.type) for part, found in zip(PARTS, pair, strict=True)])
    )


def halves(array: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """One column as the two of a table."""
    return pc.struct_field(array, 0), pc.struct_field(array, 1)


def written(points: Points, column: Place, absent: NDArray[np.bool_]) -> pa.StructArray:
    """The values of points, null in both halves where absent."""
    degrees = [pa.array(value(ticks, axis), mask=absent) for ticks, axis in zip(points, column.sides, strict=True)]
    return pa.StructArray.from_arrays(degrees, names=list(PARTS))


def value(ticks: Ticks, axis: Number) -> NDArray[np.float64]:
    """The degrees that ticks stand for."""
    return ticks / 10.0**axis.decimals
