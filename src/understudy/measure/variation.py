"""Total variation between two tables over some columns, and the least that a table of so many rows could hope for.

    tv(p, q)         sum over cells of |p - q| / 2
    achievable(p,m)  its expectation where the m rows are a fresh sample of p itself: half the sum of the mean absolute
                     deviations of binomials, E|B/m - p| = 2 (1 - p)^(m - k) p^(k + 1) C(m - 1, k)   with k = floor(m p)

(de Moivre). A stand-in that is nearer than that is possible, since it may be balanced; one that is much farther lost
something that more than chance explains. A table that equals the private one has 0.

>>> total_variation(np.array([1, 3]), np.array([2, 2]))
0.25
>>> round(achievable(np.array([0.5, 0.5]), 1), 6), round(achievable(np.array([0.5, 0.5]), 100), 4)
(0.5, 0.0398)
"""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from understudy.game.player import Codes, Columns
from understudy.question.counting import counts
from understudy.schema.schema import Schema

Array = NDArray[np.float64]


def total_variation(p: NDArray[np.generic], q: NDArray[np.generic]) -> float:
    """Half the summed difference of two tables of counts, each as shares of its whole.

    Outside: of private counts it is private. Inside there is a bound: question/bound.py, `Variations`.
    """
    return float(abs(shares(p) - shares(q)).sum() / 2)


def achievable(p: NDArray[np.generic], rows: int) -> float:
    """The mean total variation between p and a sample of so many rows from it.

    Outside: it is computed from the private shares.
    """
    found = shares(p)
    found = found[(found > 0) & (found < 1)]
    k = np.floor(rows * found)
    # ln C(m - 1, k) = lgamma(m) - lgamma(k + 1) - lgamma(m - k);   k = m would need p = 1
    logs = gammaln(rows) - gammaln(k + 1) - gammaln(rows - k) + (k + 1) * np.log(found) + (rows - k) * np.log1p(-found)
    return float(np.exp(logs).sum())


def shares(counted: NDArray[np.generic]) -> Array:
    """A table of counts as shares of its whole; nothing at all is spread evenly."""
    table = np.asarray(counted, dtype=np.float64).ravel()
    whole = table.sum()
    return table / whole if whole > 0 else np.full(len(table), 1 / len(table))


def variations(
    real: Codes, synthetic: Codes, schema: Schema, ways: Iterable[Columns]
) -> list[tuple[Columns, float, float]]:
    """Each marginal with its total variation and, beside it, what a sample of as many rows would have.

    Outside: it looks at the private rows.
    """
    rows = len(next(iter(synthetic.values())))
    found = []
    for columns in ways:
        shape = tuple(schema.domain[name] for name in columns)
        p, q = (counts([table[name] for name in columns], shape) for table in (real, synthetic))
        found.append((columns, total_variation(p, q), achievable(p, rows)))
    return found


def ways_within(schema: Schema, k: int, cells: int, most: int) -> tuple[Columns, ...]:
    """All k-way marginals of at most so many cells; evenly thinned out to at most ``most``.

    Inside: it looks at the schema alone.
    """
    fitting = tuple(columns for columns in combinations(schema.domain, k) if schema.cells(columns) <= cells)
    step = -(-len(fitting) // most) if fitting else 1
    return fitting[::step]
