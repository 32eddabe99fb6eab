"""The verdict of two worlds: what was claimed, what is certified from below, and what the audit would have caught.

    noise   the additive Gaussian looks, a composition with the Gaussian shape: they claim mu = sqrt(2 rho)
    all     every look, with no shape assumed: they claim rho (or epsilon, under pure privacy)

A part is refuted if the bound that the guesses certify exceeds its claim. Both together are wrong with probability at most
1 - confidence. The power is the share of audits that would refute the noise part if every Gaussian had half its deviation:
then the worlds are 2 mu apart instead of mu, and the number of right guesses is binomial.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import ndtr

from understudy.audit.bounds import (
    Rates,
    epsilon_of_gaussian,
    epsilon_without_shape,
    gaussian_mu,
    rho_without_shape,
)
from understudy.audit.worlds import Draw, Floats, Look
from understudy.noise.draw import draw
from understudy.noise.entropy import Entropy
from understudy.privacy.charge import Measure, price
from understudy.publish.plan import Plan
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Threshold

KNOWN = (DiscreteGaussian, DiscreteLaplace, Gumbel, Threshold, Exact)
SIMULATED = 2_000  # audits whose outcome the power is counted over
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Part:
    """One claim beside what the guesses certify."""

    name: str
    claimed: float
    certified: float
    unit: str

    @property
    def refuted(self) -> bool:
        return self.certified > self.claimed


@dataclass(frozen=True)
class Verdict:
    """Claim, certified lower bounds, confidence, power."""

    epsilon: float
    delta: float
    gaussian_epsilon: float
    free_epsilon: float
    parts: tuple[Part, ...]
    runs: int
    confidence: float
    power: float
    false_alarms: float
    unheard: tuple[str, ...]

    @property
    def refuted(self) -> list[str]:
        """The claims that do not hold, in words."""
        return [
            f"{part.name}: {part.unit} is at least {part.certified:.4g}; {part.claimed:.4g} is claimed"
            for part in self.parts
            if part.refuted
        ]


def judge(
    plan: Plan, looks: Sequence[Look], runs: int, entropies: tuple[Entropy, Entropy], noise: Draw = draw
) -> Verdict:
    """Guess the world of many runs, and set what the guesses certify beside what was claimed."""
    gaussian = [isinstance(look.mechanism, DiscreteGaussian) for look in looks]
    scores = [[look.scores(world, runs, entropies[world], noise) for look in looks] for world in (0, 1)]
    both = [total(scores[world], [True] * len(looks), runs) for world in (0, 1)]
    only = [total(scores[world], gaussian, runs) for world in (0, 1)]
    error = (1 - CONFIDENCE) / 2
    rates, noisy = guessed(both[0], both[1], 1 - error), guessed(only[0], only[1], 1 - error)

    def rho(which: Sequence[Look]) -> float:
        return float(sum((cost(plan, look) for look in which), Fraction(0)))

    parts = []
    if any(gaussian):
        claimed = math.sqrt(2 * rho([look for look, is_one in zip(looks, gaussian, strict=True) if is_one]))
        parts.append(Part("noise", claimed, gaussian_mu(noisy), "mu"))
    if plan.total.measure is not Measure.PURE:
        parts.append(Part("all", rho(looks), rho_without_shape(rates), "rho"))
    else:
        parts.append(Part("all", rho(looks), epsilon_without_shape(rates, 0.0), "epsilon"))
    delta = float(plan.budget.delta)
    attained = math.sqrt(sum(look.separation2 for look in looks))
    claim = parts[0].claimed if any(gaussian) else math.inf
    return Verdict(
        float(plan.budget.epsilon),
        delta,
        epsilon_of_gaussian(gaussian_mu(rates), delta) if delta else 0.0,
        epsilon_without_shape(rates, delta),
        tuple(parts),
        runs,
        CONFIDENCE,
        share_refuted(2 * attained, claim, runs),
        share_refuted(attained, claim, runs),
        tuple(sorted({look.question.kind for look in looks if not isinstance(look.mechanism, KNOWN)})),
    )


def total(scores: Sequence[Floats], counted: Sequence[bool], runs: int) -> Floats:
    """The scores of the counted looks, added up."""
    return np.asarray(
        np.sum([s for s, is_one in zip(scores, counted, strict=True) if is_one] or [np.zeros(runs)], axis=0)
    )


def cost(plan: Plan, look: Look) -> Fraction:
    """What a look was charged; nothing where it is not heard here."""
    mechanism: object = look.mechanism
    if not isinstance(mechanism, KNOWN):
        return Fraction(0)
    sensitivity = look.question.sensitivity(plan.schema.unit.rows, plan.schema.relation)
    amount = price(look.mechanism, sensitivity, plan.schema.relation, plan.total.measure).amount
    return amount if plan.total.measure is Measure.PURE else plan.total.measure.rho(amount)


def guessed(first: Floats, second: Floats, confidence: float) -> Rates:
    """Bounds on the rates of the guess "second world where the score is above 0"."""
    return Rates.of(int((second > 0).sum()), second.size, int((first <= 0).sum()), first.size, confidence)


def share_refuted(mu: float, claim: float, runs: int) -> float:
    """The share of audits that refute the claim when the worlds are really mu apart."""
    rng = np.random.default_rng(0)
    right = float(ndtr(mu / 2))
    hits, quiet = rng.binomial(runs, right, (2, SIMULATED))
    rates = (Rates.of(int(h), runs, int(q), runs, 1 - (1 - CONFIDENCE) / 2) for h, q in zip(hits, quiet, strict=True))
    return float(np.mean([gaussian_mu(rate) > claim for rate in rates]))
