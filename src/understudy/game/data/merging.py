"""Merging: cells of a column that the noise does not let us see are treated as one.

A cell whose noisy one-way count is below ``SEEN`` standard deviations of its noise is rare. The rare cells of a column
become one group; every other cell is a group by itself. A public rule from the tape, so it costs nothing. It keeps
tables small, and the sum over k rare cells is seen with sqrt(k) times the noise instead of k times.

    a table of groups -> a table of cells:   p(cell) = p(group) share(cell),   shares sum to 1 in each group
    a noisy table of cells -> of groups:     sums of counts, sums of variances

>>> merged = Groups.of_counts(np.array([90.0, 2.0, -1.0, 40.0]), 25.0)
>>> merged.group.tolist(), merged.size, merged.share.round(2).tolist()
([0, 2, 2, 1], 3, [1.0, 0.67, 0.33, 1.0])
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.product import systematic

SEEN = 1.5
LEAST = 0.2  # what a rare cell counts at least, in standard deviations, when its group is shared out

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of every cell of one column, and its share of that group."""

    group: NDArray[np.int64]
    share: Array

    @property
    def size(self) -> int:
        """How many groups there are."""
        return int(self.group.max()) + 1

    @staticmethod
    def apart(cells: int) -> "Groups":
        """Every cell by itself."""
        return Groups(np.arange(cells), np.ones(cells))

    @staticmethod
    def of_counts(counts: Array, variance: float) -> "Groups":
        """Rare cells together, each with a share by its noisy count."""
        deviation = max(variance, 1e-9) ** 0.5
        rare = counts < SEEN * deviation
        if rare.sum() < 2:
            return Groups.apart(len(counts))
        group = np.where(rare, (~rare).sum(), np.cumsum(~rare) - 1)
        weight = np.where(rare, np.maximum(counts, LEAST * deviation), 1.0)
        return Groups(group, weight / np.where(rare, weight[rare].sum(), 1.0))

    def split(self, groups: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.int64]:
        """A cell for each row's group: a comb over the shares of the group that has several."""
        cell = np.zeros(self.size, dtype=np.int64)
        cell[self.group] = np.arange(len(self.group))
        found: NDArray[np.int64] = cell[groups]
        many = np.nonzero(np.bincount(self.group) > 1)[0]
        for g in many:
            here, cells = np.nonzero(groups == g)[0], np.nonzero(self.group == g)[0]
            found[here] = cells[rng.permutation(systematic(self.share[cells], len(here), rng))]
        return found


def gathered(table: Array, columns: Sequence[Groups]) -> Array:
    """The sums of a table over the groups of each of its columns."""
    for axis, groups in enumerate(columns):
        if groups.size < len(groups.group):
            # [g, cell] = 1 where the cell is in the group
            within = np.equal.outer(np.arange(groups.size), groups.group).astype(np.float64)
            table = np.moveaxis(np.tensordot(within, table, axes=(1, axis)), 0, axis)
    return table


def parted(table: Array, columns: Sequence[Groups]) -> Array:
    """A table of groups as one of cells."""
    for axis, groups in enumerate(columns):
        if groups.size < len(groups.group):
            share = groups.share.reshape((-1,) + (1,) * (table.ndim - axis - 1))
            table = table.take(groups.group, axis=axis) * share
    return table
