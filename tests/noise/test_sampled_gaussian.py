"""Noise by the hundred thousand and the coins of a sample: their laws, from both sources; and the laws next to them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from understudy.noise.entropy import Entropy, OperatingSystem, Seeded
from understudy.noise.sampled_gaussian import add, heads, normals

SOURCES = {"the system's": OperatingSystem(), "seeded": Seeded(5)}
each = pytest.mark.parametrize("entropy", SOURCES.values(), ids=SOURCES)
FAR = 1e-9  # a true law is rejected once in so many runs


@each
def test_the_normals_are_normal(entropy: Entropy) -> None:
    drawn = normals(200_001, entropy)
    assert stats.kstest(drawn, "norm").pvalue > FAR
    assert stats.kstest(drawn[:100_000] + drawn[100_001:], "norm", args=(0, math.sqrt(2))).pvalue > FAR, "in pairs too"
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 6 / math.sqrt(len(drawn))


@each
@pytest.mark.parametrize("wrong", [0.97, 1.03])
def test_a_scale_that_is_a_little_off_is_seen(entropy: Entropy, wrong: float) -> None:
    noise = (add(np.full(100_000, 7, dtype=np.int64), Fraction(10**8), entropy) - 7) / 10**4

    def tails(drawn: np.ndarray) -> float:
        square = stats.chi2(len(drawn)).cdf((drawn**2).sum())
        return 2 * min(square, 1 - square)

    assert tails(noise) > FAR
    assert tails(noise * wrong) < FAR


def test_the_tail_reaches_beyond_nine() -> None:
    class Least(Seeded):
        def words(self, n: int) -> np.ndarray:
            return np.zeros(n, dtype=np.uint64)

    assert 9.4 < normals(2, Least(0)).max() < 9.6
    assert np.isfinite(normals(2, type("Most", (Least,), {"words": lambda self, n: ~np.zeros(n, np.uint64)})(0))).all()


@each
@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(2, 3)])
def test_the_coins_are_independent_and_fair(entropy: Entropy, rate: Fraction) -> None:
    """One by one, and two by two: what pairs of rows have in common is the product of their rates."""
    fallen = np.stack([heads(40, rate, entropy) for _ in range(4000)])
    q, n = float(rate), len(fallen)
    assert stats.binomtest(int(fallen.sum()), fallen.size, q).pvalue > FAR
    together = fallen.T.astype(float) @ fallen / n
    pairs = together[np.triu_indices(40, 1)]
    assert np.abs(pairs - q * q).max() < 7 * math.sqrt(q * q * (1 - q * q) / n) + 4 / n
    sizes = fallen.sum(axis=1)
    assert sizes.var() == pytest.approx(40 * q * (1 - q), rel=0.2), "a batch of a fixed size would have none"


def test_a_sample_of_all_and_a_source_of_ones_own() -> None:
    assert heads(9, Fraction(1), OperatingSystem()).all()

    class Mine(Entropy):
        private = True

        def coin(self) -> str:
            return ""

        def words(self, n: int) -> np.ndarray:
            return np.zeros(n, dtype=np.uint64)

    for draw in (
        lambda: heads(3, Fraction(1, 2), Mine()),
        lambda: add(np.zeros(3, dtype=np.int64), Fraction(1), Mine()),
    ):
        with pytest.raises(TypeError, match="OperatingSystem"):
            draw()
