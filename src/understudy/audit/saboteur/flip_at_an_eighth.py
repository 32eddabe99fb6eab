"""Permute-and-flip, which is eps pure, charged eps^2/8 like the exponential mechanism.

The eighth rests on the loss lying in an interval of length eps (bounded range). Permute-and-flip's interval is twice as long:
with two candidates and eps = 1 its divergence is 0.327, above 1/8. It is charged eps^2/2.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON = 1.0


def flip_law(gap: float) -> np.ndarray:
    """Two candidates, the first ahead by ``gap``: the other wins if it comes first and its coin falls well."""
    behind = np.exp(-EPSILON * abs(gap) / 2) / 2
    return np.array([1 - behind, behind] if gap >= 0 else [behind, 1 - behind])


def trial(rho: float) -> Laws:
    """Each score moves by 1 in its own direction: the gap moves from g - 1 to g + 1."""
    return Laws([(flip_law(g - 1), flip_law(g + 1)) for g in np.linspace(-4, 4, 33)], rho=rho)


@saboteur(
    "flip-at-an-eighth",
    defect="permute-and-flip charged as if its loss had bounded range",
    printed="a common slip: report-noisy-max with exponential noise in a zCDP ledger",
    caught_by=Laws,
    sound=lambda: trial(EPSILON**2 / 2),
)
def flip_at_an_eighth() -> Laws:
    return trial(EPSILON**2 / 8)
