"""Exchange: rows that break a rule trade one column's cells with other rows, so that both obey.

A trade moves no one-way count: what a column has in all rows together stays as the guess said. A redraw cannot promise
that; where visits are spread over a year and discharges do not come before them, redrawing discharges pushes them all to
the end of the year, while trading puts each beside a visit that it can follow.

    r and s may trade column j   where   cell_j(s) is permitted to r   and   cell_j(r) is permitted to s

Rows that agree in j and in the columns that stand in a rule with it are alike here, so partners are sought by kind:
a kind in proportion to how many rows are of it, then any row of that kind. No row is in two trades of a round.
"""

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes
from understudy.schema.rules import Rules

ROUNDS = 20
WORTH = 50  # a round that mends fewer than one in so many broken rows is the last
BLOCK = 2**22  # pairs of kinds, or of a row and a kind, that are looked at together

Places = NDArray[np.intp]


def exchange(rows: Codes, rules: Rules, rng: np.random.Generator) -> None:
    """Trade in place until that mends nothing more: columns of a ``then`` and the later ones of an order, then the others."""
    for columns in (rules.targets, rules.columns):
        for _ in range(ROUNDS):
            broken = int(rules.broken(rows).sum())
            if sum(trade(rows, name, rules, rng) for name in columns) * WORTH <= broken:
                break


def trade(rows: Codes, name: str, rules: Rules, rng: np.random.Generator) -> int:
    """One round for one column; how many rows were mended."""
    kinds, kind = kinds_of(rows, (*rules.beside(name), name), rules)
    cell = kinds[name]
    permitted = rules.permitted(kinds, name)
    bad = rng.permutation(np.flatnonzero(~permitted[np.arange(len(cell)), cell]))[: max(BLOCK // len(cell), 1)]
    ends = np.cumsum(np.bincount(kind, minlength=len(cell)))
    # how many rows of each kind a row of a bad kind may trade with, summed up
    partners = np.cumsum((permitted[bad][:, cell] & permitted[:, cell[bad]].T) * np.diff(ends, prepend=0), axis=1)
    line = np.full(len(cell), -1)
    line[bad] = np.arange(len(bad))
    r = rng.permutation(np.flatnonzero(line[kind] >= 0))
    r = r[partners[line[kind[r]], -1] > 0][: max(BLOCK // len(cell), 1)]
    if len(r) == 0:
        return 0
    sums = partners[line[kind[r]]]
    ticket = rng.integers(sums[:, -1])
    chosen = (sums <= ticket[:, None]).sum(axis=1)
    queue = np.argsort(kind + rng.random(len(kind)))  # rows by kind, shuffled within it
    s = queue[ends[chosen] - (sums[np.arange(len(r)), chosen] - ticket)]
    r, s = apart(r, s, len(kind))
    rows[name][r], rows[name][s] = rows[name][s], rows[name][r]
    return len(r)


def kinds_of(rows: Codes, columns: tuple[str, ...], rules: Rules) -> tuple[Codes, Places]:
    """The different rows over some columns, and which of them each row is."""
    kind = np.zeros(len(rows[columns[0]]), dtype=np.intp)
    for name in columns:
        kind = np.unique(kind * rules.sizes[name] + rows[name], return_inverse=True)[1]
    first = np.unique(kind, return_index=True)[1]
    return {name: rows[name][first] for name in columns}, kind


def apart(r: Places, s: Places, n: int) -> tuple[Places, Places]:
    """Of all pairs that share a row, the first."""
    order, first = np.arange(len(r)), np.full(n, len(r))
    np.minimum.at(first, np.concatenate([r, s]), np.concatenate([order, order]))
    alone = (first[r] == order) & (first[s] == order)
    return r[alone], s[alone]
