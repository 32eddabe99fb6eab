"""Each mechanism meets its own sampler, and nothing else is drawn."""

from fractions import Fraction

import numpy as np
import pytest

from understudy.noise import discrete_gaussian, discrete_laplace, gumbel, threshold
from understudy.noise.draw import draw
from understudy.noise.entropy import OperatingSystem, Seeded
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Threshold

COUNTS = np.array([3, 50, 0, 8], dtype=np.int64)


def test_every_mechanism_is_drawn_by_its_own_sampler():
    three = Fraction(3)
    gaussian = draw(DiscreteGaussian(three), COUNTS, Seeded(1))
    laplace = draw(DiscreteLaplace(three), COUNTS, Seeded(1))
    chosen = draw(Gumbel(three), COUNTS, Seeded(1))
    shown, noisy = draw(Threshold(three, 20), COUNTS, Seeded(1))
    assert np.array_equal(gaussian, discrete_gaussian.add(COUNTS, three, Seeded(1)))
    assert np.array_equal(laplace, discrete_laplace.add(COUNTS, three, Seeded(1)))
    assert chosen == gumbel.select(COUNTS, three, Seeded(1)) == 1
    assert (shown.tolist(), noisy.tolist()) == tuple(
        array.tolist() for array in threshold.keep(COUNTS, three, 20, Seeded(1))
    )


def test_exact_is_a_copy():
    answer = draw(Exact(), COUNTS, OperatingSystem())
    assert np.array_equal(answer, COUNTS)
    assert not np.shares_memory(answer, COUNTS)


@pytest.mark.parametrize("mechanism", [None, "Gaussian", lambda exact: exact, DiscreteGaussian])
def test_anything_else_is_a_type_error(mechanism):
    with pytest.raises(TypeError, match="no sampler"):
        draw(mechanism, COUNTS, OperatingSystem())


@pytest.mark.parametrize("entropy", [OperatingSystem(), Seeded(2)], ids=["operating system", "seeded"])
def test_the_exact_values_are_not_changed_in_place(entropy):
    before = COUNTS.copy()
    for mechanism in (DiscreteGaussian(Fraction(9)), DiscreteLaplace(Fraction(9)), Gumbel(Fraction(9))):
        draw(mechanism, COUNTS, entropy)
    draw(Threshold(Fraction(9), 5), COUNTS, entropy)
    assert np.array_equal(COUNTS, before)
