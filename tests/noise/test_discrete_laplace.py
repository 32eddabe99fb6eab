"""The discrete Laplace against its own formula; mutants and saboteurs must fail the same judge."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from understudy.noise import discrete_laplace
from understudy.noise.entropy import OperatingSystem, Seeded, opendp
from understudy.noise.scale import drawn
from understudy.refusal import Infeasible

DRAWS = 100_000
SCALES = {"small": 0.7, "medium": 5.0, "large": 40.0}


def law(z, scale):
    return np.tanh(1 / (2 * scale)) * np.exp(-np.abs(z) / scale)


def draw(scale, entropy, size=DRAWS):
    return discrete_laplace.add(np.zeros(size, dtype=np.int64), Fraction(scale), entropy)


@pytest.fixture(scope="module", params=["operating system", "seeded"])
def entropy(request):
    return OperatingSystem() if request.param == "operating system" else Seeded(12)


@pytest.fixture(scope="module", params=SCALES.values(), ids=SCALES.keys())
def sample(request, entropy):
    return request.param, draw(request.param, entropy)


def test_draws_follow_the_law(sample, noise_fits):
    scale, noise = sample
    assert noise_fits(noise, law, scale)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_scale_ten_percent_off_is_rejected(sample, factor, noise_fits):
    scale, noise = sample
    assert not noise_fits(noise, law, scale / factor)  # what was drawn is `factor` times what is claimed


def test_both_signs_are_equally_likely_and_neighbouring_integers_appear(sample):
    scale, noise = sample
    assert binomtest(int((noise > 0).sum()), int((noise != 0).sum())).pvalue > 1e-6
    assert set(range(-int(2 * scale), int(2 * scale) + 1)) <= set(noise.tolist())


def test_saboteurs_fail(noise_fits):
    floats = np.random.default_rng(2)
    assert not noise_fits(draw(2.5, Seeded(1)), law, 5.0)
    assert not noise_fits(np.rint(floats.laplace(0, 4.5, DRAWS)).astype(np.int64), law, 5.0)
    assert not noise_fits(np.rint(floats.laplace(0, 0.7, DRAWS)).astype(np.int64), law, 0.7)
    assert not noise_fits(np.abs(draw(5.0, Seeded(3))), law, 5.0)


@pytest.mark.parametrize("shape", [(0,), (7,), (3, 4), (2, 0, 3)])
def test_shape_and_type_come_back(entropy, shape):
    exact = np.full(shape, -(10**12), dtype=np.int64)
    noisy = discrete_laplace.add(exact, Fraction(3), entropy)
    assert noisy.shape == shape
    assert noisy.dtype == np.int64
    assert (np.abs(noisy - exact) < 200).all()


def test_only_int64_is_noised(entropy):
    with pytest.raises(TypeError, match="int64"):
        discrete_laplace.add(np.array([0.5]), Fraction(1), entropy)


def test_low_bits_hide_the_exact_value(entropy):
    for exact in (2**40, 2**40 + 3):
        noisy = discrete_laplace.add(np.full(4000, exact, dtype=np.int64), Fraction(10), entropy)
        assert set((noisy % 8).tolist()) == set(range(8))


def test_the_largest_values_and_scales_neither_wrap_nor_raise(entropy):
    up, down = discrete_laplace.add(np.array([2**63 - 1, -(2**63)], dtype=np.int64), Fraction(2**45), entropy)
    assert up > 2**61
    assert down < -(2**61)


@pytest.mark.parametrize("scale", [Fraction(0), Fraction(-1), Fraction(1, 2**21), Fraction(2**49), Fraction(10**400)])
def test_a_scale_outside_the_range_is_refused(entropy, scale):
    with pytest.raises(Infeasible, match="scale"):
        discrete_laplace.add(np.zeros(1, dtype=np.int64), scale, entropy)


def test_opendp_takes_the_float_as_an_exact_fraction():
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    for scale in [Fraction(2), Fraction(1, 3), Fraction(10**9, 7)]:
        width = drawn(scale)
        eps = dp.m.make_laplace(*space, scale=width).map(1)
        exact = 1 / Fraction(width)
        assert exact <= Fraction(eps) <= Fraction(math.nextafter(float(exact), 1e9))
        assert exact <= 1 / scale  # never dearer than the price that is charged


BETAS = [0.49, 0.3, 0.05, 1e-3, 1e-6, 1e-10, 1e-15]


@pytest.mark.parametrize("scale", [Fraction(1, 50), Fraction(7, 10), Fraction(1), Fraction(5), Fraction(40)])
@pytest.mark.parametrize("beta", BETAS)
def test_upper_is_the_smallest_safe_integer(scale, beta, taylor):
    p = taylor(1 / Fraction(drawn(scale)))
    t = discrete_laplace.upper(scale, beta)
    assert p ** (t + 1) / (1 + p) <= beta
    assert t == 0 or p**t / (1 + p) > beta


def test_upper_takes_fractions_and_huge_scales():
    assert discrete_laplace.upper(Fraction(1), Fraction(1, 10**400)) == 920
    t = discrete_laplace.upper(Fraction(2**48), 1e-15)
    assert t == pytest.approx(2**48 * math.log(0.5e15), rel=1e-12)


def test_a_bound_for_twice_the_beta_misses_too_often(taylor):
    p = taylor(Fraction(1, 5))
    assert any(p ** (discrete_laplace.upper(Fraction(5), 2 * beta) + 1) / (1 + p) > beta for beta in BETAS[1:])


@pytest.mark.parametrize("beta", [0, 1, -1])
def test_beta_outside_its_range_is_an_error(beta):
    with pytest.raises(ValueError, match="beta"):
        discrete_laplace.upper(Fraction(1), Fraction(beta))
