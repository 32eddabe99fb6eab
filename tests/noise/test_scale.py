"""The float that is drawn is never below the exact scale, and hardly above it."""

from fractions import Fraction

import numpy as np
import pytest

from understudy.noise.scale import VALUE, clamp, drawn, drawn_root
from understudy.refusal import Infeasible

PUBLIC = np.random.default_rng(4)
FRACTIONS = [Fraction(int(a), int(b)) for a, b in PUBLIC.integers(1, 10**12, (2000, 2)) if a * 2**19 > b]
NEARLY = 1 + Fraction(1, 2**50)


def test_drawn_is_at_or_just_above_the_scale():
    assert all(scale <= Fraction(drawn(scale)) <= scale * NEARLY for scale in FRACTIONS)


def test_drawn_root_is_at_or_just_above_the_root():
    assert all(sigma2 <= Fraction(drawn_root(sigma2)) ** 2 <= sigma2 * NEARLY for sigma2 in FRACTIONS)


def test_rounding_to_nearest_would_have_failed():
    assert any(Fraction(float(scale)) < scale for scale in FRACTIONS)
    assert any(Fraction(float(sigma2) ** 0.5) ** 2 < sigma2 for sigma2 in FRACTIONS)


def test_exact_floats_stay_as_they_are():
    assert drawn(Fraction(5, 2)) == 2.5
    assert drawn_root(Fraction(25, 4)) == 2.5


def test_clamp_keeps_distances_and_the_type():
    values = np.array([-(2**63), -1, 0, 5, 2**63 - 1], dtype=np.int64)
    clamped = clamp(values)
    assert clamped.tolist() == [-VALUE, -1, 0, 5, VALUE]
    assert clamped.dtype == np.int64


@pytest.mark.parametrize("scale", [Fraction(10**400), Fraction(1, 10**400), Fraction(0), Fraction(-1)])
def test_scales_out_of_range_are_refused_in_words(scale):
    for check in (drawn, drawn_root):
        with pytest.raises(Infeasible, match="outside"):
            check(scale)
