"""Private selection: the exponential mechanism, drawn as report-noisy-max with Gumbel noise.

Law.    P[choose i] = exp(score_i / scale) / sum over j of exp(score_j / scale).

Privacy.  If each score moves by at most d, the privacy loss lies in an interval of length eps = 2 d / scale (d / scale
if all move in the same direction), hence eps pure and rho = eps^2 / 8 zCDP. The eighth is not true of every
noisy maximum: proof/gumbel.md says why permute-and-flip, which is also eps pure, may not be charged so.

Utility.  With probability 1 - beta the chosen score is at least max - scale ln(k / beta) among k candidates.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy, OperatingSystem, Seeded, opendp, unknown
from understudy.noise.scale import clamp, drawn
from understudy.refusal import Misuse


def select(scores: NDArray[np.int64], scale: Fraction, entropy: Entropy) -> int:
    """The place of the chosen candidate.

    >>> select(np.array([0, 1000, 10]), Fraction(2), Seeded(0))
    1
    """
    if scores.ndim != 1 or scores.size == 0:
        raise Misuse("a selection needs a list of at least one candidate", "name the candidates")
    values, width = clamp(scores), drawn(scale)
    if isinstance(entropy, Seeded):
        return twin(values, width, entropy.generator)
    if isinstance(entropy, OperatingSystem):
        return released(values, width)
    raise unknown(entropy)


def released(values: NDArray[np.int64], width: float) -> int:
    """OpenDP's sampler: Gumbel variables are compared digit by digit until the winner is certain, with no rounding."""
    return int(chooser(width)(values.tolist()))


@lru_cache(maxsize=256)
def chooser(width: float) -> Callable[[list[int]], int]:
    """The sampler of one scale: building it takes as long as a draw among two hundred."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    built: Callable[[list[int]], int] = dp.m.make_noisy_max(
        *space, output_measure=dp.zero_concentrated_divergence(), scale=width
    )
    return built


def twin(values: NDArray[np.int64], width: float, generator: np.random.Generator) -> int:
    """The same law from numpy. Not private."""
    # the maximum is taken off in integers first: near 2^62 a float would merge neighbouring scores
    below_best = (values - values.max()) / width
    return int(np.argmax(below_best + generator.gumbel(size=values.size)))
