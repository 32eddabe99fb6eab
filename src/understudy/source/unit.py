"""Contribution bounding: at most ``rows`` rows for each privacy unit, before anything is counted.

Law.  Which rows of a unit are kept depends on that unit's rows only: the first ones, in their order. So if one unit's
rows are added to a table or removed, the bounded tables differ in at most ``rows`` rows, all of them that unit's.
Rows without a unit (null, an empty text or a declared missing code) belong to nobody, and are dropped one by one. What
stands for "unknown" must be declared (unit_missing): undeclared, all who have it are one unit, and share its rows.

Units are compared by value: texts character by character ("00501" is not "501"), integers as numbers. Floating numbers name
nobody for certain, for large ones are rounded together; a column of them is refused, and among Python objects one that may
have been rounded names nobody.

>>> from understudy.schema.column import Boolean, Identifier
>>> from understudy.schema.schema import Schema, Unit
>>> visits = Schema("visits", Unit("patient", "id", rows=1), (Identifier("id"), Boolean("smokes")))
>>> bound(pa.table({"id": ["a", "b", "a", ""], "smokes": [True, False, False, True]}), visits).to_pydict()
{'smokes': [True, False]}
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from understudy.refusal import SourceRefused
from understudy.schema.schema import Schema


def bound(table: pa.Table, schema: Schema) -> pa.Table:
    """The modelled columns of the rows that are kept."""
    unit = schema.unit
    modelled = table.select([name for column in schema.modelled for name in column.sources])
    if unit.column is None:
        return modelled
    numbers = units(table[unit.column], unit.column, missing_codes(schema, unit.column))
    try:
        return modelled.filter(pa.array(first_rows(numbers, unit.rows)))
    except pa.ArrowNotImplementedError:
        raise SourceRefused("a column has a type that cannot be filtered", "make it text, numbers or dates") from None


def missing_codes(schema: Schema, name: str) -> list[str]:
    """The texts that name nobody."""
    return [
        "",
        *schema.unit.missing,
        *(code for column in schema.columns if column.name == name for code in column.missing or ()),
    ]


def units(keys: pa.ChunkedArray, name: str, missing: list[str]) -> NDArray[np.int64]:
    """A number for each row, the same where the unit is the same; -1 where there is none."""
    one_more = pa.chunked_array([*keys.chunks, pa.nulls(1, keys.type)])  # so that no table is without a row or a chunk
    try:
        if pa.types.is_floating(without_wrapping(keys.type)):
            raise pa.ArrowNotImplementedError
        coded = named(plain(one_more), missing).dictionary_encode().combine_chunks()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        remedy = "make it text or integers"
        raise SourceRefused(f"the unit column '{name}' has a type that cannot name a unit", remedy) from None
    numbers: NDArray[np.int64] = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers[:-1]


def without_wrapping(kind: pa.DataType) -> pa.DataType:
    """The type of the values themselves."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def plain(keys: pa.ChunkedArray) -> pa.ChunkedArray:
    """The keys without their wrapping, equal where they are equal by value."""
    if isinstance(keys.type, pa.BaseExtensionType):
        keys = pa.chunked_array([chunk.storage for chunk in keys.chunks], keys.type.storage_type)
    if pa.types.is_dictionary(keys.type):  # its dictionary may hold a value twice
        keys = keys.cast(keys.type.value_type)
    return keys


def named(keys: pa.ChunkedArray, missing: list[str]) -> pa.ChunkedArray:
    """The keys, null where they are one of the missing codes."""
    kind = keys.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        blank = pc.is_in(keys, pa.array(missing).cast(kind))
    elif pa.types.is_fixed_size_binary(kind):
        return keys
    else:
        blank = pc.is_in(keys.cast(pa.large_string()), pa.array(missing, pa.large_string()))
    return pc.if_else(blank, pa.scalar(None, kind), keys)


def first_rows(numbers: NDArray[np.int64], most: int) -> NDArray[np.bool_]:
    """Which rows are among the first ``most`` of their unit."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-2))
    sizes = np.diff(starts, append=len(ordered))
    keep = np.zeros(len(numbers), dtype=bool)
    keep[order] = np.arange(len(ordered)) - np.repeat(starts, sizes) < most
    return keep & (numbers >= 0)
