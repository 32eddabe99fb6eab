"""Privacy for the generator alone: its gradients are clipped and noised, its critic sees the private rows as they are.

The critic w in [-1, 1] is trained to the end: w = sign of the sum of the rows. One row turns it, and with it every
microbatch of the generator's gradient, by 2 C. Document 004 has such a generator; the noise of its epsilon 1 is 1.23 C
over 50 microbatches.
"""

import math
from fractions import Fraction

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Sampled
from understudy.noise.entropy import Seeded
from understudy.noise.sampled_gaussian import normals
from understudy.privacy.accountant import rho_within

RUNS, MICROBATCHES, SIGMA = 4000, 50, 1.2287
SUMS = (-0.5, 0.5)  # of the rows within [-1, 1]: one row more makes the second of the first
DELTA = 1e-5


def generator(critics: np.ndarray, entropy: Seeded) -> np.ndarray:
    """One step of phi from 0, against each critic: the mean of 50 gradients of size C = 1, and the noise on it."""
    return np.asarray(critics + SIGMA / MICROBATCHES * normals(len(critics), entropy))


def trial(noise: float) -> Sampled:
    """What the generator shows of the critic, which saw the sum with so much noise."""
    entropy = Seeded(0)
    first, second = (generator(np.sign(total + noise * normals(RUNS, entropy)), entropy) for total in SUMS)
    return Sampled(first, second, epsilon=1.0, delta=DELTA)


def gaussian() -> float:
    """The noise of one look at a sum that a row moves by 1: epsilon 1 in all."""
    return math.sqrt(1 / (2 * float(rho_within(Fraction(1), Fraction(1, 10**5)))))


@saboteur(
    "generator-only",
    defect="the critic is trained on the private rows without privacy",
    printed="document 004: a DP optimiser for the generator, and a plain one for its critic",
    caught_by=Sampled,
    sound=lambda: trial(gaussian()),
)
def generator_only() -> Sampled:
    return trial(0.0)
