"""The two fractions around exp(-x), against Taylor's series in integers."""

from fractions import Fraction

import pytest

from understudy.noise.exponential import bounds


@pytest.mark.parametrize("x", ["1/10", "1", "1/3", "22/7", "10", "60", "1/1000000007", "123456789/10000019"])
def test_the_bounds_hold_and_are_tight(x, taylor):
    low, high = bounds(Fraction(x))
    reference = taylor(Fraction(x))
    assert low <= reference <= high
    assert high - low <= reference / 10**70


def test_the_ends():
    assert bounds(Fraction(0)) == (1, 1)
    low, high = bounds(Fraction(10**30))
    assert low == 0
    assert 0 < high < Fraction(1, 10**8000)
    with pytest.raises(ValueError, match="x >= 0"):
        bounds(Fraction(-1))


def test_more_digits_are_tighter(taylor):
    reference = taylor(Fraction(22, 7))
    for digits in (30, 60, 90, 130):
        low, high = bounds(Fraction(22, 7), digits)
        assert low <= reference <= high
        assert Fraction(1, 10 ** (digits + 5)) <= high - low <= Fraction(1, 10 ** (digits - 20))


def test_the_bounds_fall_as_x_grows():
    highs = [bounds(Fraction(k, 7))[1] for k in range(200)]
    assert highs == sorted(highs, reverse=True)
