"""Document 002's groups of weights: each group clipped to its own c_j, with noise sigma c_j, charged as one clip.

In units of their own noise, l groups move by 1 each, together by sqrt(l): at sigma = 4 and ten groups what is charged as
epsilon 0.95 is 4.1. Noise of sigma sqrt(l) c_j keeps the charge.
"""

import math

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves

CLIPS = np.array([0.5, 2.0, 1.0, 4.0, 0.25])
ROW = np.array([[3.0, -4.0], [0.0, 5.0], [1.0, 1.0], [-9.0, 0.0], [2.0, 2.0]])  # a gradient, group by group


def whitened(noise: np.ndarray) -> np.ndarray:
    """What one row adds, each group clipped to its c_j and counted in units of its noise."""
    norms = np.linalg.norm(ROW, axis=1)
    return np.asarray(ROW * (np.minimum(1, CLIPS / norms) / noise)[:, None])


def trial(factor: float) -> Moves:
    """Charged for one clip of 1 in units of the noise."""
    return Moves({"l2": 1.0}, [(np.zeros_like(ROW), whitened(factor * CLIPS))])


@saboteur(
    "dropped-root",
    defect="the cost of l groups of weights is charged as that of one",
    printed="document 002, algorithm 4 and its analysis: noise sigma c_j for group j, and no sqrt(l)",
    caught_by=Moves,
    sound=lambda: trial(math.sqrt(len(CLIPS))),
)
def dropped_root() -> Moves:
    return trial(1.0)
