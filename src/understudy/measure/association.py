"""How strongly two columns go together: Pearson's correlation of ordered ones, Cramer's V of any.

    r  =  cov(x, y) / (sd(x) sd(y))                          of the columns' cells, counted from 0
    V  =  sqrt( chi2 / (n min(rows - 1, columns - 1)) )      between 0 and 1, over the cells that occur

>>> round(cramers_v(np.array([[10, 0], [0, 10]])), 6), cramers_v(np.array([[5, 5], [5, 5]]))
(1.0, 0.0)
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes, Columns
from understudy.measure.variation import Array
from understudy.question.counting import counts
from understudy.schema.column import Listed, Moment, Number
from understudy.schema.schema import Schema


def ordered(schema: Schema) -> Columns:
    """The columns whose cells have an order.

    Inside: it looks at the schema alone.
    """
    return tuple(
        c.name for c in schema.modelled if isinstance(c, Number | Moment) or (isinstance(c, Listed) and c.ordered)
    )


def pearson(codes: Codes, schema: Schema, pair: Columns) -> float:
    """The correlation of two ordered columns over the rows in which neither is missing; 0 where one is constant.

    Outside: of private rows it is private.
    """
    there = np.ones(len(codes[pair[0]]), dtype=bool)
    for name in pair:
        there &= codes[name] < schema.column(name).values_size
    x, y = (codes[name][there].astype(np.float64) for name in pair)
    if len(x) < 2 or x.std() == 0 or y.std() == 0:
        return 0.0
    return float(((x - x.mean()) * (y - y.mean())).mean() / (x.std() * y.std()))


def cramers_v(table: NDArray[np.generic]) -> float:
    """The association in a table of counts, from 0 (none) to 1 (one column tells the other).

    Outside: of private counts it is private.
    """
    found = np.asarray(table, dtype=np.float64)
    found = found[found.sum(axis=1) > 0][:, found.sum(axis=0) > 0]
    if min(found.shape) < 2:
        return 0.0
    n = found.sum()
    expected = found.sum(axis=1, keepdims=True) * found.sum(axis=0, keepdims=True) / n
    return float(np.sqrt(((found - expected) ** 2 / expected).sum() / (n * (min(found.shape) - 1))))


def associations(codes: Codes, schema: Schema, cells: int = 10**6) -> dict[Columns, float]:
    """Cramer's V of every pair of columns whose table has at most so many cells.

    Outside: of private rows it is private.
    """
    pairs = (pair for pair in combinations(schema.domain, 2) if schema.cells(pair) <= cells)
    return {pair: cramers_v(counts([codes[n] for n in pair], tuple(schema.domain[n] for n in pair))) for pair in pairs}


def correlations(codes: Codes, schema: Schema) -> dict[Columns, float]:
    """Pearson's r of every pair of ordered columns.

    Outside: of private rows it is private.
    """
    return {pair: pearson(codes, schema, pair) for pair in combinations(ordered(schema), 2)}


def largest_change(real: dict[Columns, float], synthetic: dict[Columns, float]) -> tuple[Columns, float, Array]:
    """The pair that changed most, by how much, and all changes.

    Outside: one of them is of private rows.
    """
    pairs = list(real)
    changes = np.array([synthetic[pair] - real[pair] for pair in pairs])
    worst = int(abs(changes).argmax())
    return pairs[worst], float(changes[worst]), changes
