"""Combing: rows along a junction tree, whose counts in every node are nearly n times the node's marginal.

    root          one comb over its cells
    other nodes   rows in the same cell of the separator form a group of m rows; each group has a comb of its own over
                  p(C minus S | S), so a cell gets m p rounded up or down

Within a group chance decides which row gets what. So two children of one parent do not move together, and what the tree
says is independent is so.
"""

from math import prod

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.junction import Calibrated

Array = NDArray[np.float64]
Drawn = dict[int, NDArray[np.int64]]


def comb_rows(found: Calibrated, n: int, rng: np.random.Generator) -> Drawn:
    """n rows, one array a column."""
    drawn: Drawn = {}
    for node, belief in zip(found.tree, found.beliefs, strict=True):
        new = tuple(v for v in node.columns if v not in node.separator)
        table = belief.transpose([node.columns.index(v) for v in (*node.separator, *new)])
        size = dict(zip(node.columns, belief.shape, strict=True))
        outer = prod(size[v] for v in node.separator)
        group = raveled([drawn[v] for v in node.separator], [size[v] for v in node.separator], n)
        chosen = comb_groups(table.reshape(outer, -1), group, rng)
        drawn |= dict(zip(new, np.unravel_index(chosen, [size[v] for v in new]), strict=True)) if new else {}
    return drawn


def raveled(codes: list[NDArray[np.int64]], sizes: list[int], n: int) -> NDArray[np.int64]:
    """Several columns' codes as one; all zero where there are no columns."""
    index = np.zeros(n, dtype=np.int64)
    for code, size in zip(codes, sizes, strict=True):
        index = index * size + code
    return index


def comb_groups(table: Array, group: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """A cell of its own line of the table for each row.

    >>> drawn = comb_groups(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1, 0, 0, 0]), np.random.default_rng(0))
    >>> int(drawn[1]), sorted(drawn[[0, 2, 3, 4]].tolist())
    (0, [0, 0, 1, 1])
    """
    lines, cells = table.shape
    shuffled = rng.permutation(len(group))
    order = shuffled[np.argsort(group[shuffled], kind="stable")]
    line = group[order]
    rows = np.bincount(line, minlength=lines)
    place = np.arange(len(line)) - (np.cumsum(rows) - rows)[line]
    # tooth_i = line + (u_line + i) / m_line, kept below line + 1
    offset = rng.random((lines,))
    teeth = np.minimum(line + (offset[line] + place) / rows[line], np.nextafter(line + 1.0, 0))
    below = np.cumsum(table, axis=1)
    whole = below[:, -1:] > 0
    below = np.where(whole, below / np.where(whole, below[:, -1:], 1), np.arange(1, cells + 1) / cells)
    ends = (below + np.arange(lines)[:, None]).ravel()
    chosen = np.empty(len(group), dtype=np.int64)
    chosen[order] = np.minimum(np.searchsorted(ends, teeth, side="right") - line * cells, cells - 1)
    return chosen
