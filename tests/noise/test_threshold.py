"""The probability that a key passes, enumerated in fractions; the smallest tau; what is shown."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from understudy.noise.entropy import OperatingSystem, Seeded
from understudy.noise.scale import drawn
from understudy.noise.threshold import keep, pass_probability, tau_for

SCALES = [Fraction(1, 5), Fraction(7, 10), Fraction(1), Fraction(10, 3)]


def enumerated(p, k):
    """P[Z >= k] by adding the law term by term from zero, with nothing taken from the tail's formula."""
    weight = (1 - p) / (1 + p)
    if k <= 0:
        return 1 - enumerated(p, 1 - k)
    return Fraction(1, 2) * (1 - weight) - sum((weight * p**z for z in range(1, k)), Fraction(0))


def short(p):
    """exp(-1/scale) to 90 digits, so that sums of fractions stay small."""
    return Fraction(round(p * 10**90), 10**90)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("distance", [-9, -2, -1, 0, 1, 2, 3, 12])
def test_pass_probability_is_above_the_truth_and_tight(scale, distance, taylor):
    truth = enumerated(short(taylor(1 / Fraction(drawn(scale)))), distance)
    claimed = pass_probability(scale, 5 + distance, 5)
    assert truth * (1 - Fraction(1, 10**60)) <= claimed <= truth * (1 + Fraction(1, 10**30))


@pytest.mark.parametrize("k", [-400, -1, 0, 1, 2, 50, 10**6, 10**15])
def test_pass_probability_never_falls_below_the_closed_form(k, taylor):
    if abs(k) > 100:
        assert 0 < pass_probability(Fraction(1), k, 0) <= 1
        return
    p = taylor(Fraction(1))
    truth = p**k / (1 + p) if k > 0 else 1 - p ** (1 - k) / (1 + p)
    assert truth <= pass_probability(Fraction(1), k, 0) <= truth * (1 + Fraction(1, 10**60))


def test_pass_probability_falls_with_tau_and_rises_with_the_count():
    by_tau = [pass_probability(Fraction(3), tau, 4) for tau in range(-10, 60)]
    assert by_tau == sorted(by_tau, reverse=True)
    assert (
        pass_probability(Fraction(3), 20, 5)
        == pass_probability(Fraction(3), 21, 6)
        == pass_probability(Fraction(3), 15, 0)
    )


@pytest.mark.parametrize("scale", [*SCALES, Fraction(40), Fraction(10**9, 7)])
@pytest.mark.parametrize("delta", ["49/100", "1/3", "1/100", "1/1000000", "1/1000000000000", "1/10000000000000000000"])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_tau_is_the_smallest_that_keeps_delta(scale, delta, count):
    tau = tau_for(scale, Fraction(delta), count)
    assert pass_probability(scale, tau, count) <= Fraction(delta) < pass_probability(scale, tau - 1, count)


def test_a_tau_one_lower_or_a_singleton_forgotten_breaks_delta():
    scale, delta = Fraction(2), Fraction(1, 10**6)
    assert pass_probability(scale, tau_for(scale, delta, 1), 2) > delta
    assert pass_probability(scale, tau_for(scale, delta, 1) - 1, 1) > delta


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(-1)])
def test_delta_outside_its_range_is_an_error(delta):
    with pytest.raises(ValueError, match="delta"):
        tau_for(Fraction(1), delta, 1)


@pytest.mark.parametrize("entropy", [OperatingSystem(), Seeded(15)], ids=["operating system", "seeded"])
class TestKeep:
    def test_large_counts_are_shown_and_small_ones_are_not(self, entropy):
        counts = np.array([5_000, 1, 2, 7_000, 1])
        shown, noisy = keep(counts, Fraction(2), 500, entropy)
        assert shown.tolist() == [0, 3]
        assert noisy.dtype == np.int64
        assert (np.abs(noisy - counts[shown]) < 200).all()

    def test_what_is_shown_reaches_tau(self, entropy):
        shown, noisy = keep(np.full(500, 10), Fraction(5), 12, entropy)
        assert 0 < shown.size < 500
        assert (noisy >= 12).all()
        assert noisy.min() == 12

    def test_a_singleton_passes_as_often_as_computed(self, entropy):
        draws = 40_000
        shown, _ = keep(np.ones(draws, dtype=np.int64), Fraction(1), 4, entropy)
        expected = pass_probability(Fraction(1), 4, 1)
        assert binomtest(shown.size, draws, float(expected)).pvalue > 1e-6
        assert binomtest(shown.size, draws, float(pass_probability(Fraction(1), 5, 1))).pvalue < 1e-6

    def test_no_keys(self, entropy):
        shown, noisy = keep(np.array([], dtype=np.int64), Fraction(1), 3, entropy)
        assert shown.size == noisy.size == 0

    def test_a_tau_beyond_int64_shows_nothing(self, entropy):
        assert keep(np.array([2**62]), Fraction(1), 2**70, entropy)[0].size == 0
