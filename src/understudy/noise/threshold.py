"""Which keys are present, shown only where a noisy count is large: discrete Laplace and a threshold.

Law.    A key that is present is shown where count + Z >= tau, Z discrete Laplace; an absent key is never shown.

Privacy.  Keys present in both of two neighbours cost the Laplace's eps = l1 / scale. If at most m keys are in only one
of the two, each with a count of at most m, one of them is seen with probability at most

    delta = m * pass_probability(scale, tau, m)         proof/threshold.md

Only present keys are drawn for, so the caller hands out the shown keys in a public order (sorted), not in table order.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.noise import discrete_laplace
from understudy.noise.entropy import Entropy


def pass_probability(scale: Fraction, tau: int, count: int) -> Fraction:
    """P[count + Z >= tau], rounded up by less than one part in 1e60.

    >>> f"{float(pass_probability(Fraction(1), 20, 1)):.4g}"
    '4.096e-09'
    """
    return discrete_laplace.tail(scale, tau - count)


def tau_for(scale: Fraction, delta: Fraction, count: int) -> int:
    """The smallest tau at which a key of this count passes with probability at most delta.

    >>> tau_for(Fraction(1), Fraction(1, 10**6), 1)
    15
    """
    if not 0 < delta < Fraction(1, 2):
        raise ValueError("the delta of a threshold lies strictly between 0 and 1/2")
    # P[Z >= tau - count] <= delta  iff  tau - count - 1 >= upper(delta)
    return count + discrete_laplace.upper(scale, delta) + 1


def keep(
    counts: NDArray[np.int64], scale: Fraction, tau: int, entropy: Entropy
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """The places of the keys that are shown, and their noisy counts. ``counts`` are those of the keys present.

    >>> from understudy.noise.entropy import Seeded
    >>> keep(np.array([1000, 1, 2000]), Fraction(1), 40, Seeded(0))[0].tolist()
    [0, 2]
    """
    noisy = discrete_laplace.add(counts, scale, entropy)
    shown = np.flatnonzero(noisy >= tau)
    return shown, noisy[shown]
