"""What an audit may conclude: against scipy's intervals, closed forms, the ceilings of the literature, and simulation."""

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.stats import binomtest

from understudy.audit.bounds import (
    Rates,
    epsilon_of_gaussian,
    epsilon_without_shape,
    gaussian_mu,
    interval,
    renyi,
    rho_without_shape,
)


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (3, 10), (10, 10), (999, 1000), (1, 100_000)])
def test_the_intervals_are_clopper_and_pearsons(hits: int, runs: int) -> None:
    theirs = binomtest(hits, runs).proportion_ci(0.95)
    assert interval(hits, runs, 0.95) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize(("runs", "ceiling"), [(10**2, 3.28), (10**3, 5.6), (10**4, 7.9), (10**5, 10.2)])
def test_a_perfect_adversary_meets_the_ceiling_of_its_runs(runs: int, ceiling: float) -> None:
    assert epsilon_without_shape(Rates.of(runs, runs, runs, runs, 0.95), 0.0) == pytest.approx(ceiling, abs=0.06)


@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("delta", [1e-6, 1e-3])
def test_the_gaussian_epsilon_is_dp_accountings(mu: float, delta: float) -> None:
    theirs = pld.from_gaussian_mechanism(1 / mu, value_discretization_interval=1e-4).get_epsilon_for_delta(delta)
    assert epsilon_of_gaussian(mu, delta) == pytest.approx(theirs, abs=2e-3)


def test_renyi_tends_to_kullback_leibler() -> None:
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.3, 0.3, 0.4])
    assert renyi(p, q, 1.0001) == pytest.approx((p * np.log(p / q)).sum(), rel=1e-3)
    assert renyi([1.0, 0.0], [0.0, 1.0], 2.0) == np.inf


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
def test_a_certified_bound_is_wrong_as_seldom_as_it_says(mu: float) -> None:
    """1,000 audits of a mechanism that is exactly mu apart: mu and rho = mu^2 / 2 are refuted in at most 5 % and a bit."""
    rng, runs, wrong_mu, wrong_rho = np.random.default_rng(0), 400, 0, 0
    for _ in range(1000):
        first, second = rng.normal(-mu / 2, 1, runs), rng.normal(mu / 2, 1, runs)
        rates = Rates.of(int((second > 0).sum()), runs, int((first <= 0).sum()), runs, 0.95)
        wrong_mu += gaussian_mu(rates) > mu
        wrong_rho += rho_without_shape(rates) > mu**2 / 2
    assert wrong_mu <= 50 + 3 * 7
    assert wrong_rho <= 50 + 3 * 7
