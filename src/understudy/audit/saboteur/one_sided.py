"""One-sided exponential noise on a value, as the draft's oracles add it: the value is a floor that nobody falls below.

The support of f(S) + Exp(Delta / eps) begins at f(S). What lies between f(S') and f(S) has probability 1 - e^(-eps) in one
world and none in the other, at every eps: delta is 0.63 at eps = 1. Only the place of the largest perturbed score may be shown
(permute-and-flip), never a perturbed value. The sound twin is two-sided.
"""

import numpy as np
from scipy.stats import expon, laplace

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON, DELTA = 1.0, 1e-6
CUTS = np.linspace(-60, 60, 961)  # eighths


def shown(noise: object) -> Laws:
    """A count of 0 against one of 1, with noise of scale 1 / eps."""
    laws = [np.diff(noise.cdf(CUTS, loc=count, scale=1 / EPSILON)) for count in (0, 1)]  # type: ignore[attr-defined]
    return Laws([(laws[0], laws[1])], epsilon=EPSILON, delta=DELTA)


@saboteur(
    "one-sided",
    defect="exponential noise on a released value: its support begins at the private number",
    printed="document 003: the oracles' perturbation",
    caught_by=Laws,
    sound=lambda: shown(laplace),
)
def one_sided() -> Laws:
    return shown(expon)
