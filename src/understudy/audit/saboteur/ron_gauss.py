"""RON-Gauss's two scales: a covariance charged for 2 sqrt(p), a mean charged for 2, where rows have length 1.

The true moves under replace-one are sqrt(2) p (over all entries of x x^T) and 2 sqrt(p). No sampling audit sees this: at
p = 100 the loss spreads by 0.07 only. The exact sensitivity does.
"""

import math

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves

P = 16


def pair() -> tuple[np.ndarray, np.ndarray]:
    """Two rows of length 1 with all |x_i x_j - y_i y_j| equal to sqrt(2) / p."""
    angles = np.where(np.arange(P) % 2, 5 * np.pi / 8, np.pi / 8)
    u, v = math.sqrt(2 / P) * np.cos(angles), math.sqrt(2 / P) * np.sin(angles)
    return (u + v) / math.sqrt(2), (u - v) / math.sqrt(2)


def covariance(declared: float) -> Moves:
    """The second moments of one row against another's, every entry of the matrix."""
    x, y = pair()
    return Moves({"l1": declared}, [(np.outer(x, x), np.outer(y, y))])


def mean(declared: float) -> Moves:
    """One row against its opposite."""
    x = np.full(P, 1 / math.sqrt(P))
    return Moves({"l1": declared}, [(x, -x)])


@saboteur(
    "ron-gauss-covariance",
    defect="sqrt(p) where p belongs",
    printed="RON-Gauss, which document 004 runs: Laplace noise of scale 2 sqrt(p) / (n eps) on every entry of the covariance",
    caught_by=Moves,
    sound=lambda: covariance(math.sqrt(2) * P),
)
def ron_gauss_covariance() -> Moves:
    return covariance(2 * math.sqrt(P))


@saboteur(
    "ron-gauss-mean",
    defect="a Euclidean move taken for an l1 move",
    printed="the mean's scale 2 / (n eps) of RON-Gauss, where 2 sqrt(p) belongs",
    caught_by=Moves,
    sound=lambda: mean(2 * math.sqrt(P)),
)
def ron_gauss_mean() -> Moves:
    return mean(2.0)
