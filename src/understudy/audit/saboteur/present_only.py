"""Noise on the counts that are present, a threshold, and no delta: a value that one person alone has is sometimes shown.

The other table never shows it, so no epsilon bounds the loss: the chance of showing it is a delta, and must be charged.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON, TAU, MOST = 1.0, 12, 400


def shown_law(count: int) -> np.ndarray:
    """P[not shown], then P[shown with the noisy count y] for y = TAU, TAU + 1, ...; a count of 0 is not even tried."""
    if count == 0:
        return np.array([1.0, *np.zeros(MOST)])
    rate = np.exp(-EPSILON)
    y = np.arange(TAU, TAU + MOST)
    shown = (1 - rate) / (1 + rate) * rate ** np.abs(y - count)
    return np.array([1 - shown.sum(), *shown])


def trial(delta: float) -> Laws:
    """A value that nobody has against one that one person has; and one that two against three have."""
    return Laws([(shown_law(0), shown_law(1)), (shown_law(2), shown_law(3))], epsilon=EPSILON, delta=delta)


def pass_chance() -> float:
    """P[1 + Z >= TAU], the delta that must be charged."""
    return float(shown_law(1)[1:].sum())


@saboteur(
    "present-only",
    defect="a threshold on the values that are present, charged no delta",
    printed="a common slip: noisy value counts of a data frame",
    caught_by=Laws,
    sound=lambda: trial(pass_chance()),
)
def present_only() -> Laws:
    return trial(0.0)
