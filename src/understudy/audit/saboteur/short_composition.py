"""Advanced composition with its second term left out.

N mechanisms of eps each come to  eps sqrt(2 N ln(1/delta)) + N eps (e^eps - 1) / (e^eps + 1).  The first term is the spread of
the loss, the second its mean. N randomized responses show that the mean is real: at eps = 1/2 and N = 100 the first term is 24,
and the loss that delta = 1e-5 leaves is 31.
"""

import math

import numpy as np
from scipy.stats import binom

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON, LOOKS, DELTA = 0.5, 100, 1e-5
SPREAD = EPSILON * math.sqrt(2 * LOOKS * math.log(1 / DELTA))
MEAN = LOOKS * EPSILON * math.tanh(EPSILON / 2)


def trial(claimed: float) -> Laws:
    """How many of N noisy bits are 1, where the true bit is 1, and where it is 0."""
    truth = 1 / (1 + math.exp(-EPSILON))
    ones = np.arange(LOOKS + 1)
    return Laws([(binom.pmf(ones, LOOKS, truth), binom.pmf(ones, LOOKS, 1 - truth))], epsilon=claimed, delta=DELTA)


@saboteur(
    "short-composition",
    defect="advanced composition without its second term",
    printed="document 004, section 2: eps sqrt(2 N ln(1/delta)) alone",
    caught_by=Laws,
    sound=lambda: trial(SPREAD + MEAN),
)
def short_composition() -> Laws:
    return trial(SPREAD)
