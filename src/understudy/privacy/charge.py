"""What one look costs: an exact amount, typed by its neighbouring relation and by its measure.

Math.  With the question's sensitivity l1, l2sq, linf, keys:

| mechanism        | zCDP: rho                             | pure: epsilon   |
|------------------|---------------------------------------|-----------------|
| DiscreteGaussian | l2sq / (2 sigma2)                     | refused         |
| DiscreteLaplace  | (l1 / scale)^2 / 2                    | l1 / scale      |
| Gumbel           | (2 linf / scale)^2 / 8                | 2 linf / scale  |
| Threshold        | (l1 / scale)^2 / 2, and a delta       | refused         |
| Exact            | 0, and only where nothing can move    | 0, the same     |

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
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Mechanism, Threshold
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

ZERO = Fraction(0)


class Measure(Enum):
    """What an amount counts: rho of zero-concentrated privacy, or epsilon of pure privacy."""

    ZCDP = "zcdp"
    PURE = "pure"


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
            _zcdp_only("Gaussian noise", measure, "name a delta, or ask with DiscreteLaplace")
            # rho = l2sq / (2 sigma2)
            return Charge(relation, measure, s.l2sq / (2 * _positive(sigma2)))
        case DiscreteLaplace(scale):
            # epsilon = l1 / scale
            return Charge(relation, measure, _of_pure(s.l1 / _positive(scale), measure))
        case Gumbel(scale):
            # epsilon = 2 linf / scale, and the loss has range epsilon: rho = epsilon^2 / 8
            epsilon = 2 * s.linf / _positive(scale)
            return Charge(relation, measure, epsilon if measure is Measure.PURE else epsilon**2 / 8)
        case Threshold(scale, tau):
            _zcdp_only(
                "a threshold on open values", measure, "name a delta, or declare the values public in the schema"
            )
            # delta = keys * P[linf + Z >= tau]
            delta = s.keys * pass_probability(_positive(scale), tau, s.linf) if s.keys else ZERO
            return Charge(relation, measure, _of_pure(s.l1 / scale, measure), delta)
        case _:
            assert_never(mechanism)


def _of_pure(epsilon: Fraction, measure: Measure) -> Fraction:
    """A pure epsilon as an amount of `measure`: rho = epsilon^2 / 2."""
    return epsilon if measure is Measure.PURE else epsilon**2 / 2


def _positive(scale: Fraction) -> Fraction:
    if scale <= 0:
        raise BudgetRefused("noise of scale zero hides nothing", "ask with a scale above 0")
    return Fraction(scale)


def _zcdp_only(what: str, measure: Measure, remedy: str) -> None:
    if measure is Measure.PURE:
        raise BudgetRefused(f"{what} has no pure epsilon, and this release has delta 0", remedy)
