"""What one look costs: an exact amount, typed by its neighbouring relation and by its measure.

Math.  With the question's sensitivity l1, l2sq, linf, keys:

| mechanism        | zCDP: rho                             | pure: epsilon   | Renyi at one order: tau |
|------------------|---------------------------------------|-----------------|-------------------------|
| DiscreteGaussian | l2sq / (2 sigma2)                     | refused         | order * rho             |
| DiscreteLaplace  | (l1 / scale)^2 / 2                    | l1 / scale      | order * rho             |
| Gumbel           | (2 linf / scale)^2 / 8                | 2 linf / scale  | order * rho             |
| Threshold        | (l1 / scale)^2 / 2, and a delta       | refused         | order * rho, and it     |
| SampledGaussian  | refused                               | refused         | privacy/renyi.py        |
| Exact            | 0, and only where nothing can move    | 0, the same     | 0, the same             |

A release is counted in one measure. Renyi orders are for what a sample of rows is asked: there is no rho for that, while
at any one order, chosen before the first look, costs add up as rho does.

Threshold's delta is keys * P[linf + Z >= tau], rounded up: the chance that a key which only one of the two tables has
is shown. Every other delta is 0. The proofs are in proof/charge.md.

Privacy.  Amounts are fractions: a sum of charges has no rounding. Adding two charges of different relations or measures
is a TypeError.

>>> from understudy.question.mechanism import DiscreteGaussian
>>> histogram = Sensitivity(l1=1, l2sq=1, linf=1)
>>> one = price(DiscreteGaussian(Fraction(50)), histogram, Relation.ADD_REMOVE, Measure.ZCDP)
>>> (one + one).amount
Fraction(1, 50)
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import assert_never

from understudy.noise.threshold import pass_probability
from understudy.privacy.renyi import sampled_gaussian
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exact,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

ZERO = Fraction(0)


class Measure(Enum):
    """What an amount counts: rho of zero-concentrated privacy, epsilon of pure privacy, or tau at one Renyi order."""

    ZCDP = "zcdp"
    PURE = "pure"
    RENYI_2 = "renyi-2"
    RENYI_3 = "renyi-3"
    RENYI_4 = "renyi-4"
    RENYI_5 = "renyi-5"
    RENYI_6 = "renyi-6"
    RENYI_7 = "renyi-7"
    RENYI_8 = "renyi-8"
    RENYI_10 = "renyi-10"
    RENYI_12 = "renyi-12"
    RENYI_14 = "renyi-14"
    RENYI_16 = "renyi-16"
    RENYI_18 = "renyi-18"
    RENYI_20 = "renyi-20"
    RENYI_24 = "renyi-24"
    RENYI_28 = "renyi-28"
    RENYI_32 = "renyi-32"
    RENYI_40 = "renyi-40"
    RENYI_48 = "renyi-48"
    RENYI_64 = "renyi-64"
    RENYI_80 = "renyi-80"
    RENYI_96 = "renyi-96"
    RENYI_128 = "renyi-128"
    RENYI_192 = "renyi-192"
    RENYI_256 = "renyi-256"
    RENYI_384 = "renyi-384"
    RENYI_512 = "renyi-512"
    RENYI_768 = "renyi-768"
    RENYI_1024 = "renyi-1024"
    RENYI_2048 = "renyi-2048"

    @property
    def order(self) -> int | None:
        """The Renyi order, where there is one."""
        name, _, order = self.value.partition("-")
        return int(order) if name == "renyi" else None

    def of_rho(self, rho: Fraction) -> Fraction:
        """The amount that rho-zCDP comes to: D_order <= order * rho."""
        return rho * (self.order or 1)

    def rho(self, amount: Fraction) -> Fraction:
        """The rho that an amount pays for, the inverse of it."""
        return amount / (self.order or 1)


RENYI: tuple[Measure, ...] = tuple(measure for measure in Measure if measure.order is not None)


@dataclass(frozen=True)
class Charge:
    """An exact cost: `amount` is rho or epsilon after `measure`; `delta` is the chance that it fails to hold."""

    relation: Relation
    measure: Measure
    amount: Fraction
    delta: Fraction = ZERO

    def __post_init__(self) -> None:
        if not (isinstance(self.amount, Fraction) and isinstance(self.delta, Fraction)):
            raise TypeError("a charge is exact: amount and delta are fractions")
        if self.amount < 0 or self.delta < 0:
            raise BudgetRefused("a charge is never negative", "nothing is refunded; charge zero or more")

    @classmethod
    def zero(cls, relation: Relation, measure: Measure) -> "Charge":
        """The cost of not looking."""
        return cls(relation, measure, ZERO)

    def __add__(self, other: "Charge") -> "Charge":
        self._same_kind(other)
        return Charge(self.relation, self.measure, self.amount + other.amount, self.delta + other.delta)

    def within(self, total: "Charge") -> bool:
        """Whether this cost exceeds `total` neither in its amount nor in its delta."""
        self._same_kind(total)
        return self.amount <= total.amount and self.delta <= total.delta

    def to_json(self) -> dict[str, str]:
        """Words and fractions as text, so that a reader gets the very same charge."""
        return {
            "relation": self.relation.value,
            "measure": self.measure.value,
            "amount": str(self.amount),
            "delta": str(self.delta),
        }

    @classmethod
    def from_json(cls, words: dict[str, str]) -> "Charge":
        return cls(
            Relation(words["relation"]), Measure(words["measure"]), Fraction(words["amount"]), Fraction(words["delta"])
        )

    def _same_kind(self, other: "Charge") -> None:
        if (self.relation, self.measure) != (other.relation, other.measure):
            mine, theirs = (f"{c.relation.value} {c.measure.value}" for c in (self, other))
            raise TypeError(f"charges of different kinds are never combined: {mine} and {theirs}")


def price(mechanism: Mechanism, sensitivity: Sensitivity, relation: Relation, measure: Measure) -> Charge:
    """The cost of adding `mechanism`'s noise to a statistic that a unit moves by `sensitivity` under `relation`."""
    s = sensitivity
    if min(s.l1, s.l2sq, s.linf, s.keys) < 0:
        raise BudgetRefused("a sensitivity is a distance, hence not negative", "declare 0 or more")
    if s.keys and not isinstance(mechanism, Threshold):
        raise BudgetRefused("an open list of values is shown through a threshold only", "ask with Threshold")
    match mechanism:
        case Exact():
            if (s.l1, s.l2sq, s.linf, s.keys) != (0, 0, 0, 0):
                raise BudgetRefused(
                    "an exact answer is free only where no unit can move it",
                    "ask with DiscreteGaussian or DiscreteLaplace",
                )
            return Charge.zero(relation, measure)
        case DiscreteGaussian(sigma2):
            _not_pure("Gaussian noise", measure, "name a delta, or ask with DiscreteLaplace")
            # rho = l2sq / (2 sigma2)
            return Charge(relation, measure, measure.of_rho(s.l2sq / (2 * _positive(sigma2))))
        case DiscreteLaplace(scale):
            # epsilon = l1 / scale
            return Charge(relation, measure, _of_pure(s.l1 / _positive(scale), measure))
        case Gumbel(scale):
            # epsilon = 2 linf / scale, and the loss has range epsilon: rho = epsilon^2 / 8
            epsilon = 2 * s.linf / _positive(scale)
            return Charge(relation, measure, epsilon if measure is Measure.PURE else measure.of_rho(epsilon**2 / 8))
        case Threshold(scale, tau):
            _not_pure("a threshold on open values", measure, "name a delta, or declare the values public in the schema")
            # delta = keys * P[linf + Z >= tau]
            delta = s.keys * pass_probability(_positive(scale), tau, s.linf) if s.keys else ZERO
            return Charge(relation, measure, _of_pure(s.l1 / scale, measure), delta)
        case SampledGaussian(sigma2, rate):
            if measure.order is None:
                raise BudgetRefused("a sample of rows is priced at a Renyi order", "take a recipe that declares one")
            if s.side2 <= 0 or s.coins < 1:
                raise BudgetRefused("this question is none for a sample of rows", "ask with DiscreteGaussian")
            return Charge(
                relation, measure, sampled_gaussian(measure.order, rate, _positive(sigma2) / s.side2, s.coins, relation)
            )
        case _:
            assert_never(mechanism)


def _of_pure(epsilon: Fraction, measure: Measure) -> Fraction:
    """A pure epsilon as an amount of `measure`: rho = epsilon^2 / 2."""
    return epsilon if measure is Measure.PURE else measure.of_rho(epsilon**2 / 2)


def _positive(scale: Fraction) -> Fraction:
    if scale <= 0:
        raise BudgetRefused("noise of scale zero hides nothing", "ask with a scale above 0")
    return Fraction(scale)


def _not_pure(what: str, measure: Measure, remedy: str) -> None:
    if measure is Measure.PURE:
        raise BudgetRefused(f"{what} has no pure epsilon, and this release has delta 0", remedy)
