"""Decoding: from codes back to values of exactly the declared type.

Law.  ``reader(column)(value) == code`` for every decoded value: what is written out is read back as the same cell. One
exception: a clock time that its timezone skips in spring does not exist, and is written as the first that does. Within
a cell of a grid the tick is drawn uniformly with public randomness; nothing private enters here.

>>> import numpy as np
>>> from understudy.schema.column import Number
>>> from understudy.schema.grid import Grid
>>> age = Number("age", missing=("",), grid=Grid.even(0, 3, None))
>>> decode(np.array([3, 4, 0]), age, np.random.default_rng(0)).to_pylist()
[3, None, 0]
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from understudy.schema.column import UNITS, Boolean, Column, Identifier, Image, Listed, Moment, Number
from understudy.schema.edge import Nodes
from understudy.schema.image import flat, pictures
from understudy.schema.pair import Edge, Pair, Place, halves, paired
from understudy.schema.place import written


def decode(codes: NDArray[np.integer], column: Column, rng: np.random.Generator) -> pa.Array:
    """Values of a column for an array of codes; missing codes become nulls."""
    absent = codes == column.missing_cell if column.nullable else np.zeros(len(codes), dtype=bool)
    cells = np.where(absent, 0, codes).astype(np.int64)
    match column:
        case Listed():
            kept = [*column.values, *([] if column.other is None else [column.other])]
            return pa.array(kept, type=arrow_type(column)).take(pa.array(cells, mask=absent))
        case Boolean():
            return pa.array(cells == 1, mask=absent)
        case Number() | Moment():
            return values_at(column.grid.draw(cells, rng), column, absent)
        case Image():
            return pictures(flat(cells, column), column)
        case Place():
            return written(column.tree.draw(cells, rng), column, absent)
        case Edge():
            return named(column.joins.draw(cells, rng), column, absent)
    raise TypeError(f"column '{column.name}' has no values to decode")


def spread(array: pa.Array, column: Column) -> dict[str, pa.Array]:
    """The values of a column under the names that they have in a table: those of a pair in two columns."""
    return dict(zip(column.sources, halves(array) if isinstance(column, Pair) else (array,), strict=True))


def named(ends: Nodes, column: Edge, absent: NDArray[np.bool_]) -> pa.StructArray:
    """Edges by the names of their nodes, null at both ends where absent."""
    names = pa.array(column.joins.nodes, pa.string())
    one, other = (names.take(pa.array(ends[:, i], mask=absent)) for i in range(2))
    return paired(one, other, column)


def values_at(ticks: NDArray[np.int64], column: Number | Moment, absent: NDArray[np.bool_]) -> pa.Array:
    """The values of ticks, null where absent."""
    if isinstance(column, Moment):
        return moments(ticks, column, absent)
    return pa.array(ticks / 10.0**column.decimals if column.real else ticks, mask=absent)


def moments(ticks: NDArray[np.int64], column: Moment, absent: NDArray[np.bool_]) -> pa.Array:
    """Dates as date32, moments as seconds on the clock of the column's timezone."""
    if not column.clock:
        return pa.array(ticks.astype(np.int32), type=pa.int32(), mask=absent).cast(pa.date32())
    local = pa.array(ticks * UNITS[column.unit], mask=absent).cast(pa.timestamp("s"))
    if column.timezone is None:
        return local
    return pc.assume_timezone(local, column.timezone, ambiguous="earliest", nonexistent="latest")


def identifiers(count: int, column: Identifier) -> pa.Array:
    """Fresh keys 1..count: running numbers, with the declared prefix and width where the key is text."""
    numbers = range(1, count + 1)
    if column.text:
        return pa.array([f"{column.prefix}{i:0{column.width}d}" for i in numbers], type=pa.string())
    return pa.array(numbers, type=pa.int64())


def arrow_type(column: Column) -> pa.DataType:
    """The Arrow type that a column decodes to."""
    match column:
        case Listed():
            sample = column.values[0] if column.values else column.other
            return pa.int64() if isinstance(sample, int) else pa.string()
        case Boolean():
            return pa.bool_()
        case Number():
            return pa.float64() if column.real else pa.int64()
        case Moment():
            return pa.timestamp("s", tz=column.timezone) if column.clock else pa.date32()
        case Image():
            return pa.binary(column.pixels)
        case Place():
            return pa.struct([(part, pa.float64()) for part in column.parts])
        case Edge():
            return pa.struct([(part, pa.string()) for part in column.parts])
        case Identifier():
            return pa.string() if column.text else pa.int64()
    raise TypeError(f"column '{column.name}' has no type yet")
