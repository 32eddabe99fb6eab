"""Gaussian noise by the hundred thousand, and the coins of a Poisson sample.

Law.    answer = round(exact + N(0, sigma2)), each entry by itself;     P[row in the sample] = floor(rate 2^64) / 2^64.

Because the exact entries are integers, rounding after the noise is rounding the noise: the answer is a function of the
continuous Gaussian mechanism's, and no more can be learnt from it. Pairs of normals come from pairs of 64-bit words u, v
(Box and Muller):

    r = sqrt(-2 ln((u + 1/2) / 2^64)),      N_1 = r cos(2 pi v / 2^64),      N_2 = r sin(2 pi v / 2^64)

Privacy.  Words come from the operating system's generator, for noise and coins alike; no generator of ours keeps a state
that could be recovered from answers. What is not exact, and not charged: double rounding, and the tail, which ends at 9.6
sigma (a mass of 1e-21 an entry). OpenDP's exact sampler would take a second for each step of a network.
Proof: proof/sampled_gaussian.md.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy, known
from understudy.noise.scale import clamp, drawn_root

WORD = 2.0**-64


def add(exact: NDArray[np.int64], sigma2: Fraction, entropy: Entropy) -> NDArray[np.int64]:
    """The exact integers plus rounded Gaussian noise, in the same shape.

    >>> from understudy.noise.entropy import Seeded
    >>> add(np.zeros((3, 2), dtype=np.int64), Fraction(10**6), Seeded(0)).shape
    (3, 2)
    """
    values, sigma = clamp(exact), drawn_root(sigma2)
    noise = np.rint(sigma * normals(values.size, known(entropy))).astype(np.int64)
    return values + noise.reshape(values.shape)


def normals(n: int, entropy: Entropy) -> NDArray[np.float64]:
    """n independent standard normals."""
    pairs = (n + 1) // 2
    u, v = entropy.words(2 * pairs).reshape(2, pairs)
    # r = sqrt(-2 ln((u + 1/2) / 2^64)); a u at the very top rounds to 1 and gives 0
    r, angle = np.sqrt(-2 * np.log((u + 0.5) * WORD)), v * (2 * math.pi * WORD)
    return np.concatenate([r * np.cos(angle), r * np.sin(angle)])[:n]


def heads(n: int, rate: Fraction, entropy: Entropy) -> NDArray[np.bool_]:
    """n independent coins, heads with at most the probability ``rate``.

    >>> from understudy.noise.entropy import Seeded
    >>> int(heads(1000, Fraction(1), Seeded(0)).sum()), int(heads(1000, Fraction(1, 2**70), Seeded(0)).sum())
    (1000, 0)
    """
    if rate == 1:
        return np.ones(n, dtype=np.bool_)
    return known(entropy).words(n) < np.uint64(math.floor(rate * 2**64))
