"""Typed columns that Arrow can stand on: validated, and free of the layouts that its kernels do not know.

Views become plain texts and bytes, runs are written out. Nothing changes value.

>>> unwrapped(pa.chunked_array([pa.array(["x", None], pa.string_view())])).to_pylist()
['x', None]
"""

import pyarrow as pa
import pyarrow.compute as pc


def sound(table: pa.Table) -> pa.Table:
    """The same values; Arrow's own error if offsets, indices or UTF-8 are broken."""
    table.validate(full=True)
    return pa.table([unwrapped(column) for column in table.columns], names=table.column_names)


def unwrapped(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """One column in a layout that can be filtered."""
    if pa.types.is_run_end_encoded(column.type):
        column = pa.chunked_array([pc.run_end_decode(chunk) for chunk in column.chunks], column.type.value_type)
    kind = without_views(column.type)
    return column if kind == column.type else column.cast(kind)


def without_views(kind: pa.DataType) -> pa.DataType:
    """The type with offsets in place of views."""
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, without_views(kind.value_type), kind.ordered)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    return pa.large_binary() if pa.types.is_binary_view(kind) else kind
