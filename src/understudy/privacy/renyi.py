"""What a noisy look at a random sample of rows costs, at one whole Renyi order.

Math.  Each row is in the sample by a coin of its own, heads with probability q. With noise of standard deviation z times
what a sampled row can move (Mironov, Talwar, Zhang 2019), for whole orders a,

    tau(a) = ln(1 + E) / (a - 1),     E = sum_{k=2..a} C(a, k) (1 - q)^(a-k) q^k (e^{k (k-1) / (2 z^2)} - 1)

which is exact for the worst pair of tables that differ by one row, and bounds both directions. All terms are positive, so
nothing cancels. It is never above a / (2 z^2), the price without a sample.

A unit of R rows          has any of them in the sample with probability p = 1 - (1 - q)^R; then it moves the sum by at most
                          what all of them would: tau(a) at rate p.
One unit for another      is one taken out and one put in. By the triangle inequality of Renyi divergences,
                          (a - 1/2) / (a - 1) tau(2 a) + tau(2 a - 1); and never more than a 4 / (2 z^2), without a sample.

Rounding.  tau is raised by one part in 10^8 and rounded up to 40 binary digits; the floating error is below one in 10^9.

>>> float(sampled_gaussian(14, Fraction(1, 100), Fraction(16), 1, Relation.ADD_REMOVE)) * 10**4
0.455...
>>> sampled_gaussian(4, Fraction(1), Fraction(2), 1, Relation.ADD_REMOVE) >= 1
True
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

DIGITS = 40
RAISED = 1 + 1e-8


@lru_cache(maxsize=4096)
def sampled_gaussian(order: int, rate: Fraction, variance: Fraction, coins: int, relation: Relation) -> Fraction:
    """tau at a whole order: ``variance`` is z^2, ``rate`` is a row's, ``coins`` the most rows of a unit. Rounded up."""
    if not (0 < rate <= 1 and variance > 0):
        raise BudgetRefused("a sample has a rate above 0 and at most 1, and its noise a scale above 0", "correct them")
    p = 1 - (1 - rate) ** coins
    if relation is Relation.ADD_REMOVE:
        return _added(order, p, variance)
    out, into = _added(2 * order, p, variance), _added(2 * order - 1, p, variance)
    return min(Fraction(2 * order - 1, 2 * (order - 1)) * out + into, 2 * order / variance)


def _added(order: int, p: Fraction, variance: Fraction) -> Fraction:
    """tau for one unit added or taken away, which is in the sample with probability p."""
    whole = order / (2 * variance)
    if p == 1:
        return whole
    q = math.nextafter(float(p), 1.0)
    k = np.arange(2, order + 1, dtype=np.float64)
    x = k * (k - 1) / 2 / math.nextafter(float(variance), 0.0)
    # ln(e^x - 1) = x + ln(1 - e^-x)
    terms = _log_choose(order)[2:] + (order - k) * math.log1p(-q) + k * math.log(q) + x + np.log(-np.expm1(-x))
    top = float(terms.max())
    log_e = top + math.log(math.fsum(np.exp(terms - top)))
    tau = (log_e if log_e > 700 else math.log1p(math.exp(log_e))) / (order - 1)
    return min(whole, _up(tau * RAISED))


@lru_cache(maxsize=128)
def _log_choose(order: int) -> NDArray[np.float64]:
    """ln C(order, k) for k = 0..order."""
    of = np.array([math.lgamma(k + 1) for k in range(order + 1)])
    return np.asarray(of[order] - of - of[::-1])


def _up(tau: float) -> Fraction:
    """The least number of 40 binary digits that is not below tau."""
    step = Fraction(2) ** (math.frexp(tau)[1] - DIGITS)
    return math.ceil(Fraction(tau) / step) * step
