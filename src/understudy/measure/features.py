"""Rows as vectors, for measures that need a distance: one number for an ordered column, one for each cell of another.

    ordered     its cell, from 0 (the first) to 1 (the last); missing: the middle, and a number 1 beside it
    unordered   1 in the place of its cell, 0 elsewhere

>>> from understudy.schema.column import Boolean, Number
>>> from understudy.schema.grid import Grid
>>> from understudy.schema.schema import Unit
>>> small = Schema("t", Unit("person"), (Boolean("smokes"), Number("children", grid=Grid.even(0, 2, None))))
>>> features({"smokes": np.array([1, 0]), "children": np.array([2, 1])}, small, ("smokes", "children")).tolist()
[[0.0, 1.0, 1.0], [1.0, 0.0, 0.5]]
"""

import numpy as np

from understudy.game.player import Codes, Columns
from understudy.measure.association import ordered
from understudy.measure.variation import Array
from understudy.schema.schema import Schema


def features(codes: Codes, schema: Schema, columns: Columns) -> Array:
    """A row of numbers for every row.

    Outside: of private rows it is private.
    """
    ranked = ordered(schema)
    return np.concatenate([block(codes, schema, name, name in ranked) for name in columns], axis=1)


def block(codes: Codes, schema: Schema, name: str, ranked: bool) -> Array:
    """The numbers of one column.

    Outside: of private rows it is private.
    """
    column, cells = schema.column(name), np.asarray(codes[name])
    if not ranked:
        return np.asarray(cells[:, None] == np.arange(column.size), dtype=np.float64)
    absent = cells >= column.values_size
    place = np.where(absent, 0.5, cells / max(column.values_size - 1, 1))
    return np.stack([place, absent], axis=1).astype(np.float64) if column.nullable else place[:, None]
