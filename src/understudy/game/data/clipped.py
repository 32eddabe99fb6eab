"""Clipped: the Gaussian whose values, once they are clipped to 0..1, have given means and covariances.

    x_i = clip(mu_i + s_i g_i, 0, 1),   g ~ N(0, R)
    mu, s    such that  E x_i and Var x_i  are as given                        (bisection within bisection)
    R        such that  Cov(x_i, x_j) = sum_k c_k(i) c_k(j) R_ij^k  is as given, as nearly as R = L^T L of a given rank allows
    c_k(i) = E[x_i He_k(g_i)] / sqrt(k!),    He_k the Hermite polynomials

L is found by turns: the terms beyond the first are taken at the last L, and the rest is factored by its leading directions.

Levels of pictures pile up at black and white: a Gaussian that is clipped afterwards has other moments than were measured,
and greys where there are none. This one has the moments, and the piles: a Gaussian copula of clipped normals.

>>> shift, spread = latent(np.array([0.3]), np.array([0.1]))
>>> [round(float(x[0]), 3) for x in moments(shift, spread)]
[0.3, 0.1]
"""

from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

TERMS, ROUNDS = 8, 3
LEAST = 1e-6  # of a first coefficient
MEAN, SPREAD = 1e-4, (1e-3, 50.0)  # how near means come to 0 and 1; which deviations are tried
FULL = 0.98  # of m (1 - m), the largest variance that a number between 0 and 1 has

Array = NDArray[np.float64]


def moments(shift: Array, spread: Array) -> tuple[Array, Array]:
    """Mean and variance of a clipped normal."""
    a, b = -shift / spread, (1 - shift) / spread
    inside, above = ndtr(b) - ndtr(a), ndtr(-b)
    # E[g; a < g < b] = phi(a) - phi(b),   E[g^2; a < g < b] = inside + a phi(a) - b phi(b)
    first, second = bell(a) - bell(b), inside + a * bell(a) - b * bell(b)
    mean = shift * inside + spread * first + above
    square = shift**2 * inside + 2 * shift * spread * first + spread**2 * second + above
    return mean, square - mean**2


def bell(x: Array) -> Array:
    """The normal density."""
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi))


def latent(mean: Array, variance: Array) -> tuple[Array, Array]:
    """Shift and spread of the normals whose clipped values have these means and variances, as nearly as any have."""
    mean = np.clip(mean, MEAN, 1 - MEAN)
    variance = np.clip(variance, 0, FULL * mean * (1 - mean))
    low, high = (np.full(mean.shape, np.log(end)) for end in SPREAD)
    for _ in range(40):
        middle = (low + high) / 2
        wide = moments(shift_of(mean, np.exp(middle)), np.exp(middle))[1] > variance
        low, high = np.where(wide, low, middle), np.where(wide, middle, high)
    spread = np.exp(low)
    return shift_of(mean, spread), spread


def shift_of(mean: Array, spread: Array) -> Array:
    """Where a normal of that spread has that mean once it is clipped."""
    low, high = -8 * spread, 1 + 8 * spread
    for _ in range(40):
        middle = (low + high) / 2
        below = moments(middle, spread)[0] < mean
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def coefficients(shift: Array, spread: Array) -> Array:
    """c_1 .. c_K, one row each: E[x He_k(g)] = spread E[He_(k-1)(g); a < g < b]."""
    a, b = -shift / spread, (1 - shift) / spread
    at_a, at_b = [np.ones_like(a), a], [np.ones_like(b), b]
    for k in range(1, TERMS):
        # He_(k+1) = x He_k - k He_(k-1)
        at_a.append(a * at_a[k] - k * at_a[k - 1])
        at_b.append(b * at_b[k] - k * at_b[k - 1])
    # the integral of He_k phi is - He_(k-1) phi
    inner = [at_a[k - 2] * bell(a) - at_b[k - 2] * bell(b) for k in range(2, TERMS + 1)]
    rows = [spread * row / factorial(k) ** 0.5 for k, row in enumerate([ndtr(b) - ndtr(a), *inner], start=1)]
    return np.array(rows)


def beyond_first(c: Array, correlation: Array) -> Array:
    """sum_(k >= 2) c_k(i) c_k(j) R_ij^k: what covariances have beyond the first order."""
    total, power = np.zeros_like(correlation), correlation
    for row in c[1:]:
        power = power * correlation
        total += np.outer(row, row) * power
    return total


def factor(covariance: Array, most: int) -> Array:
    """L (k x p) with L^T L the nearest positive matrix of rank ``most`` at most."""
    values, vectors = np.linalg.eigh(covariance)
    leading = np.flatnonzero(values > 0)[-most:]
    return np.asarray((vectors[:, leading] * np.sqrt(values[leading])).T)


def clipped(mean: Array, covariance: Array, variance: Array, most: int) -> tuple[Array, Array, Array]:
    """Offset, root (k x p) and specks of the Gaussian whose clipped values have these means, covariances and variances."""
    shift, spread = latent(mean, variance)
    c = coefficients(shift, spread)
    first = np.maximum(c[0], LEAST)
    root = bounded(factor(covariance, most) / first)
    for _ in range(ROUNDS):
        higher = beyond_first(c, root.T @ root)
        root = bounded(factor(covariance - higher, most) / first)
    left = np.sqrt(np.maximum(1 - (root**2).sum(axis=0), 0))
    return shift, root * spread, left * spread


def bounded(root: Array) -> Array:
    """Columns no longer than 1: a correlation of a coordinate with itself is not more."""
    return np.asarray(root / np.sqrt(np.maximum((root**2).sum(axis=0), 1)))
