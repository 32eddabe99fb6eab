"""Discrete Gaussian noise of half the standard deviation that was charged.

The classical slip: a variance taken for a standard deviation, a sensitivity of 2C taken for C. The law has the right shape,
the mean and the support are right; only a test of the scale or of the loss sees it.
"""

from fractions import Fraction

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Sampled
from understudy.noise import discrete_gaussian
from understudy.noise.entropy import Seeded

RUNS, SIGMA = 20_000, 10


def trial(sigma2: Fraction) -> Sampled:
    """A count of 100 against one of 101, charged for noise of SIGMA: 1/SIGMA apart."""
    worlds = [np.full(RUNS, count, dtype=np.int64) for count in (100, 101)]
    one, other = (discrete_gaussian.add(world, sigma2, Seeded(i)) for i, world in enumerate(worlds))
    return Sampled(one, other, mu=1 / SIGMA)


@saboteur(
    "half-noise",
    defect="noise of half the standard deviation that was charged",
    printed="document 002, algorithm 2 (a clip of the mean has sensitivity 2C); a variance taken for a deviation",
    caught_by=Sampled,
    sound=lambda: trial(Fraction(SIGMA**2)),
)
def half_noise() -> Sampled:
    return trial(Fraction(SIGMA**2, 4))
