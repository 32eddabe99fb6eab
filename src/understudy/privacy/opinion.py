"""A second opinion on a plan's cost: dp_accounting's Renyi and privacy-loss-distribution accountants.

Math.  The reported guarantee is our own: rho adds up, then `epsilon_of`. Here the same looks go through another
library by two other routes. `rdp` minimises over Renyi orders. `pld` composes the loss of one worst pair of outputs:
the Gaussian pair, the discrete Laplace pair, and for Gumbel the choice between two candidates that move in opposite
directions, which is randomized response at linf / scale. A sound total is never below `pld`.

The looks must be fixed in advance for `pld` to mean anything, so it checks a plan and never replaces the ledger.
dp_accounting is imported only when it is asked.

>>> from understudy.question.mechanism import DiscreteGaussian
>>> from understudy.privacy.accountant import epsilon_of
>>> look = (DiscreteGaussian(Fraction(100)), Sensitivity(l1=1, l2sq=1, linf=1))
>>> said = second_opinion([look] * 20, Fraction(1, 10**6))
>>> said.pld < said.rdp, said.pld < epsilon_of(Fraction(20, 200), Fraction(1, 10**6))
(True, True)
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from understudy.privacy.charge import Measure, price
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Opinion:
    """Epsilon at the named delta by two routes."""

    rdp: float
    pld: float


def second_opinion(
    looks: Iterable[tuple[Mechanism, Sensitivity]], delta: Fraction, relation: Relation = Relation.ADD_REMOVE
) -> Opinion:
    """Epsilon at `delta` of all looks together; what thresholds need of the delta is taken off first.

    The sensitivities carry the relation already; only what a sample of rows costs depends on it besides. For samples
    under replace-one the library knows no Renyi value, and no other mechanism beside Gaussian ones: `rdp` is infinite
    there, and `pld` leaves the others out, which keeps it a floor.
    """
    from dp_accounting import NeighboringRelation, dp_event
    from dp_accounting.pld import PLDAccountant
    from dp_accounting.rdp import RdpAccountant

    counts = Counter(looks)
    order = Measure.RENYI_2  # any: it is asked for deltas, and whether something is charged at all
    charges = [price(m, s, relation, order).delta * n for (m, s), n in counts.items()]
    left = delta - sum(charges)
    if left <= 0:
        raise BudgetRefused("the thresholds of this plan use up its delta", "raise delta or the threshold")
    sampled = any(isinstance(mechanism, SampledGaussian) for mechanism, _ in counts)
    replaced = sampled and relation is Relation.REPLACE_ONE
    neighbours = NeighboringRelation.REPLACE_ONE if replaced else NeighboringRelation.ADD_OR_REMOVE_ONE
    rdp, pld = RdpAccountant(), PLDAccountant(neighboring_relation=neighbours)
    for (mechanism, sensitivity), count in counts.items():
        if price(mechanism, sensitivity, relation, order).amount > 0:
            by_rdp, by_pld = _events(dp_event, mechanism, sensitivity, replaced)
            if not replaced:
                rdp.compose(by_rdp, count)
            if not replaced or isinstance(mechanism, DiscreteGaussian | SampledGaussian):
                pld.compose(by_pld, count)
    epsilon = math.inf if replaced else float(rdp.get_epsilon(float(left)))
    return Opinion(rdp=epsilon, pld=float(pld.get_epsilon(float(left))))


def _events(library: Any, mechanism: Mechanism, sensitivity: Sensitivity, replaced: bool) -> tuple[Any, Any]:
    match mechanism:
        case DiscreteGaussian(sigma2):
            # the library doubles a Gaussian's sensitivity itself where one row is replaced
            event = library.GaussianDpEvent(math.sqrt(sigma2 / sensitivity.l2sq) * (2 if replaced else 1))
            return event, event
        case SampledGaussian(sigma2, rate):
            p = float(1 - (1 - rate) ** sensitivity.coins)
            event = library.PoissonSampledDpEvent(p, library.GaussianDpEvent(math.sqrt(sigma2 / sensitivity.side2)))
            return event, event
        case DiscreteLaplace(scale) | Threshold(scale):
            return (
                library.LaplaceDpEvent(float(scale / sensitivity.l1)),
                library.DiscreteLaplaceDpEvent(float(1 / scale), sensitivity.l1),
            )
        case Gumbel(scale):
            moved = float(sensitivity.linf / scale)
            # rho = (2 linf / scale)^2 / 8; discrete Laplace of sensitivity 1 has losses +-moved only, as the pair has
            return library.ZCDpEvent(moved**2 / 2), library.DiscreteLaplaceDpEvent(moved, 1)
        case _:
            raise TypeError(f"{mechanism} has no noise to account for")
