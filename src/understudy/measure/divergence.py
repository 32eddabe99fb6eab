"""Two more ways to compare one column of two tables: Jensen and Shannon's distance, and Pearson's chi-square.

    js(p, q)  =  sqrt( (KL(p | m) + KL(q | m)) / 2 ),    m = (p + q) / 2,  logarithms to base 2: between 0 and 1
    chi2      =  sum (observed - expected)^2 / expected  over the 2 x cells table of counts, expected by its margins

>>> jensen_shannon(np.array([1, 0]), np.array([0, 1]))
1.0
>>> chi_square(np.array([10, 20]), np.array([20, 10])).per_freedom
6.666666666666667
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.measure.variation import Array, shares


def jensen_shannon(p: NDArray[np.generic], q: NDArray[np.generic]) -> float:
    """The distance of two tables of counts, each as shares; 0 where they are alike, 1 where they share no cell.

    Outside: of private counts it is private.
    """
    one, other = shares(p), shares(q)
    middle = (one + other) / 2
    return float(max((relative_entropy(one, middle) + relative_entropy(other, middle)) / 2, 0.0) ** 0.5)


def relative_entropy(p: Array, q: Array) -> float:
    """KL(p | q) in bits, where q is positive wherever p is.

    Outside: of private shares it is private.
    """
    there = p > 0
    return float((p[there] * np.log2(p[there] / q[there])).sum())


@dataclass(frozen=True)
class ChiSquare:
    """The statistic and its degrees of freedom: chance alone makes about one for each."""

    statistic: float
    freedom: int

    @property
    def per_freedom(self) -> float:
        """The statistic for each degree of freedom; about 1 where both tables are samples of one distribution."""
        return self.statistic / self.freedom if self.freedom else 0.0


def chi_square(p: NDArray[np.generic], q: NDArray[np.generic]) -> ChiSquare:
    """Whether two tables of counts could be samples of one distribution. Cells that are empty in both count for nothing.

    Outside: of private counts it is private.
    """
    observed = np.stack([np.ravel(p), np.ravel(q)]).astype(np.float64)
    observed = observed[:, observed.sum(axis=0) > 0]
    whole = observed.sum()
    if whole == 0 or (observed.sum(axis=1) == 0).any():
        return ChiSquare(0.0, 0)
    expected = observed.sum(axis=1, keepdims=True) * observed.sum(axis=0, keepdims=True) / whole
    return ChiSquare(float(((observed - expected) ** 2 / expected).sum()), observed.shape[1] - 1)
