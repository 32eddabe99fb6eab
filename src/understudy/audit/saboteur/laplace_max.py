"""Report-noisy-max with Laplace noise of scale Delta/eps, on scores that are not monotone.

Between two neighbours one score of k may rise while another falls. With scale Delta/eps the loss tends to 2 eps as k grows;
with two candidates it is about eps, so a small test sees nothing: k = 100 here. The sound scale is 2 Delta/eps.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

CANDIDATES, EPSILON = 100, 1.0


def winner_law(scores: np.ndarray, scale: float) -> np.ndarray:
    """P[i wins] = integral of f(x - s_i) prod over j of F(x - s_j), by the trapezoid rule."""
    x = np.linspace(-40 * scale, 60 * scale, 200_001)
    gap = (x[:, None] - np.unique(scores)[None, :]) / scale
    tail = np.exp(-np.abs(gap)) / 2
    log_below = np.log(np.where(gap < 0, tail, 1 - tail))
    values, inverse, many = np.unique(scores, return_inverse=True, return_counts=True)
    all_below = (many * log_below).sum(axis=1)
    wins = np.trapezoid(np.exp(all_below[:, None] - log_below) * tail / scale, x, axis=0)
    return np.asarray(wins[inverse])


def trial(scale: float) -> Laws:
    """One score rises and one falls by Delta = 1."""
    first, second = np.zeros(CANDIDATES), np.zeros(CANDIDATES)
    first[0] = second[1] = 1.0
    return Laws([(winner_law(first, scale), winner_law(second, scale))], epsilon=EPSILON)


@saboteur(
    "laplace-max",
    defect="noisy maximum with Laplace noise of half the scale that non-monotone scores need",
    printed="document 001, theorem 17",
    caught_by=Laws,
    sound=lambda: trial(2 / EPSILON),
)
def laplace_max() -> Laws:
    return trial(1 / EPSILON)
