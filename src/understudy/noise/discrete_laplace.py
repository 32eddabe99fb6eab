"""Discrete Laplace noise.

Law.    P[Z = z] = (1-p)/(1+p) p^|z|,   p = exp(-1/scale),   z integer.

Privacy.  On integers that move by at most l1 in the L1 norm: eps = l1 / scale, pure. Proof: proof/discrete_laplace.md.

Tail.   P[Z >= k] = p^k / (1+p) for k >= 1, and 1 - p^(1-k) / (1+p) for k <= 0.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy, OperatingSystem, Seeded, opendp, unknown
from understudy.noise.exponential import bounds
from understudy.noise.scale import clamp, drawn


def add(exact: NDArray[np.int64], scale: Fraction, entropy: Entropy) -> NDArray[np.int64]:
    """The exact integers plus independent discrete Laplace noise, in the same shape.

    >>> add(np.array([10, 20, 30]), Fraction(2), Seeded(0)).shape
    (3,)
    """
    values, width = clamp(exact), drawn(scale)
    if isinstance(entropy, Seeded):
        return values + twin(values.shape, width, entropy.generator)
    if isinstance(entropy, OperatingSystem):
        return released(values, width)
    raise unknown(entropy)


def released(values: NDArray[np.int64], width: float) -> NDArray[np.int64]:
    """OpenDP's sampler: exact for the float it is given, saturating at the ends of int64."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    noisy = dp.m.make_laplace(*space, scale=width)(values.ravel().tolist())
    return np.array(noisy, dtype=np.int64).reshape(values.shape)


def twin(shape: tuple[int, ...], width: float, generator: np.random.Generator) -> NDArray[np.int64]:
    """The same law from numpy: the difference of two geometric variables. Not private."""
    # P[G = g] = p^(g-1) (1-p), g >= 1, and P[G - G' = z] = (1-p)/(1+p) p^|z|
    success = -math.expm1(-1 / width)
    return generator.geometric(success, shape) - generator.geometric(success, shape)


def tail(scale: Fraction, k: int) -> Fraction:
    """P[Z >= k], rounded up by less than one part in 1e60.

    >>> float(tail(Fraction(1), 0)) == 1 / (1 + math.exp(-1))
    True
    """
    width = Fraction(drawn(scale))
    p_low, p_high = bounds(1 / width)
    if k >= 1:
        # p^k / (1+p)
        return bounds(k / width)[1] / (1 + p_low)
    # 1 - p^(1-k) / (1+p)
    return 1 - bounds((1 - k) / width)[0] / (1 + p_high)


@lru_cache(maxsize=256)
def upper(scale: Fraction, beta: float | Fraction) -> int:
    """The smallest integer t >= 0 with P[Z > t] <= beta, proved in fractions.

    >>> upper(Fraction(1), 0.05), upper(Fraction(1), 1e-15)
    (2, 34)
    """
    miss = Fraction(beta)
    if not 0 < miss < 1:
        raise ValueError("beta lies strictly between 0 and 1")
    # P[Z > t] = p^(t+1) / (1+p) <= beta  iff  t + 1 >= scale (-ln beta - ln(1+p)); the float is a start, not a proof
    width = drawn(scale)
    log_beta = math.log(miss.numerator) - math.log(miss.denominator)
    t = max(0, math.ceil(width * (-log_beta - math.log1p(math.exp(-1 / width)))) - 1)
    while t > 0 and tail(scale, t) <= miss:
        t -= 1
    while tail(scale, t + 1) > miss:
        t += 1
    return t


def upper_of_sum(scale: Fraction, many: int, beta: float) -> int:
    """An integer t that the sum of many independent draws exceeds with probability at most beta.

    The union bound, or Chernoff, P[sum > t] <= E[e^(s Z)]^many e^(-s t), at the best of some s below 1/scale:

        E[e^(s Z)] = (1-p)^2 / ((1 - p e^s) (1 - p e^-s)),      t = (many ln E[e^(s Z)] + ln(1 / beta)) / s

    >>> upper_of_sum(Fraction(5), 100, 0.05), upper_of_sum(Fraction(5), 1, 0.05)
    (175, 11)
    """
    union = many * upper(scale, beta / many)
    if many == 1:
        return union
    rate = 1 / drawn(scale)
    s = rate * np.arange(1, 200) / 200
    log_mean = 2 * np.log(-np.expm1(-rate)) - np.log(-np.expm1(s - rate)) - np.log(-np.expm1(-s - rate))
    # the slack covers every float rounding
    chernoff = float(np.min((many * log_mean - math.log(beta)) / s))
    return min(union, math.ceil(chernoff * (1 + 1e-9)))
