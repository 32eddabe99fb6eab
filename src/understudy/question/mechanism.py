"""The mechanisms a question may ask for. The list is closed: an enum where a callback could break the law.

A mechanism is a public request: which noise, at which exact scale. `noise/` draws it, `privacy/charge.py` prices it,
and only the gate joins the two.

| mechanism        | law of the noise                                     |
|------------------|------------------------------------------------------|
| DiscreteGaussian | P[Z = z] proportional to exp(-z^2 / (2 sigma2)), z integer |
| DiscreteLaplace  | P[Z = z] proportional to exp(-|z| / scale), z integer      |
| Gumbel           | P[choose i] proportional to exp(score_i / scale)           |
| Threshold        | discrete Laplace on the counts that are present, shown where count + Z >= tau |
| SampledGaussian  | the statistic of a Poisson sample of the rows, plus N(0, sigma2), rounded |
| Exact            | no noise: only for a statistic that no unit can move       |

Scales are fractions, so that a price is exact.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class DiscreteGaussian:
    """Integer noise with P[Z = z] proportional to exp(-z^2 / (2 sigma2))."""

    sigma2: Fraction


@dataclass(frozen=True)
class DiscreteLaplace:
    """Integer noise with P[Z = z] proportional to exp(-|z| / scale)."""

    scale: Fraction


@dataclass(frozen=True)
class Gumbel:
    """The exponential mechanism as report-noisy-max: P[choose i] proportional to exp(score_i / scale)."""

    scale: Fraction


@dataclass(frozen=True)
class Threshold:
    """Discrete Laplace noise on every count that is present; a key is shown where its noisy count reaches tau."""

    scale: Fraction
    tau: int


@dataclass(frozen=True)
class SampledGaussian:
    """Each row is in the sample by a coin of its own, heads with probability ``rate``; the noise is N(0, sigma2), rounded.

    The vault draws the sample and the door the noise, both from this one object, and the price reads the same two numbers.
    """

    sigma2: Fraction
    rate: Fraction


@dataclass(frozen=True)
class Exact:
    """No noise. The gate admits it only where the declared sensitivity is zero."""


Mechanism = DiscreteGaussian | DiscreteLaplace | Gumbel | Threshold | SampledGaussian | Exact
