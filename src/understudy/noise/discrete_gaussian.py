"""Discrete Gaussian noise.

Law.    P[Z = z] = exp(-z^2 / (2 sigma2)) / N,   N = sum over all integers z of the numerator.

Privacy.  On integers whose squared L2 norm moves by at most l2sq: rho = l2sq / (2 sigma2) zCDP, as for the continuous
Gaussian (Canonne, Kamath, Steinke 2020). Proof: proof/discrete_gaussian.md.

Tail.   P[Z >= m] <= P[N(0, sigma2) >= m - 1] for every integer m, and the variance is at most sigma2.
"""

import math
from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from understudy.noise import discrete_laplace
from understudy.noise.entropy import Entropy, OperatingSystem, Seeded, opendp, unknown
from understudy.noise.scale import clamp, drawn_root

SUMMABLE = 10_000.0  # up to this sigma the tail is summed term by term, beyond it is bounded
SLACK = 1 + 1e-9  # covers every float rounding below, together a relative 1e-10 at most


def add(exact: NDArray[np.int64], sigma2: Fraction, entropy: Entropy) -> NDArray[np.int64]:
    """The exact integers plus independent discrete Gaussian noise, in the same shape.

    >>> add(np.array([[10, 20], [30, 40]]), Fraction(4), Seeded(0)).shape
    (2, 2)
    """
    values, sigma = clamp(exact), drawn_root(sigma2)
    if isinstance(entropy, Seeded):
        return values + twin(values.size, sigma, entropy.generator).reshape(values.shape)
    if isinstance(entropy, OperatingSystem):
        return released(values, sigma)
    raise unknown(entropy)


def released(values: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
    """OpenDP's sampler: exact for the float it is given, saturating at the ends of int64."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    noisy = dp.m.make_gaussian(*space, scale=sigma)(values.ravel().tolist())
    return np.array(noisy, dtype=np.int64).reshape(values.shape)


def twin(size: int, sigma: float, generator: np.random.Generator) -> NDArray[np.int64]:
    """The same law from numpy, by rejection from the discrete Laplace of scale floor(sigma) + 1. Not private."""
    width = math.floor(sigma) + 1.0
    kept = np.empty(0, dtype=np.int64)
    while kept.size < size:
        proposal = discrete_laplace.twin((2 * (size - kept.size) + 16,), width, generator)
        # accept with probability exp(-(|y| - sigma^2/width)^2 / (2 sigma^2))
        distance = (np.abs(proposal) - sigma**2 / width) / sigma
        accepted = generator.random(proposal.size) < np.exp(-(distance**2) / 2)
        kept = np.concatenate([kept, proposal[accepted]])
    return kept[:size]


def upper(sigma2: Fraction, beta: float) -> int:
    """The smallest integer t >= 0 that is proved here to satisfy P[Z > t] <= beta, for 1e-100 <= beta < 1.

    >>> upper(Fraction(25), 0.05), upper(Fraction(25), 1e-15), upper(Fraction(10**12), 0.05)
    (8, 40, 1644854)
    """
    if not 1e-100 <= beta < 1:
        raise ValueError("beta lies between 1e-100 and 1")
    sigma = drawn_root(sigma2)
    return summed(sigma, beta) if sigma <= SUMMABLE else bounded(sigma, beta)


@lru_cache(maxsize=256)
def summed(sigma: float, beta: float) -> int:
    """By summing the law itself. What lies beyond 39 sigma has probability below 1e-300."""
    z = np.arange(math.ceil(39 * sigma) + 2, dtype=np.float64)
    weight = np.exp(-(z**2) / (2 * sigma**2))
    # tail[t] = sum over z > t, added from the small end; N = weight[0] + 2 tail[0]
    tail = np.cumsum(weight[::-1])[::-1][1:]
    miss = tail / (weight[0] + 2 * tail[0]) * SLACK
    return int(np.argmax(miss <= beta))


def bounded(sigma: float, beta: float) -> int:
    """By the continuous tail: P[Z > t] = P[Z >= t + 1] <= P[N(0, sigma^2) >= t] = erfc(t / (sigma sqrt 2)) / 2."""

    def safe(t: int) -> bool:
        return math.erfc(t / (sigma * math.sqrt(2))) / 2 * SLACK <= beta

    return bisect_left(range(math.ceil(39 * sigma)), True, key=safe)


def upper_of_sum(sigma2: Fraction, many: int, beta: float) -> int:
    """An integer t that the sum of many independent draws exceeds with probability at most beta.

    Chernoff: P[sum > t] <= E[e^(s Z)]^many e^(-s t), and E[e^(s Z)] <= e^(s^2 sigma^2 / 2); the best s gives

        t = sigma sqrt(2 many ln(1 / beta))

    >>> upper_of_sum(Fraction(25), 100, 0.05), upper_of_sum(Fraction(25), 1, 0.05)
    (123, 8)
    """
    if many == 1:
        return upper(sigma2, beta)
    return math.ceil(drawn_root(sigma2) * math.sqrt(-2 * many * math.log(beta)) * SLACK)
