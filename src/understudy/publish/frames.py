"""Rows as the kind of frame that somebody works with: pandas, polars, pyarrow, a DuckDB relation.

Law.  The declared types, whatever the rows are: where a column can be missing, pandas' own nullable integers and truth values
stand for it, so that 3 does not become 3.0 because a value beside it is missing.
"""

from typing import Any

import pyarrow as pa

from understudy.refusal import Misuse
from understudy.schema.schema import Schema


def frame_like(like: object, table: pa.Table, schema: Schema) -> Any:
    """The table as the kind of frame that ``like`` is."""
    import narwhals as nw

    try:
        kind = nw.get_native_namespace(like)  # type: ignore[arg-type]
        if kind.__name__ == "pandas":
            return pandas_frame(kind, table, schema)
        if kind.__name__ == "duckdb":
            return kind.from_arrow(table)
        return nw.from_arrow(table, backend=kind).to_native()
    except (TypeError, ValueError):
        raise Misuse(
            f"rows are not given as a {type(like).__name__}", "give a frame of pandas, polars, pyarrow or duckdb"
        ) from None


def pandas_frame(pandas: Any, table: pa.Table, schema: Schema) -> Any:
    """pandas with its nullable types where a column can be missing, and NumPy's where it cannot."""
    nullable = {pa.int64(): pandas.Int64Dtype(), pa.bool_(): pandas.BooleanDtype()}
    frame = table.to_pandas(types_mapper=nullable.get)
    sure = [column.name for column in schema.fields if not column.nullable and table[column.name].type in nullable]
    plain = {name: "bool" if pa.types.is_boolean(table[name].type) else "int64" for name in sure}
    return frame.astype(plain)
