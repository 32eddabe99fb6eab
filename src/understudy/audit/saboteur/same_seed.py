"""One seed for the noise of every release: the difference of two answers has no noise at all.

Two releases of one table, a count of everybody and a count of the women. With the same noise on both, their difference is
the exact number of men.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Sampled

RUNS, SIGMA, EPSILON, DELTA = 4_000, 5.0, 1.0, 1e-3


def difference(men: int, generators: tuple[np.random.Generator, np.random.Generator]) -> float:
    """Everybody minus the women, each with its noise."""
    everybody, women = (generator.normal(0, SIGMA) for generator in generators)
    return round(100 + men + everybody - (100 + women), 6)


def trial(same: bool) -> Sampled:
    """Ten men against eleven."""
    source = np.random.default_rng(0)

    def generators() -> tuple[np.random.Generator, np.random.Generator]:
        first = int(source.integers(2**60))
        second = first if same else int(source.integers(2**60))
        return np.random.default_rng(first), np.random.default_rng(second)

    ten, eleven = ([difference(men, generators()) for _ in range(RUNS)] for men in (10, 11))
    return Sampled(ten, eleven, epsilon=EPSILON, delta=DELTA)


@saboteur(
    "same-seed",
    defect="the noise of two releases drawn from one seed",
    printed="document 004's code: seeds from time(); a fixed seed in a configuration file",
    caught_by=Sampled,
    sound=lambda: trial(same=False),
)
def same_seed() -> Sampled:
    return trial(same=True)
