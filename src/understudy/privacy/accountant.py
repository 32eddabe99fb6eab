"""What a budget buys: from (epsilon, delta) to rho and back, and the filter that refuses before the total is exceeded.

Math.  A rho-zCDP transcript is (epsilon, delta)-DP for every alpha > 1 with (Canonne, Kamath, Steinke 2020)

    epsilon = alpha rho + ln(1 - 1/alpha) - (ln delta + ln alpha) / (alpha - 1),

so the least over alpha holds, and so does any alpha at which the search stops: a bad search costs accuracy, never
privacy. With t = alpha - 1 the line reads (1 + t) rho - ln(1 + 1/t) - (ln delta + ln(1 + t)) / t. Solved for rho it is
the most that epsilon buys; both have one valley or one peak in t (proof/accountant.md).

At one Renyi order the same line holds with tau in the place of alpha rho, at that alpha; the order is named before the
first look, since a best order chosen afterwards would be one of many.

Rounding.  `epsilon_of` is rounded up and `rho_within` down, each by more than its floating error; both agree:

>>> rho = rho_within(Fraction(1), Fraction(1, 10**5))
>>> f"{float(rho):.6f}", epsilon_of(rho, Fraction(1, 10**5)) <= 1
('0.030557', True)
>>> Budget(exact("1/2"), exact(0), Relation.ADD_REMOVE).total().amount
Fraction(1, 2)
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from understudy.privacy.charge import RENYI, Charge, Measure
from understudy.refusal import BudgetRefused, Misuse
from understudy.schema.relation import Relation

ULP = 2.0**-48  # 16 times the error of a few rounded operations on terms of size one
LARGEST = Fraction(10) ** 100  # epsilons beyond this are beyond all floats too, before long
DIGITS = 40  # rho keeps 40 binary digits: the loss is one part in 2^40
LOG_T = (-25.0, 45.0)  # where the search looks for ln t
_NUMBER = re.compile(r"[0-9]{1,40}(/[0-9]{1,40}|(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?)", re.ASCII)


Number = str | int | float | Fraction


def exact(number: Number) -> Fraction:
    """A user's number as a fraction, never negative; a float is read as it is printed, so that 0.1 is 1/10.

    >>> exact("1/3"), exact(0.1), exact("1e-5")
    (Fraction(1, 3), Fraction(1, 10), Fraction(1, 100000))
    """
    if isinstance(number, Fraction) and number >= 0:
        return number
    text = float.__repr__(number) if isinstance(number, float) else str(number).strip()
    if isinstance(number, bool) or not _NUMBER.fullmatch(text) or re.search("/0+$", text):
        raise Misuse(f"{text[:60]!r} is not a number that can be spent", "write it as 0.5, 1e-6 or 1/3, zero or more")
    return Fraction(text)


def epsilon_of(rho: Fraction, delta: Fraction) -> float:
    """The least epsilon for which rho-zCDP is known to give (epsilon, delta)-DP, rounded up."""
    if rho == 0:
        return 0.0
    if delta <= 0:
        return math.inf
    r, log_delta = float(rho), _log(delta)

    def terms(t: float) -> tuple[float, float, float, float]:
        return (1 + t) * r, -math.log1p(1 / t), -log_delta / t, -math.log1p(t) / t

    t = _valley(lambda t: math.fsum(terms(t)))
    margin = ULP * (1 / t + math.fsum(abs(term) for term in terms(t)))
    return max(0.0, math.nextafter(math.fsum(terms(t)) + margin, math.inf))


def rho_within(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The most rho with `epsilon_of(rho, delta) <= epsilon`: a dyadic fraction, rounded down."""
    if not (epsilon > 0 and 0 < delta < 1):
        raise BudgetRefused(
            "rho needs an epsilon above 0 and a delta between 0 and 1", "name both, or use pure privacy"
        )
    e, log_delta = float(epsilon), _log(delta)

    def bought(t: float) -> float:
        # rho = [epsilon + ln(1 + 1/t) + (ln delta + ln(1 + t)) / t] / (1 + t)
        return (e + math.log1p(1 / t) + (log_delta + math.log1p(t)) / t) / (1 + t)

    rho = bought(_valley(lambda t: -bought(t)))
    _, exponent = math.frexp(rho)
    step = Fraction(2) ** (exponent - DIGITS)
    steps = int(Fraction(rho) / step)
    while steps > 0 and Fraction(epsilon_of(steps * step, delta)) > epsilon:
        steps -= 1
    return steps * step


def converted(charge: Charge, delta: Fraction) -> float:
    """The epsilon that a charge comes to at what is left of delta, rounded up, in whatever it is measured."""
    order = charge.measure.order
    if charge.measure is Measure.PURE:
        return float(charge.amount)
    if order is None:
        return epsilon_of(charge.amount, delta)
    if charge.amount == 0:
        return 0.0
    tau = float(charge.amount)
    saved, margin = _at_order(order, delta)
    return max(0.0, math.nextafter(tau - saved + margin + ULP * tau, math.inf))


def tau_within(epsilon: Fraction, delta: Fraction, order: int) -> Fraction:
    """The most tau at a Renyi order that epsilon pays for at delta, rounded down; refused where it is nothing."""
    saved, margin = _at_order(order, delta)
    e = float(epsilon)
    tau = Fraction(max(0.0, e + saved - margin - 2 * ULP * e))
    while tau > 0 and Fraction(converted(Charge(Relation.ADD_REMOVE, Measure(f"renyi-{order}"), tau), delta)) > epsilon:
        tau -= Fraction(max(float(tau), 1.0)) / 2**40
    if tau <= 0:
        raise BudgetRefused(f"epsilon buys nothing at Renyi order {order}", "take a higher order, or raise epsilon")
    return tau


def _at_order(order: int, delta: Fraction) -> tuple[float, float]:
    """What the conversion at an order takes off tau, and a margin above its rounding."""
    if delta <= 0:
        raise BudgetRefused("a Renyi order needs a delta above 0", "name a delta, or take another recipe")
    # epsilon = tau - [ -ln(1 - 1/alpha) + (ln delta + ln alpha) / (alpha - 1) ]
    t = order - 1
    terms = (math.log1p(1 / t), _log(delta) / t, math.log(order) / t)
    return math.fsum(terms), ULP * (1 + math.fsum(abs(term) for term in terms))


def _valley(f: Callable[[float], float]) -> float:
    """The t where a function with one valley in ln t is least: golden-section search."""
    golden = (math.sqrt(5) - 1) / 2
    low, high = LOG_T
    left, right = high - golden * (high - low), low + golden * (high - low)
    f_left, f_right = f(math.exp(left)), f(math.exp(right))
    for _ in range(60):
        if f_left < f_right:
            high, right, f_right = right, left, f_left
            left = high - golden * (high - low)
            f_left = f(math.exp(left))
        else:
            low, left, f_left = left, right, f_right
            right = low + golden * (high - low)
            f_right = f(math.exp(right))
    return math.exp((low + high) / 2)


def _log(delta: Fraction) -> float:
    if float(delta) == 0.0:
        raise BudgetRefused("this delta is too small to compute with", "name a delta of 1e-300 or more, or 0")
    return math.log(float(delta))


@dataclass(frozen=True)
class Budget:
    """The promise a user names: (epsilon, delta) under one relation. Delta 0 means pure privacy.

    How it is counted follows: in zCDP, or at the Renyi ``order`` that a plan names before the first look.
    """

    epsilon: Fraction
    delta: Fraction
    relation: Relation
    order: int | None = None

    def __post_init__(self) -> None:
        if not (self.epsilon > 0 and 0 <= self.delta < 1):
            raise BudgetRefused("a budget is an epsilon above 0 and a delta from 0 to below 1", "name such a budget")
        if self.epsilon > LARGEST:
            raise BudgetRefused(
                f"an epsilon above {float(LARGEST):g} promises nothing to anybody", "name a smaller one"
            )
        if self.order is not None and (self.delta == 0 or self.order not in {measure.order for measure in RENYI}):
            raise BudgetRefused("a Renyi order is one of the listed ones, and needs a delta above 0", "name such a one")

    @property
    def measure(self) -> Measure:
        if self.delta == 0:
            return Measure.PURE
        return Measure.ZCDP if self.order is None else Measure(f"renyi-{self.order}")

    def total(self, reserved_delta: Fraction = Fraction(0)) -> Charge:
        """All that may be spent, when `reserved_delta` of the delta is set aside for thresholds."""
        if self.measure is Measure.PURE and reserved_delta == 0:
            return Charge(self.relation, Measure.PURE, self.epsilon)
        if not 0 <= reserved_delta < self.delta:
            raise BudgetRefused(
                f"thresholds ask for a delta of {float(reserved_delta):.3g}; the release has {float(self.delta):.3g}",
                "raise delta, raise the threshold, or declare the values public in the schema",
            )
        left = self.delta - reserved_delta
        if self.order is None:
            return Charge(self.relation, Measure.ZCDP, rho_within(self.epsilon, left), reserved_delta)
        return Charge(self.relation, self.measure, tau_within(self.epsilon, left, self.order), reserved_delta)


@dataclass
class Filter:
    """An adaptive filter: charges may depend on earlier answers, and their sum never exceeds `total`."""

    total: Charge
    spent: Charge

    @classmethod
    def of(cls, total: Charge) -> "Filter":
        return cls(total, Charge.zero(total.relation, total.measure))

    def admit(self, charge: Charge) -> None:
        """Add the charge to `spent`, or refuse and change nothing. Another relation or measure is a TypeError."""
        after = self.spent + charge
        if not after.within(self.total):
            raise BudgetRefused(
                f"this look costs {_words(charge)}; {_words(self.total)} may be spent and {_words(self.spent)} is",
                "ask less, add noise, or reserve more",
            )
        self.spent = after


def _words(charge: Charge) -> str:
    unit = {Measure.PURE: "epsilon", Measure.ZCDP: "rho"}.get(charge.measure, f"tau at order {charge.measure.order}")
    delta = f" and delta {float(charge.delta):.3g}" if charge.delta else ""
    return f"{unit} {float(charge.amount):.6g}{delta}"
