"""The verdict of two worlds: what was claimed, what is certified from below, and what the audit would have caught.

    noise   the additive Gaussian looks, a composition with the Gaussian shape: they claim mu = sqrt(2 rho)
    all     every look, no shape assumed: they claim rho, a Renyi divergence at the plan's order, or epsilon under pure privacy

A part is refuted if what the guesses certify exceeds its claim. Both together are wrong with probability at most
1 - confidence.

The power is the share of audits that would refute a part if every noise were of half its scale: such noise is drawn (by the
seeded twin), the shares of right guesses are read off, and the outcomes of many audits with these shares are counted. False
alarms are counted in the same way with the noise as it is charged. Both err to the safe side: the power is that of the part
which shows most, the false alarms are those of all parts together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from understudy.audit.bounds import (
    Rates,
    epsilon_of_gaussian,
    epsilon_without_shape,
    gaussian_mu,
    renyi,
    rho_without_shape,
)
from understudy.audit.worlds import Door, Floats, Look, sound
from understudy.noise.entropy import Entropy, Seeded
from understudy.privacy.charge import Measure, price
from understudy.publish.plan import Plan
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exact,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)

KNOWN = (DiscreteGaussian, DiscreteLaplace, Gumbel, Threshold, SampledGaussian, Exact)
SIMULATED, TWINNED = 400, 20_000  # audits that the power is counted over, and tapes that its shares are read off
SELECTED, BEGUN = 6_000_000, 250  # candidates drawn among in all runs: what takes the time; a draw starts like so many
SHAPED = 4  # least sigma2 of a look with the Gaussian shape
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Claim:
    """What a part of the tape promises, and how guesses refute it."""

    name: str
    unit: str
    claimed: float
    order: int | None = None

    def certified(self, rates: Rates) -> float:
        """The largest value that the rates refute."""
        match self.unit:
            case "mu":
                return gaussian_mu(rates)
            case "rho":
                return rho_without_shape(rates)
            case "epsilon":
                return epsilon_without_shape(rates, 0.0)
        assert self.order is not None
        return renyi_without_shape(rates, self.order)


@dataclass(frozen=True)
class Part:
    """A claim beside what was certified."""

    name: str
    unit: str
    claimed: float
    certified: float

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
    heard: float  # the share of what the tape was charged that was listened to
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
    plan: Plan, looks: Sequence[Look], runs: int, entropies: tuple[Entropy, Entropy], door: Door = sound
) -> Verdict:
    """Guess the world of many runs, and set what the guesses certify beside what was claimed."""
    heard, unheard = within_reach(plan, looks, runs)
    claims = claims_of(plan, heard)
    rates = rates_of(guesses(heard, runs, entropies, door), runs)
    parts = tuple(Part(c.name, c.unit, c.claimed, c.certified(rates[c.name])) for c in claims)
    delta = float(plan.budget.delta)
    return Verdict(
        float(plan.budget.epsilon),
        delta,
        epsilon_of_gaussian(gaussian_mu(rates["all"]), delta) if delta else 0.0,
        epsilon_without_shape(rates["all"], delta),
        parts,
        runs,
        CONFIDENCE,
        max(shares_refuted(claims, shares(heard, (Seeded(1), Seeded(2)), half), runs)),
        min(1.0, sum(shares_refuted(claims, shares(heard, (Seeded(3), Seeded(4)), sound), runs))),
        float(sum(cost(plan, look) for look in heard) / sum(cost(plan, look) for look in looks)),
        unheard,
    )


def within_reach(plan: Plan, looks: Sequence[Look], runs: int) -> tuple[list[Look], tuple[str, ...]]:
    """The looks that are listened to: of the selections, the dearest that there is time for. Told by public facts."""
    heard, unheard, left = [], [], SELECTED
    for look in sorted(looks, key=lambda look: cost(plan, look), reverse=True):
        size = 2 * runs * (BEGUN + len(look.first)) if isinstance(look.mechanism, Gumbel) else 0
        if isinstance(look.mechanism, KNOWN) and size <= left:
            heard.append(look)
            left -= size
        else:
            unheard.append(look.question.kind)
    return heard, tuple(f"{unheard.count(kind)} looks of kind {kind}" for kind in sorted(set(unheard)))


def shaped(look: Look) -> bool:
    """Whether the noise has the Gaussian shape: a discrete Gaussian is 1 / (24 sigma2) further apart than a continuous one."""
    return isinstance(look.mechanism, DiscreteGaussian) and look.mechanism.sigma2 >= SHAPED


def claims_of(plan: Plan, looks: Sequence[Look]) -> list[Claim]:
    """What the heard looks promise, by what they were charged."""
    measure = plan.total.measure
    amounts = {id(look): cost(plan, look) for look in looks}
    claims, gaussian = [], [look for look in looks if shaped(look)]
    if gaussian:
        rho = measure.rho(sum((amounts[id(look)] for look in gaussian), Fraction(0)))
        claims.append(Claim("noise", "mu", math.sqrt(2 * rho)))
    total = float(sum(amounts.values(), Fraction(0)))
    if measure is Measure.PURE:
        return [*claims, Claim("all", "epsilon", total)]
    if measure.order is None:
        return [*claims, Claim("all", "rho", total)]
    return [*claims, Claim("all", f"Renyi divergence of order {measure.order}", total, measure.order)]


def cost(plan: Plan, look: Look) -> Fraction:
    """What a look was charged, in the plan's measure."""
    sensitivity = look.question.sensitivity(plan.schema.unit.rows, plan.schema.relation)
    return price(look.mechanism, sensitivity, plan.schema.relation, plan.total.measure).amount


def guesses(
    looks: Sequence[Look], runs: int, entropies: tuple[Entropy, Entropy], door: Door
) -> dict[str, tuple[int, int]]:
    """Right guesses in the second world and in the first, by the Gaussian looks alone and by all."""
    only, both = np.zeros((2, runs)), np.zeros((2, runs))
    for look in looks:
        for world in (0, 1):
            scores: Floats = look.scores(world, runs, entropies[world], door)
            both[world] += scores
            only[world] += scores * shaped(look)
    return {
        name: (int((scores[1] > 0).sum()), int((scores[0] <= 0).sum()))
        for name, scores in (("noise", only), ("all", both))
    }


def rates_of(right: dict[str, tuple[int, int]], runs: int) -> dict[str, Rates]:
    """Bounds on the rates of both guesses, together wrong with probability at most 1 - confidence."""
    confidence = 1 - (1 - CONFIDENCE) / 2
    return {name: Rates.of(hits, runs, quiet, runs, confidence) for name, (hits, quiet) in right.items()}


def half(mechanism: Mechanism) -> Mechanism:
    """The same noise at half its scale."""
    match mechanism:
        case DiscreteGaussian(sigma2):
            return DiscreteGaussian(sigma2 / 4)
        case SampledGaussian(sigma2, rate):
            return SampledGaussian(sigma2 / 4, rate)
        case DiscreteLaplace(scale):
            return DiscreteLaplace(scale / 2)
        case Gumbel(scale):
            return Gumbel(scale / 2)
        case Threshold(scale, tau):
            return Threshold(scale / 2, tau)
    return mechanism


def shares(looks: Sequence[Look], entropies: tuple[Entropy, Entropy], door: Door) -> dict[str, tuple[float, float]]:
    """The shares of right guesses in both worlds, nearly as they are."""
    right = guesses(looks, TWINNED, entropies, door)
    return {name: (hits / TWINNED, quiet / TWINNED) for name, (hits, quiet) in right.items()}


def shares_refuted(claims: Sequence[Claim], right: dict[str, tuple[float, float]], runs: int) -> list[float]:
    """The share of audits, with these shares of right guesses, that refute each claim."""
    rng, found = np.random.default_rng(0), []
    for claim in claims:
        hits, quiet = (rng.binomial(runs, share, SIMULATED) for share in right[claim.name])
        rates = (
            Rates.of(int(h), runs, int(q), runs, 1 - (1 - CONFIDENCE) / 2) for h, q in zip(hits, quiet, strict=True)
        )
        found.append(float(np.mean([claim.certified(rate) > claim.claimed for rate in rates])))
    return found


def renyi_without_shape(rates: Rates, order: int) -> float:
    """The largest divergence of an order that the rates refute."""
    if rates.tpr_low <= rates.fpr_high:
        return 0.0
    directions = ((rates.tpr_low, rates.fpr_high), (rates.tnr_low, rates.fnr_high))
    return max(renyi((p, 1 - p), (q, 1 - q), order) for p, q in directions)
