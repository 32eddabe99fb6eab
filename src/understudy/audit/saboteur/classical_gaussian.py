"""The classical scale of the Gaussian mechanism, sigma = sqrt(2 ln(1.25 / delta)) / eps, far beyond eps = 1.

Its proof needs eps <= 1. At eps = 20 and delta = 1e-5 the true delta is 1.5e-3. The exact delta of two Gaussians mu apart is
Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
"""

import math

from understudy.audit.bounds import gaussian_delta
from understudy.audit.registry import saboteur
from understudy.audit.trial import Bounded

DELTA = 1e-5


def trial(epsilon: float) -> Bounded:
    """Noise by the classical formula, and the delta that it really leaves."""
    mu = epsilon / math.sqrt(2 * math.log(1.25 / DELTA))
    return Bounded(f"delta at epsilon {epsilon:g}", gaussian_delta(mu, epsilon), DELTA)


@saboteur(
    "classical-gaussian",
    defect="the classical Gaussian scale used for epsilons that its proof leaves out",
    printed="document 000, section 2: the Gaussian mechanism for any epsilon",
    caught_by=Bounded,
    sound=lambda: trial(1.0),
)
def classical_gaussian() -> Bounded:
    return trial(20.0)
