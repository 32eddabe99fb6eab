"""The discrete Gaussian against its own formula; mutants and saboteurs must fail the same judge."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from understudy.noise import discrete_gaussian
from understudy.noise.entropy import OperatingSystem, Seeded, opendp
from understudy.noise.scale import drawn_root
from understudy.refusal import Infeasible

DRAWS = 100_000
SIGMAS = {"small": 0.7, "medium": 5.0, "large": 40.0}


def law(z, sigma):
    far = np.arange(-math.ceil(40 * sigma) - 1, math.ceil(40 * sigma) + 2)
    return np.exp(-(z**2) / (2 * sigma**2)) / np.exp(-(far**2) / (2 * sigma**2)).sum()


def draw(sigma, entropy, size=DRAWS):
    return discrete_gaussian.add(np.zeros(size, dtype=np.int64), Fraction(sigma) ** 2, entropy)


@pytest.fixture(scope="module", params=["operating system", "seeded"])
def entropy(request):
    return OperatingSystem() if request.param == "operating system" else Seeded(11)


@pytest.fixture(scope="module", params=SIGMAS.values(), ids=SIGMAS.keys())
def sample(request, entropy):
    return request.param, draw(request.param, entropy)


def test_draws_follow_the_law(sample, noise_fits):
    sigma, noise = sample
    assert noise_fits(noise, law, sigma)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_scale_ten_percent_off_is_rejected(sample, factor, noise_fits):
    sigma, noise = sample
    assert not noise_fits(noise, law, sigma / factor)  # what was drawn is `factor` times what is claimed


def test_both_signs_are_equally_likely_and_neighbouring_integers_appear(sample):
    sigma, noise = sample
    assert binomtest(int((noise > 0).sum()), int((noise != 0).sum())).pvalue > 1e-6
    assert set(range(-int(2 * sigma), int(2 * sigma) + 1)) <= set(noise.tolist())


def test_saboteurs_fail(noise_fits):
    half = draw(2.5, Seeded(1))
    rounded = np.rint(np.random.default_rng(2).normal(0, 0.7, DRAWS)).astype(np.int64)
    assert not noise_fits(half, law, 5.0)
    assert not noise_fits(rounded, law, 0.7)
    assert not noise_fits(np.abs(draw(5.0, Seeded(3))), law, 5.0)


@pytest.mark.parametrize("shape", [(0,), (7,), (3, 4), (2, 0, 3), (2, 3, 4)])
def test_shape_and_type_come_back(entropy, shape):
    exact = np.full(shape, 10**12, dtype=np.int64)
    noisy = discrete_gaussian.add(exact, Fraction(9), entropy)
    assert noisy.shape == shape
    assert noisy.dtype == np.int64
    assert (np.abs(noisy - exact) < 60).all()


@pytest.mark.parametrize("exact", [np.array([0.5]), np.array([True]), np.array([1], dtype=np.uint64)])
def test_only_int64_is_noised(entropy, exact):
    with pytest.raises(TypeError, match="int64"):
        discrete_gaussian.add(exact, Fraction(1), entropy)


def test_low_bits_hide_the_exact_value(entropy):
    even = discrete_gaussian.add(np.full(4000, 2**40, dtype=np.int64), Fraction(100), entropy) % 8
    odd = discrete_gaussian.add(np.full(4000, 2**40 + 3, dtype=np.int64), Fraction(100), entropy) % 8
    assert set(even.tolist()) == set(odd.tolist()) == set(range(8))


def test_the_largest_values_and_scales_neither_wrap_nor_raise(entropy):
    ends = np.array([2**63 - 1, -(2**63)], dtype=np.int64)
    up, down = discrete_gaussian.add(ends, Fraction(2**90), entropy)
    assert up > 2**61
    assert down < -(2**61)


@pytest.mark.parametrize("sigma2", [Fraction(0), Fraction(-1), Fraction(1, 2**41), Fraction(2**97), Fraction(10**400)])
def test_a_scale_outside_the_range_is_refused(entropy, sigma2):
    with pytest.raises(Infeasible, match="variance"):
        discrete_gaussian.add(np.zeros(1, dtype=np.int64), sigma2, entropy)


def test_opendp_takes_the_float_as_an_exact_fraction():
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    for sigma2 in [Fraction(2), Fraction(25), Fraction(1, 3), Fraction(10**9, 7)]:
        sigma = drawn_root(sigma2)
        rho = dp.m.make_gaussian(*space, scale=sigma).map(1.0)
        exact = 1 / (2 * Fraction(sigma) ** 2)
        assert exact <= Fraction(rho) <= Fraction(math.nextafter(float(exact), 1e9))
        assert exact <= 1 / (2 * sigma2)  # never dearer than the price that is charged


BETAS = [0.5, 0.3, 0.05, 1e-3, 1e-6, 1e-10, 1e-15]


def miss(t, sigma):
    """P[Z > t], summed with math.fsum from the definition."""
    weights = [math.exp(-(z**2) / (2 * sigma**2)) for z in range(math.ceil(39 * sigma) + 2)]
    return math.fsum(weights[t + 1 :]) / (2 * math.fsum(weights) - 1)


@pytest.mark.parametrize("sigma", [0.01, 0.3, 0.7, 1.0, 5.0, 40.0, 997.3])
@pytest.mark.parametrize("beta", BETAS)
def test_upper_is_the_smallest_safe_integer(sigma, beta):
    t = discrete_gaussian.upper(Fraction(sigma) ** 2, beta)
    assert miss(t, sigma) <= beta
    assert t == 0 or miss(t - 1, sigma) > beta * (1 - 2e-9)


@pytest.mark.parametrize("sigma", [0.7, 5.0, 40.0, 9_000.0])
@pytest.mark.parametrize("beta", BETAS)
def test_the_bounded_route_is_safe_and_loose_by_one_at_most(sigma, beta):
    assert 0 <= discrete_gaussian.bounded(sigma, beta) - discrete_gaussian.summed(sigma, beta) <= 1


@pytest.mark.parametrize("sigma", [10_001, 10**7, 2**48])
def test_upper_meets_the_normal_quantile_at_large_scales(sigma):
    for beta in BETAS[1:]:
        t = discrete_gaussian.upper(Fraction(sigma) ** 2, beta)
        assert t == pytest.approx(sigma * norm.isf(beta), rel=1e-8, abs=1)


def test_a_bound_for_twice_the_beta_misses_too_often():
    assert any(miss(discrete_gaussian.upper(Fraction(25), 2 * beta), 5.0) > beta for beta in BETAS[1:])


@pytest.mark.parametrize("beta", [0.0, 1.0, -0.1, math.nan])
def test_beta_outside_its_range_is_an_error(beta):
    with pytest.raises(ValueError, match="beta"):
        discrete_gaussian.upper(Fraction(1), beta)
