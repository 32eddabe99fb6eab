"""Tempo: how many looks an adversarial training takes, and at how large a sample each, from public facts only.

    batch   b rows are expected in a sample; each row's coin has rate q = min(1, b / nhat)
    looks   T = (SIGNAL mu nhat)^2 / d, between ``least`` and ``most``

A critic of d weights looks T times within a budget of mu-Gaussian privacy (mu^2 = 2 rho). Then, whatever q is, the noise on a
mean clipped gradient is about C sqrt(T) / (mu n) in each weight and C sqrt(T d) / (mu n) long, beside a gradient that is at
most C long: so many looks keep it at 1 / SIGNAL of that. Few rows or a small budget make a short run, never a long loud one.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from understudy.privacy.purse import Purse
from understudy.question.gradient_step import GradientStep

SIGNAL = 1.0


@dataclass(frozen=True)
class Tempo:
    """The sample, and between how many looks a run has."""

    batch: int
    least: int
    most: int

    def rate(self, n: int) -> Fraction:
        """q."""
        return min(Fraction(self.batch, max(n, 1)), Fraction(1))

    def looks(self, n: int, purse: Purse, weights: int) -> int:
        """T."""
        mu = sqrt(2 * purse.amount.measure.rho(purse.amount.amount))
        return int(min(max((SIGNAL * mu * max(n, 0)) ** 2 / weights, self.least), self.most))


@lru_cache(maxsize=256)
def priced(purse: Purse, question: GradientStep, rate: Fraction, looks: int) -> GradientStep:
    """The step with the noise that so many of them are within the purse: found once, as each of them has it."""
    return purse.sampling(question, rate, looks)
