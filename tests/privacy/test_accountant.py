"""The conversion against exact Gaussian privacy, against dp_accounting's two accountants, and at its rounded ends."""

import itertools
import math
import random
import subprocess
import sys
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from understudy.privacy.accountant import Budget, Filter, epsilon_of, exact, rho_within
from understudy.privacy.charge import Charge, Measure, price
from understudy.privacy.opinion import second_opinion
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Gumbel, Mechanism, Threshold
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused, Misuse
from understudy.schema.relation import Relation

AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
ONE = Sensitivity(l1=1, l2sq=1, linf=1)
EPSILONS = ["0.001", "0.01", "0.1", "1", "5", "20", "50"]
DELTAS = ["1e-15", "1e-9", "1e-5", "0.001", "0.1"]


def gaussian_epsilon(rho: float, delta: float) -> float:
    """Balle and Wang: delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), mu^2 = 2 rho, solved for eps."""
    mu = math.sqrt(2 * rho)

    def excess(eps: float) -> float:
        return norm.cdf(mu / 2 - eps / mu) - math.exp(eps + norm.logcdf(-mu / 2 - eps / mu)) - delta

    return brentq(excess, 0, 500) if excess(0) > 0 else 0.0


@pytest.mark.parametrize("delta", ["1e-12", *DELTAS[1:]])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_never_below_the_exact_gaussian_and_not_far_above(epsilon: str, delta: str) -> None:
    rho = rho_within(Fraction(epsilon), Fraction(delta))
    truth = gaussian_epsilon(float(rho), float(Fraction(delta)))
    assert epsilon_of(rho, Fraction(delta)) >= truth * (1 - 1e-6)
    if Fraction(delta) <= Fraction("1e-5") and Fraction(epsilon) >= Fraction("0.1"):
        assert truth >= 0.75 * float(Fraction(epsilon))  # the route through zCDP wastes no more than a quarter


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_rho_within_is_the_safe_end_of_the_search(epsilon: str, delta: str) -> None:
    e, d = Fraction(epsilon), Fraction(delta)
    rho = rho_within(e, d)
    assert rho > 0
    assert rho.denominator & (rho.denominator - 1) == 0  # dyadic
    assert Fraction(epsilon_of(rho, d)) <= e
    assert Fraction(epsilon_of(rho * (1 + Fraction(1, 10**9)), d)) > e  # and no more could be bought


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", ["1e-8", "1e-4", "0.03", "1", "30"])
def test_the_search_finds_the_least_and_rounds_up(rho: str, delta: str) -> None:
    """Against mpmath on a fine grid of orders around the printed formula."""
    mpmath = pytest.importorskip("mpmath")
    mpmath.mp.dps = 40
    r, d = mpmath.mpf(rho), mpmath.mpf(delta)

    def formula(a: object) -> object:
        return a * r + mpmath.log(1 - 1 / a) - (mpmath.log(d) + mpmath.log(a)) / (a - 1)

    grid = min(formula(1 + mpmath.exp(mpmath.mpf(i) / 200)) for i in range(-3000, 3600))
    ours = epsilon_of(Fraction(rho), Fraction(delta))
    assert ours <= max(0, grid) * (1 + mpmath.mpf("1e-9")) + mpmath.mpf("1e-12")
    assert ours >= grid * (1 - mpmath.mpf("1e-3")) - mpmath.mpf("1e-12")


def test_more_looks_less_noise_and_less_delta_cost_more() -> None:
    rhos = [Fraction(i, 100) for i in range(1, 60)]
    assert all(a < b for a, b in itertools.pairwise(epsilon_of(r, Fraction("1e-6")) for r in rhos))
    deltas = [Fraction(1, 10**i) for i in range(1, 15)]
    assert all(a < b for a, b in itertools.pairwise(epsilon_of(Fraction(1, 10), d) for d in deltas))
    assert all(a > b for a, b in itertools.pairwise(rho_within(Fraction(1), d) for d in deltas))


def test_the_ends() -> None:
    assert epsilon_of(Fraction(0), Fraction(0)) == 0
    assert epsilon_of(Fraction(1), Fraction(0)) == math.inf
    for epsilon, delta in (
        (Fraction(0), Fraction(1, 10)),
        (Fraction(1), Fraction(0)),
        (Fraction(1), Fraction(1)),
        (Fraction(1), Fraction(1, 10**400)),
    ):
        with pytest.raises(BudgetRefused):
            rho_within(epsilon, delta)


def looks(name: str) -> tuple[Mechanism, Sensitivity]:
    stacked = Sensitivity(l1=6, l2sq=6, linf=1)
    return {
        "gaussian": (DiscreteGaussian(Fraction(300)), stacked),
        "laplace": (DiscreteLaplace(Fraction(40)), Sensitivity(l1=2, l2sq=4, linf=2)),
        "gumbel": (Gumbel(Fraction(15)), ONE),
        "threshold": (Threshold(Fraction(30), 900), Sensitivity(l1=1, l2sq=1, linf=1, keys=1)),
    }[name]


@pytest.mark.parametrize(
    "plan",
    [
        ["gaussian"] * 12,
        ["laplace"] * 30,
        ["gumbel"] * 40,
        ["threshold"] * 40,
        ["gaussian"] * 8 + ["gumbel"] * 8 + ["laplace"] + ["threshold"],
    ],
    ids=lambda plan: f"{len(plan)} {'+'.join(dict.fromkeys(plan))}",
)
@pytest.mark.parametrize("delta", ["1e-9", "1e-6", "1e-3"])
def test_our_total_is_never_below_the_second_opinion(plan: list[str], delta: str) -> None:
    asked = [looks(name) for name in plan]
    total = sum((price(*look, AR, Measure.ZCDP) for look in asked), Charge.zero(AR, Measure.ZCDP))
    ours = epsilon_of(total.amount, Fraction(delta) - total.delta)
    said = second_opinion(asked, Fraction(delta))
    assert said.pld <= ours
    # the Renyi accountant looks at a list of orders: for Gaussian and Gumbel looks ours is the least over all orders
    if set(plan) <= {"gaussian", "gumbel"}:
        assert ours <= said.rdp * (1 + 1e-9)
    assert ours <= 1.2 * said.rdp + 1e-3
    # a price with a factor missing would be caught
    assert epsilon_of(total.amount / 2, Fraction(delta) - total.delta) < said.pld


def test_second_opinion_refuses_a_plan_whose_thresholds_use_up_delta() -> None:
    with pytest.raises(BudgetRefused, match="use up its delta"):
        second_opinion([(Threshold(Fraction(1), 5), Sensitivity(1, 1, 1, keys=1))], Fraction(1, 10**6))


def test_second_opinion_of_nothing_is_nothing() -> None:
    said = second_opinion([], Fraction(1, 10**6))
    assert (said.rdp, said.pld) == (0, 0)


@pytest.mark.parametrize(
    ("q", "sigma", "steps", "rdp", "pld"),
    [(0.01, 4.0, 10_000, 1.035, 0.947), (1.0, 10.0, 100, None, 4.377), (0.01, 0.5, 1_000, None, 13.36)],
)
def test_goldens_of_the_library_that_gives_the_second_opinion(
    q: float, sigma: float, steps: int, rdp: float | None, pld: float
) -> None:
    event = dp_accounting.SelfComposedDpEvent(
        dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma)), steps
    )
    assert PLDAccountant().compose(event).get_epsilon(1e-5) == pytest.approx(pld, abs=6e-3)
    if rdp:
        assert RdpAccountant().compose(event).get_epsilon(1e-5) == pytest.approx(rdp, abs=1e-3)
    if q == 1.0:
        assert epsilon_of(Fraction(steps, 2) / Fraction(sigma) ** 2, Fraction("1e-5")) >= pld


def test_a_budget_knows_its_measure_and_its_total() -> None:
    pure = Budget(Fraction(1), Fraction(0), RO)
    assert pure.measure is Measure.PURE
    assert pure.total() == Charge(RO, Measure.PURE, Fraction(1))
    both = Budget(Fraction(1), Fraction("1e-6"), AR)
    assert both.measure is Measure.ZCDP
    assert both.total() == Charge(AR, Measure.ZCDP, rho_within(Fraction(1), Fraction("1e-6")))
    half = both.total(Fraction("5e-7"))
    assert half == Charge(AR, Measure.ZCDP, rho_within(Fraction(1), Fraction("5e-7")), Fraction("5e-7"))
    for budget, reserved in ((pure, Fraction("1e-9")), (both, Fraction("1e-6")), (both, Fraction(-1))):
        with pytest.raises(BudgetRefused):
            budget.total(reserved)
    for epsilon, delta in (
        (Fraction(0), Fraction(0)),
        (Fraction(-1), Fraction(0)),
        (Fraction(1), Fraction(1)),
        (Fraction(1), Fraction(-1)),
    ):
        with pytest.raises(BudgetRefused):
            Budget(epsilon, delta, AR)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.fractions(0, 1), st.fractions(0, Fraction(1, 100))), max_size=30))
def test_the_filter_never_passes_its_total(asked: list[tuple[Fraction, Fraction]]) -> None:
    total = Charge(AR, Measure.ZCDP, Fraction(2), Fraction(1, 50))
    filter_ = Filter.of(total)
    for amount, delta in asked:
        before, charge = filter_.spent, Charge(AR, Measure.ZCDP, amount, delta)
        try:
            filter_.admit(charge)
        except BudgetRefused:
            assert filter_.spent == before
            assert not (before + charge).within(total)
        else:
            assert filter_.spent == before + charge
        assert filter_.spent.amount <= 2
        assert filter_.spent.delta <= Fraction(1, 50)


def test_the_filter_spends_to_the_last_and_mixes_nothing() -> None:
    filter_ = Filter.of(Charge(AR, Measure.PURE, Fraction(1)))
    for _ in range(10):
        filter_.admit(Charge(AR, Measure.PURE, Fraction(1, 10)))
    with pytest.raises(BudgetRefused, match="epsilon"):
        filter_.admit(Charge(AR, Measure.PURE, Fraction(1, 10**30)))
    for other in (Charge.zero(RO, Measure.PURE), Charge.zero(AR, Measure.ZCDP)):
        with pytest.raises(TypeError):
            filter_.admit(other)


@pytest.mark.parametrize(
    ("number", "fraction"),
    [
        ("0.5", Fraction(1, 2)),
        (" 1/3 ", Fraction(1, 3)),
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        ("1e-9", Fraction(1, 10**9)),
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_numbers_are_read_exactly(number: str | int | float, fraction: Fraction) -> None:
    assert exact(number) == fraction


@pytest.mark.parametrize(
    "number",
    [
        "nan",
        "inf",
        float("nan"),
        float("inf"),
        -1,
        "-0.5",
        "",
        "abc",
        "1/0",
        "1e99999999",
        "9" * 99,
        True,
        Fraction(-1),
        "٣",
        None,
    ],
)
def test_other_numbers_are_refused(number: object) -> None:
    with pytest.raises(Misuse):
        exact(number)  # type: ignore[arg-type]


def test_numpy_floats_are_read_as_printed() -> None:
    import numpy as np

    assert exact(np.float64(0.1)) == Fraction(1, 10)


def test_importing_the_accountant_does_not_import_the_second_one() -> None:
    code = (
        "import understudy.privacy.accountant, understudy.privacy.opinion, sys; print('dp_accounting' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_random_budgets_round_on_the_safe_side() -> None:
    dice = random.Random(7)
    for _ in range(300):
        e, d = Fraction(10 ** dice.uniform(-3, 1.7)), Fraction(10 ** dice.uniform(-15, -1))
        rho = rho_within(e, d)
        assert Fraction(epsilon_of(rho, d)) <= e
        assert epsilon_of(rho, d) >= float(e) * (1 - 1e-7)
