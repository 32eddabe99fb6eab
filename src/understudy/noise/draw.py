"""The one place where a requested mechanism meets its sampler. The list is closed; anything else is a TypeError.

| mechanism                       | what comes back                                   |
|---------------------------------|---------------------------------------------------|
| DiscreteGaussian, DiscreteLaplace | the noisy integers, in the shape of the exact ones |
| Gumbel                          | the place of the chosen candidate                 |
| Threshold                       | the places shown, and their noisy counts          |
| SampledGaussian                 | the noisy integers; the sample was the vault's affair |
| Exact                           | the integers themselves                           |
"""

import numpy as np
from numpy.typing import NDArray

from understudy.noise import discrete_gaussian, discrete_laplace, gumbel, sampled_gaussian, threshold
from understudy.noise.entropy import Entropy
from understudy.noise.scale import drawn, drawn_root
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exact,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)

Drawn = NDArray[np.int64] | int | tuple[NDArray[np.intp], NDArray[np.int64]]


def refuse_undrawable(mechanism: Mechanism) -> None:
    """Refuse a scale that no sampler takes. It is public, so it can be known before anything is charged."""
    match mechanism:
        case DiscreteGaussian(sigma2) | SampledGaussian(sigma2):
            drawn_root(sigma2)
        case DiscreteLaplace(scale) | Gumbel(scale) | Threshold(scale):
            drawn(scale)


def draw(mechanism: Mechanism, exact: NDArray[np.int64], entropy: Entropy) -> Drawn:
    """The answer of one mechanism to one exact statistic.

    >>> from fractions import Fraction
    >>> from understudy.noise.entropy import Seeded
    >>> draw(Gumbel(Fraction(1)), np.array([0, 500]), Seeded(0))
    1
    """
    match mechanism:
        case DiscreteGaussian(sigma2):
            return discrete_gaussian.add(exact, sigma2, entropy)
        case DiscreteLaplace(scale):
            return discrete_laplace.add(exact, scale, entropy)
        case Gumbel(scale):
            return gumbel.select(exact, scale, entropy)
        case Threshold(scale, tau):
            return threshold.keep(exact, scale, tau, entropy)
        case SampledGaussian(sigma2):
            return sampled_gaussian.add(exact, sigma2, entropy)
        case Exact():
            return exact.copy()
    raise TypeError(f"no sampler is known for {type(mechanism).__name__}")
