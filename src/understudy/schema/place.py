"""Places: two columns of a table, latitude and longitude, as one column of cells. Total and row-wise, as all parsing.

    a point in the box and the outline     its own cell
    a point beyond the box                 the nearest point of the box first; or missing, where the rule says so
    a point off the outline                the nearest cell that the outline reaches; or missing
    a half of a point, or none             missing, or else the first cell

Out comes a tick of the cell that is inside the outline: every point that is written is in the public region.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.schema.column import Bad, Number
from understudy.schema.outline import Ticks
from understudy.schema.pair import Place, paired

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


def written(points: Points, column: Place, absent: NDArray[np.bool_]) -> pa.StructArray:
    """The values of points, null in both halves where absent."""
    north, east = (pa.array(value(ticks, axis), mask=absent) for ticks, axis in zip(points, column.sides, strict=True))
    return paired(north, east, column)


def value(ticks: Ticks, axis: Number) -> NDArray[np.float64]:
    """The degrees that ticks stand for."""
    return ticks / 10.0**axis.decimals
