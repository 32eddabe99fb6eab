"""Junction: exact inference on a junction tree, in NumPy.

    p(x) = exp( sum over nodes C of f_C(x_C) ) / Z,    nodes = maximal cliques of a triangulated graph

    triangulate   eliminate column after column, always the one whose new clique has the fewest cells
    join          a spanning tree of the nodes with the largest separators: columns shared by two nodes lie on the path
    calibrate     sums from the leaves to the root, then from the root to the leaves (Hugin):
                  T_C = e^{f_C} prod of sums from below;   p(C) = T_C p(S) / sum_{C minus S} T_C,   S = C and its parent
    marginal      the smallest subtree that has the columns, each node given its separator, summed from its leaves

Columns are numbers here, ascending within a clique; no compilation, so that another tree costs nothing.

>>> tree = join(triangulate([(0, 1), (1, 2), (0, 2), (2, 3)], (2, 2, 2, 3)), (2, 2, 2, 3))
>>> [node.columns for node in tree]
[(0, 1, 2), (2, 3)]
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, prod
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

LOWEST = -1e300  # where a factor leaves nothing: e^(-inf - LOWEST) is 0, e^(-inf + inf) would be no number

Array = NDArray[np.float64]
Clique = tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """A maximal clique, its place in the tree (-1: the root has no parent), and what it shares with its parent."""

    columns: Clique
    parent: int
    separator: Clique


Tree = tuple[Node, ...]  # parents come before their children


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A tree, the marginals of its nodes and of their separators, and log Z."""

    tree: Tree
    beliefs: list[Array]
    separators: list[Array]
    log_z: float


def triangulate(cliques: Iterable[Clique], sizes: Sequence[int]) -> list[Clique]:
    """The maximal cliques of a chordal graph in which every given clique is complete."""
    beside = [1 << v for v in range(len(sizes))]  # a set of columns is a number: bit v stands for column v
    for clique in cliques:
        together = sum(1 << v for v in clique)
        for v in clique:
            beside[v] |= together
    weights, left, found = [log(size) for size in sizes], set(range(len(sizes))), list[int]()
    cost = {v: sum(weights[u] for u in members(beside[v])) for v in left}
    while left:
        v = min(left, key=lambda v: (cost[v], v))
        together = beside[v]
        if not any(together & ~other == 0 for other in found):
            found.append(together)
        left.remove(v)
        for u in members(together & ~(1 << v)):
            beside[u] = (beside[u] | together) & ~(1 << v)
            cost[u] = sum(weights[w] for w in members(beside[u]))
    return [members(columns) for columns in found]


def members(columns: int) -> Clique:
    """The places of the bits of a number, ascending."""
    return tuple(v for v in range(columns.bit_length()) if columns >> v & 1)


def cells(cliques: Iterable[Clique], sizes: Sequence[int]) -> int:
    """The cells of all tables together."""
    return sum(prod(sizes[v] for v in clique) for clique in cliques)


def join(cliques: Sequence[Clique], sizes: Sequence[int]) -> Tree:
    """A junction tree of maximal cliques, grown from the largest one by the largest shared parts."""
    outside = sorted(cliques, key=lambda c: (-cells([c], sizes), c))
    tree = [Node(outside.pop(0), -1, ())]
    while outside:
        shared = {(c, i): len(set(c) & set(node.columns)) for c in outside for i, node in enumerate(tree)}
        clique, parent = max(shared, key=lambda pair: shared[pair])
        outside.remove(clique)
        tree.append(Node(clique, parent, tuple(v for v in clique if v in tree[parent].columns)))
    return tuple(tree)


def spread(table: Array, columns: Clique, over: Clique) -> Array:
    """A table with an axis of length 1 for every column of ``over`` that it does not have."""
    sizes = dict(zip(columns, table.shape, strict=True))
    return table.reshape([sizes.get(v, 1) for v in over])


def summed(table: Array, columns: Clique, kept: Clique) -> Array:
    """The marginal of a table over some of its columns."""
    return np.asarray(table.sum(axis=tuple(i for i, v in enumerate(columns) if v not in kept)))


def calibrate(tree: Tree, logs: Sequence[Array]) -> Calibrated:
    """All marginals of the nodes, from the logarithms of their factors."""
    peaks = [max(float(f.max()), LOWEST) for f in logs]
    tables = [np.exp(f - peak) for f, peak in zip(logs, peaks, strict=True)]
    log_z, below = sum(peaks), [np.ones(())] * len(tree)
    for i in range(len(tree) - 1, 0, -1):
        node = tree[i]
        below[i] = summed(tables[i], node.columns, node.separator)
        scale = float(below[i].max()) or 1.0
        tables[node.parent] *= spread(below[i] / scale, node.separator, tree[node.parent].columns)
        log_z += log(scale)
    total = float(tables[0].sum())
    if not total > 0:
        return Calibrated(tree, tables, below, -inf)
    tables[0] /= total
    separators = [np.ones(())]
    for i, node in enumerate(tree[1:], start=1):
        above = summed(tables[node.parent], tree[node.parent].columns, node.separator)
        ratio = np.divide(above, below[i], out=np.zeros_like(above), where=below[i] > 0)
        tables[i] *= spread(ratio, node.separator, node.columns)
        separators.append(above)
    return Calibrated(tree, tables, separators, log_z + log(total))


def marginal(found: Calibrated, columns: Clique) -> Array:
    """The marginal over ascending columns: one node's, or summed over the subtree that has them."""
    tree = found.tree
    for node, belief in zip(tree, found.beliefs, strict=True):
        if set(columns) <= set(node.columns):
            return summed(belief, node.columns, columns)
    kept = subtree(tree, set(columns))
    messages: dict[int, list[tuple[Array, Clique]]] = {i: [] for i in kept}
    for i in sorted(kept, reverse=True):
        node, top = tree[i], tree[i].parent not in kept
        table = found.beliefs[i]
        if not top:
            # p(C | S) = p(C) / p(S)
            given = np.divide(
                1.0, found.separators[i], out=np.zeros_like(found.separators[i]), where=found.separators[i] > 0
            )
            table = table * spread(given, node.separator, node.columns)
        wanted = set(columns) if top else set(columns) | set(node.separator)
        product, over = table, node.columns
        waiting = messages[i]
        for place, (message, its) in enumerate(waiting):
            needed = wanted.union(*(rest for _, rest in waiting[place + 1 :]))
            product, over = contracted(product, over, message, its, needed)
        if not waiting:
            kept_here = tuple(v for v in over if v in wanted)
            product, over = summed(product, over, kept_here), kept_here
        if top:
            return np.asarray(product.transpose([over.index(v) for v in columns]))
        messages[node.parent].append((product, over))
    raise AssertionError("a subtree has a top")


def subtree(tree: Tree, columns: set[int]) -> set[int]:
    """The nodes that are left when ends whose wanted columns are all in the next node are taken off."""
    kept, below = set(range(len(tree))), [0] * len(tree)
    for node in tree[1:]:
        below[node.parent] += 1
    for i in range(len(tree) - 1, 0, -1):
        if below[i] == 0 and columns & set(tree[i].columns) <= set(tree[i].separator):
            kept.remove(i)
            below[tree[i].parent] -= 1
    top = 0
    while below[top] == 1:
        (child,) = (i for i in kept if tree[i].parent == top)
        if not columns & set(tree[top].columns) <= set(tree[child].separator):
            break
        kept.remove(top)
        top = child
    return kept


def contracted(a: Array, its: Clique, b: Array, others: Clique, needed: set[int]) -> tuple[Array, Clique]:
    """The product of two tables, summed over the columns that nobody needs any more."""
    letter = {v: ascii_letters[i] for i, v in enumerate(sorted(set(its) | set(others)))}
    over = tuple(v for v in letter if v in needed)
    left, right, out = ("".join(letter[v] for v in clique) for clique in (its, others, over))
    return np.asarray(np.einsum(f"{left},{right}->{out}", a, b, optimize=True)), over
