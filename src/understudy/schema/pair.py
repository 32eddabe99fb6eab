"""Pairs: one column of the schema that is two columns of the table, as structs of its two halves.

>>> tie = Edge("tie", ends=("from", "to"), blocks=(("a", ("x", "y")),))
>>> joined(pa.table({"to": ["y"], "from": ["x"]}), tie).to_pylist()
[{'source': 'x', 'target': 'y'}]
>>> parts({"source": "x", "target": "y"}, tie), parts("x", tie)
(('x', 'y'), (None, None))
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from understudy.refusal import SchemaRefused
from understudy.schema.column import Column, Listed, Number
from understudy.schema.edge import MOST_NODES, Blocks, Joins
from understudy.schema.grid import Grid
from understudy.schema.outline import Outline
from understudy.schema.quadtree import Quadtree, quadtree

NOWHERE = Number("", grid=Grid((0,), 0), real=True)


class Pair(Column):
    """One column of the schema that is two columns of the table; its values are structs of two ``parts``."""

    parts: ClassVar[tuple[str, str]]

    @property
    def sides(self) -> tuple[Column, Column]:
        """The two columns of the table."""
        raise NotImplementedError

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)


@dataclass(frozen=True)
class Place(Pair):
    """A point on the map: two real columns of the table, cut together into cells of a quadtree within an outline."""

    latitude: Number = NOWHERE
    longitude: Number = NOWHERE
    depth: int = 1
    outline: Outline | None = None

    parts: ClassVar[tuple[str, str]] = ("latitude", "longitude")

    def __post_init__(self) -> None:
        if self.latitude.name == self.longitude.name:
            raise SchemaRefused(
                f"column '{self.name}': latitude and longitude are one column", "name the two columns of the table"
            )
        self.tree  # noqa: B018  refuses a box, a depth or an outline that leaves no cell

    @cached_property
    def tree(self) -> Quadtree:
        """Its cells."""
        latitude, longitude = self.latitude.grid, self.longitude.grid
        return quadtree(latitude, longitude, self.depth, self.latitude.decimals, self.outline)

    @property
    def sides(self) -> tuple[Number, Number]:
        """The two columns of the table."""
        return self.latitude, self.longitude

    @property
    def values_size(self) -> int:
        return self.tree.size


@dataclass(frozen=True)
class Edge(Pair):
    """An edge between two public nodes: two columns of the table name its ends. It has no direction."""

    ends: tuple[str, str] = ("source", "target")
    blocks: Blocks = ()

    parts: ClassVar[tuple[str, str]] = ("source", "target")

    def __post_init__(self) -> None:
        nodes = self.joins.nodes
        if self.ends[0] == self.ends[1]:
            raise SchemaRefused(f"column '{self.name}': both ends are one column", "name the two columns of the table")
        if not 2 <= len(nodes) <= MOST_NODES or not all(self.joins.sizes):
            raise SchemaRefused(
                f"column '{self.name}': it has fewer than two nodes, or an empty block", "list its nodes"
            )
        if len(self.joins.numbers) < len(nodes) or len(dict(self.blocks)) < len(self.blocks):
            raise SchemaRefused(f"column '{self.name}': a node or a block is listed twice", "list each in one place")
        if set(self.missing or ()) & set(nodes):
            raise SchemaRefused(f"column '{self.name}': a missing code is also a node", "keep it in one of the lists")

    @cached_property
    def joins(self) -> Joins:
        """Its cells."""
        return Joins(self.blocks)

    @cached_property
    def sides(self) -> tuple[Listed, Listed]:
        one, other = (Listed(end, self.missing, self.bad, tuple(self.joins.nodes)) for end in self.ends)
        return one, other

    @property
    def values_size(self) -> int:
        return self.joins.size


def fields_of(column: Column) -> tuple[Column, ...]:
    """The columns that a column is in the table."""
    return column.sides if isinstance(column, Pair) else (column,)


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
