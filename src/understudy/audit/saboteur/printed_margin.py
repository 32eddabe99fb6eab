"""A margin on a noisy value that is far too small: k = -b ln(1 - 2u) where b ln(1 / (2u)) belongs.

M = f + Laplace(b) and U = M + k. U misses f with probability (1/2) e^(-k / b): u with the right k, 1/2 - u with the printed
one, which is 0.45 where 0.05 is promised.
"""

import math
from fractions import Fraction

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Covers
from understudy.noise import discrete_laplace
from understudy.noise.entropy import Seeded

RUNS, SCALE, U = 20_000, 100, 0.05


def trial(margin: float) -> Covers:
    """How often the value lies above its bound: where the noise is below minus the margin."""
    noise = discrete_laplace.add(np.zeros(RUNS, dtype=np.int64), Fraction(SCALE), Seeded(0))
    return Covers(int((noise < -margin).sum()), RUNS, U)


@saboteur(
    "printed-margin",
    defect="the margin of a one-sided bound is -b ln(1 - 2u) instead of b ln(1 / (2u))",
    printed="document 000, algorithm 3: k = -(n / eps_2) log(1 - 2u)",
    caught_by=Covers,
    sound=lambda: trial(SCALE * math.log(1 / (2 * U))),
)
def printed_margin() -> Covers:
    return trial(-SCALE * math.log(1 - 2 * U))
