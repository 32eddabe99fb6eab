"""Edges: two columns of a table, the ends of an edge, as one column of cells. Total and row-wise, as all parsing.

    nodes    public, each in one block: the blocks' nodes one after another are numbered 0, 1, 2, ...
    cell     the pair of the blocks that an edge joins, in either direction; as many as there are pairs of blocks that
             two different nodes can join: k (k + 1) / 2, fewer where a block has one node only

An edge with an end that is no node, or from a node to itself, is missing, or else in the first cell. Out comes an edge between
two different nodes of its blocks, any of them as likely as another: so a distribution over the cells is a stochastic block
model. What is known of the nodes' degrees goes beyond the cells (`game/data/ties.py`).

>>> joins = Joins((("a", ("x", "y")), ("b", ("z",))))
>>> joins.size, joins.names
(2, ['a - a', 'a - b'])
>>> joins.codes(np.array([[2, 0], [0, 1]])).tolist()
[1, 0]
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Blocks = tuple[tuple[str, tuple[str, ...]], ...]
Nodes = NDArray[np.int64]
MOST_NODES = 2**20


@dataclass(frozen=True)
class Joins:
    """Public nodes in public blocks, and the pairs of blocks that edges can join."""

    blocks: Blocks

    @cached_property
    def nodes(self) -> list[str]:
        """Every node, block after block."""
        return [node for _, nodes in self.blocks for node in nodes]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each node."""
        return {node: number for number, node in enumerate(self.nodes)}

    @cached_property
    def sizes(self) -> Nodes:
        """How many nodes each block has."""
        return np.array([len(nodes) for _, nodes in self.blocks], dtype=np.int64)

    @cached_property
    def block(self) -> Nodes:
        """The block of each node."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def first(self) -> Nodes:
        """The number of each block's first node."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def pairs(self) -> Nodes:
        """The two blocks of each cell."""
        one, other = np.triu_indices(len(self.sizes))
        possible = (one != other) | (self.sizes[one] > 1)
        return np.stack([one[possible], other[possible]], axis=1)

    @property
    def size(self) -> int:
        return len(self.pairs)

    @property
    def names(self) -> list[str]:
        """What the cells are called."""
        return [f"{self.blocks[one][0]} - {self.blocks[other][0]}" for one, other in self.pairs]

    def codes(self, ends: Nodes) -> Nodes:
        """The cell of each edge between two different nodes."""
        blocks = np.sort(self.block[ends], axis=1)
        code = np.zeros((len(self.sizes), len(self.sizes)), dtype=np.int64)
        code[tuple(self.pairs.T)] = np.arange(self.size)
        return code[blocks[:, 0], blocks[:, 1]]

    def draw(self, cells: Nodes, rng: np.random.Generator) -> Nodes:
        """An edge of each cell: two different nodes of its blocks, in either direction."""
        blocks = self.pairs[cells]
        place = rng.integers(self.sizes[blocks])
        # within a block the other end is one of those that are left: so many places further on, in a circle
        inside = blocks[:, 0] == blocks[:, 1]
        left = np.where(inside, self.sizes[blocks[:, 0]] - 1, 1)
        onward = place[:, 0] + 1 + rng.integers(left)
        place[:, 1] = np.where(inside, onward % self.sizes[blocks[:, 0]], place[:, 1])
        return turned(self.first[blocks] + place, rng)


def turned(ends: Nodes, rng: np.random.Generator) -> Nodes:
    """The same edges, each in either direction: an edge has none."""
    return np.where(rng.integers(2, size=(len(ends), 1)) == 1, ends[:, ::-1], ends)


def sound(ends: Nodes) -> NDArray[np.bool_]:
    """Which edges join two different nodes; a node that is not known is -1."""
    return np.asarray((ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1]))
