"""A purse: a charge that may be spent on one thing, and the noise that it buys. The inverse of `price`.

    additive noise    zCDP: sigma2 = l2sq / (2 rho)          pure: scale = l1 / epsilon
    selection         zCDP: scale = linf / sqrt(2 rho)       pure: scale = 2 linf / epsilon
    threshold         zCDP: scale = l1 / sqrt(2 rho), and the least tau with keys * P[linf + Z >= tau] <= delta
    samples of rows   the least sigma2 at which so many looks cost no more than the purse, by bisection

At a Renyi order the first three are as in zCDP, with rho = tau / order; the last is for Renyi orders only.

>>> from understudy.question.count import Count
>>> from understudy.question.mechanism import Exact
>>> from understudy.schema.relation import Relation
>>> purse = Purse(Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(1, 8)), unit_rows=1)
>>> purse.noisy(Count(Exact())).mechanism
DiscreteGaussian(sigma2=Fraction(4, 1))

Scales that are not rational are rounded up, so that the price is never above the purse.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from understudy.noise.threshold import tau_for
from understudy.privacy.charge import Charge, Measure, price
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exact,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)
from understudy.question.question import Question
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused

Asked = TypeVar("Asked", bound=Question)
FINE = 2**13  # steps of a noise's scale while it doubles: at low noise a price is steep


@dataclass(frozen=True)
class Purse:
    """What may be spent, and the bound on rows a unit."""

    amount: Charge
    unit_rows: int

    def share(self, part: Fraction) -> "Purse":
        """A part of the purse; the delta stays behind."""
        return Purse(replace(self.amount, amount=self.amount.amount * part, delta=Fraction(0)), self.unit_rows)

    def noisy(self, question: Asked) -> Asked:
        """The question with the additive noise that the whole purse buys."""
        moves = self._sensitivity(question)
        if moves.l1 == 0:
            return replace(question, mechanism=Exact())
        mechanism: Mechanism
        if self.amount.measure is Measure.PURE:
            mechanism = DiscreteLaplace(moves.l1 / self._positive())
        else:
            mechanism = DiscreteGaussian(moves.l2sq / (2 * self._rho()))
        return self._paid(replace(question, mechanism=mechanism))

    def choosing(self, question: Asked) -> Asked:
        """The question with the selection that the whole purse buys."""
        linf = self._sensitivity(question).linf
        if self.amount.measure is Measure.PURE:
            return self._paid(replace(question, mechanism=Gumbel(2 * linf / self._positive())))
        return self._paid(replace(question, mechanism=Gumbel(linf / root_below(2 * self._rho()))))

    def revealing(self, question: Asked, delta: Fraction) -> Asked:
        """The question with the noise and the threshold that the purse and a delta buy."""
        moves = self._sensitivity(question)
        if self.amount.measure is Measure.PURE:
            raise BudgetRefused("an open list cannot be discovered with delta 0", "give a delta, or list the values")
        scale = moves.l1 / root_below(2 * self._rho())
        # delta = keys * P[linf + Z >= tau]
        tau = tau_for(scale, delta / moves.keys, moves.linf)
        return self._paid(replace(question, mechanism=Threshold(scale, tau)))

    def sampling(self, question: Asked, rate: Fraction, looks: int) -> Asked:
        """The question with the noise at which ``looks`` of its like, each of its own sample, cost at most the purse."""
        side2, each = self._sensitivity(question).side2, self._positive() / looks

        def asked(steps: int) -> Asked:
            # sigma = side * 2^(steps / FINE)
            return replace(question, mechanism=SampledGaussian(side2 * Fraction(2 ** (steps / FINE)) ** 2, rate))

        low, high = -FINE * 8, FINE * 24
        if self.price(asked(high)).amount > each:
            raise BudgetRefused("this part of the budget is too small for so many samples", "raise epsilon")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.price(asked(middle)).amount <= each else (middle, high)
        return self._paid(asked(high))

    def price(self, question: Question) -> Charge:
        """What a question costs under this purse's relation and measure."""
        return price(question.mechanism, self._sensitivity(question), self.amount.relation, self.amount.measure)

    def _sensitivity(self, question: Question) -> Sensitivity:
        return question.sensitivity(self.unit_rows, self.amount.relation)

    def _rho(self) -> Fraction:
        """What the purse is in rho: of zCDP or of a Renyi order."""
        return self.amount.measure.rho(self._positive())

    def _positive(self) -> Fraction:
        if self.amount.amount <= 0:
            raise BudgetRefused("nothing is left in this part of the budget", "raise epsilon")
        return self.amount.amount

    def _paid(self, question: Asked) -> Asked:
        assert self.price(question).amount <= self.amount.amount, "a purse bought more than it holds"
        return question


def root_below(square: Fraction) -> Fraction:
    """A fraction just below the square root: its square is at most ``square``.

    >>> root_below(Fraction(1, 4)), root_below(Fraction(2)) ** 2 <= 2
    (Fraction(1, 2), True)
    """
    digits = 2**64
    return Fraction(math.isqrt(square.numerator * square.denominator * digits**2), square.denominator * digits)
