"""Pairs: one column of the schema that is two columns of the table, as structs of its two halves.

>>> from understudy.schema.column import Edge
>>> tie = Edge("tie", ends=("from", "to"), blocks=(("a", ("x", "y")),))
>>> joined(pa.table({"to": ["y"], "from": ["x"]}), tie).to_pylist()
[{'source': 'x', 'target': 'y'}]
>>> parts({"source": "x", "target": "y"}, tie), parts("x", tie)
(('x', 'y'), (None, None))
"""

import pyarrow as pa
import pyarrow.compute as pc

from understudy.schema.column import Pair


def joined(table: pa.Table, column: Pair) -> pa.ChunkedArray:
    """The two columns of a table as one."""
    pair = [table[name] for name in column.sources]
    kind = pa.struct([(part, half.type) for part, half in zip(column.parts, pair, strict=True)])
    return pa.chunked_array(pa.table(pair, names=list(column.parts)).to_struct_array().chunks, kind)


def halves(array: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """One column as the two of a table."""
    return pc.struct_field(array, 0), pc.struct_field(array, 1)


def paired(one: pa.Array, other: pa.Array, column: Pair) -> pa.StructArray:
    """Two halves as one column."""
    return pa.StructArray.from_arrays([one, other], names=list(column.parts))


def parts(value: object, column: Pair) -> tuple[object, object]:
    """The two halves of a value; of what is no pair, nothing."""
    if isinstance(value, dict):
        return value.get(column.parts[0]), value.get(column.parts[1])
    return None, None
