"""What an audit may conclude from counts: lower bounds that hold with a stated confidence.

    an adversary who says "second world" is right TPR of the time in the second world, and wrong FPR in the first

Clopper-Pearson   P[rate < lower] <= error and P[rate > upper] <= error, exactly, for any rate
no shape          epsilon >= max of ln((TPR - delta) / FPR) and ln((TNR - delta) / FNR)
zCDP              rho >= D_a(Bern(TPR) || Bern(FPR)) / a for every order a > 1, both ways round: post-processing loses only
Gaussian shape    mu >= Phi^-1(TPR) - Phi^-1(FPR), if the trade-off is that of two Gaussians mu apart;
                  delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

>>> f"{epsilon_without_shape(Rates.of(1000, 1000, 1000, 1000, 0.95), 0.0):.2f}"
'5.60'
>>> f"{epsilon_of_gaussian(1.0, 1e-5):.3f}"
'4.377'
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtr, ndtri

ORDERS = (1.0001, 1.1, 1.5, 2.0, 3.0, 5.0, 8.0, 16.0, 64.0)


def lower(hits: ArrayLike, runs: int, error: float) -> np.ndarray:
    """The Clopper-Pearson lower end: the true rate lies below it with probability at most ``error``."""
    k = np.asarray(hits, dtype=np.float64)
    return np.where(k <= 0, 0.0, betaincinv(np.maximum(k, 1e-9), runs - k + 1, error))


def upper(hits: ArrayLike, runs: int, error: float) -> np.ndarray:
    """The Clopper-Pearson upper end."""
    return 1.0 - lower(runs - np.asarray(hits, dtype=np.float64), runs, error)


def interval(hits: int, runs: int, confidence: float) -> tuple[float, float]:
    """Both ends, together wrong with probability at most 1 - confidence.

    >>> [round(end, 3) for end in interval(5, 10, 0.95)]
    [0.187, 0.813]
    """
    error = (1 - confidence) / 2
    return float(lower(hits, runs, error)), float(upper(hits, runs, error))


@dataclass(frozen=True)
class Rates:
    """Bounds on the four rates of one guess, all true together with the confidence they were made for."""

    tpr_low: float
    fpr_high: float

    @staticmethod
    def of(hits: int, second_runs: int, alarms_not_raised: int, first_runs: int, confidence: float) -> "Rates":
        """From the right guesses in the second world and the right guesses in the first."""
        error = (1 - confidence) / 2
        tpr = float(lower(hits, second_runs, error))
        fpr = 1 - float(lower(alarms_not_raised, first_runs, error))
        return Rates(tpr, fpr)

    @property
    def tnr_low(self) -> float:
        return 1 - self.fpr_high

    @property
    def fnr_high(self) -> float:
        return 1 - self.tpr_low


def epsilon_without_shape(rates: Rates, delta: float) -> float:
    """The largest epsilon that the rates refute, whatever the mechanism."""
    directions = ((rates.tpr_low, rates.fpr_high), (rates.tnr_low, rates.fnr_high))
    found = [math.log((p - delta) / q) for p, q in directions if p > delta and q > 0]
    return max([0.0, *found])


def rho_without_shape(rates: Rates) -> float:
    """The largest rho that the rates refute, whatever the mechanism."""
    if rates.tpr_low <= rates.fpr_high:
        return 0.0
    directions = ((rates.tpr_low, rates.fpr_high), (rates.tnr_low, rates.fnr_high))
    return max(renyi((p, 1 - p), (q, 1 - q), a) / a for p, q in directions for a in ORDERS)


def renyi(p: ArrayLike, q: ArrayLike, order: float) -> float:
    """D_a(p || q) = ln(sum p^a q^(1-a)) / (a - 1) of two laws over the same outcomes.

    >>> renyi([0.5, 0.5], [0.5, 0.5], 2.0)
    0.0
    """
    first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    if np.any((first > 0) & (second <= 0)):
        return math.inf
    both = first > 0
    logs = order * np.log(first[both]) + (1 - order) * np.log(second[both])
    top = logs.max()
    return float((top + math.log(np.exp(logs - top).sum())) / (order - 1))


def hockey_stick(p: ArrayLike, q: ArrayLike, epsilon: float) -> float:
    """delta(epsilon) = sum of (p - e^epsilon q) where it is positive."""
    return float(np.maximum(np.asarray(p) - math.exp(epsilon) * np.asarray(q), 0.0).sum())


def gaussian_mu(rates: Rates) -> float:
    """The separation that the rates certify, if the trade-off has the Gaussian shape."""
    if not (rates.tpr_low > 0 and rates.fpr_high < 1):
        return 0.0
    return max(0.0, float(ndtri(rates.tpr_low) - ndtri(rates.fpr_high)))


def epsilon_of_gaussian(mu: float, delta: float) -> float:
    """The epsilon at which two Gaussians mu apart are exactly (epsilon, delta)-close."""
    if mu <= 0 or gaussian_delta(mu, 0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while gaussian_delta(mu, high) > delta:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(mu, middle) > delta else (low, middle)
    return high


def gaussian_delta(mu: float, epsilon: float) -> float:
    """delta(epsilon) of two Gaussians mu apart."""
    from scipy.special import log_ndtr

    # Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), the product in logarithms: e^epsilon overflows
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu)))
