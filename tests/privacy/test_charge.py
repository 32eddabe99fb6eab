"""Prices against closed forms, another library, and an exact enumeration of the privacy loss."""

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from understudy.noise.discrete_laplace import tail
from understudy.privacy.charge import Charge, Measure, price
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Mechanism, Threshold
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

dp.enable_features("contrib")
AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
MOVES = Sensitivity(l1=3, l2sq=5, linf=2)
ONE = Sensitivity(l1=1, l2sq=1, linf=1)
KEYS = Sensitivity(l1=4, l2sq=4, linf=1, keys=4)


@pytest.mark.parametrize("relation", [AR, RO])
def test_closed_forms(relation: Relation) -> None:
    def cost(mechanism: Mechanism, measure: Measure) -> Fraction:
        return price(mechanism, MOVES, relation, measure).amount

    assert cost(DiscreteGaussian(Fraction(7, 2)), Measure.ZCDP) == Fraction(5, 7)
    assert cost(DiscreteLaplace(Fraction(6)), Measure.PURE) == Fraction(1, 2)
    assert cost(DiscreteLaplace(Fraction(6)), Measure.ZCDP) == Fraction(1, 8)
    assert cost(Gumbel(Fraction(8)), Measure.PURE) == Fraction(1, 2)
    assert cost(Gumbel(Fraction(8)), Measure.ZCDP) == Fraction(1, 32)


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0, 3.0, 17.0])
@pytest.mark.parametrize("moved", [1, 2, 5])
def test_gumbel_costs_what_opendp_says(scale: float, moved: int) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    sensitivity = Sensitivity(l1=9, l2sq=9, linf=moved)
    for measure, theirs in (
        (Measure.ZCDP, dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)),
        (Measure.PURE, dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale)),
    ):
        ours = price(Gumbel(Fraction(scale)), sensitivity, AR, measure).amount
        assert float(ours) == pytest.approx(theirs.map(moved), rel=1e-12)


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(2), Fraction(20)])
def test_gaussian_and_laplace_cost_what_opendp_says(scale: Fraction) -> None:
    vector = dp.vector_domain(dp.atom_domain(T=int))
    gauss = dp.m.make_gaussian(vector, dp.l2_distance(T=float), scale=float(scale))
    ours = price(DiscreteGaussian(scale**2), Sensitivity(4, 4, 1), AR, Measure.ZCDP).amount
    assert float(ours) == pytest.approx(gauss.map(2.0), rel=1e-9)
    laplace = dp.m.make_laplace(vector, dp.l1_distance(T=int), scale=float(scale))
    ours = price(DiscreteLaplace(scale), Sensitivity(4, 4, 1), AR, Measure.PURE).amount
    assert float(ours) == pytest.approx(laplace.map(4), rel=1e-9)


def renyi(p: NDArray[np.float64], q: NDArray[np.float64], alpha: float) -> float:
    """D_alpha of two distributions given by the logarithms of unnormalised weights."""
    p, q = p - logsumexp(p), q - logsumexp(q)
    return float(logsumexp(alpha * p + (1 - alpha) * q) / (alpha - 1))


@pytest.mark.parametrize("alpha", [1.01, 1.5, 2.0, 8.0, 60.0])
@pytest.mark.parametrize("scale", [0.7, 2.0, 5.0])
def test_the_price_bounds_the_exact_renyi_divergence(alpha: float, scale: float) -> None:
    """Output distributions of two neighbours, enumerated: D_alpha <= alpha rho."""
    z = np.arange(-4000, 4001)

    def rho(mechanism: Mechanism) -> float:
        return float(price(mechanism, ONE, AR, Measure.ZCDP).amount)

    gauss = renyi(-(z**2) / (2 * scale**2), -((z - 1) ** 2) / (2 * scale**2), alpha)
    assert gauss <= alpha * rho(DiscreteGaussian(Fraction(scale) ** 2)) * (1 + 1e-6)
    assert gauss >= alpha * rho(DiscreteGaussian(Fraction(scale) ** 2)) * (0.999 if scale > 1 else 0.9)
    assert renyi(-abs(z) / scale, -abs(z - 1) / scale, alpha) <= alpha * rho(DiscreteLaplace(Fraction(scale)))
    # Gumbel, two candidates that move in opposite directions
    choice = renyi(np.array([1 / scale, 0]), np.array([0, 1 / scale]), alpha)
    assert choice <= alpha * rho(Gumbel(Fraction(scale)))
    if (alpha, scale) == (1.01, 5.0):
        assert choice >= 0.99 * alpha * rho(Gumbel(Fraction(scale)))


@pytest.mark.parametrize("relation", [AR, RO])
def test_threshold_pays_rho_for_old_keys_and_delta_for_new_ones(relation: Relation) -> None:
    cost = price(Threshold(Fraction(2), 30), KEYS, relation, Measure.ZCDP)
    assert cost.amount == Fraction(2)
    # four keys, each with count 1 on one side only, each seen where Z >= 29
    assert cost.delta == 4 * tail(Fraction(2), 29)
    exact = 4 * math.exp(-29 / 2) / (1 + math.exp(-1 / 2))
    assert float(cost.delta) == pytest.approx(exact, rel=1e-12)
    closed = Sensitivity(l1=4, l2sq=4, linf=1, keys=0)
    assert price(Threshold(Fraction(2), 30), closed, relation, Measure.ZCDP).delta == 0


def test_threshold_covers_the_exact_hockey_stick_in_both_directions() -> None:
    """One unit brings one new key of count 1, which is hidden or shown. Both directions."""
    scale, tau = Fraction(1), 4
    shown = float(tail(scale, tau - 1))
    cost = price(Threshold(scale, tau), Sensitivity(l1=1, l2sq=1, linf=1, keys=1), AR, Measure.ZCDP)
    epsilon = 1.0
    # without the unit the key is always hidden; with it, hidden with probability 1 - shown
    removed = max(0.0, 1 - math.exp(epsilon) * (1 - shown))
    added = shown
    assert max(removed, added) <= float(cost.delta)
    assert added > 0.9 * float(cost.delta)  # and not much is wasted


def test_threshold_under_replace_one_is_never_cheaper_than_the_exact_loss() -> None:
    """One key leaves and another comes: the hockey-stick at epsilon = l1 / scale is at most delta."""
    scale, tau = Fraction(1), 6
    shown = float(tail(scale, tau - 1))
    cost = price(Threshold(scale, tau), Sensitivity(l1=2, l2sq=2, linf=1, keys=2), RO, Measure.ZCDP)
    epsilon = math.sqrt(2 * float(cost.amount))
    # P: key a present; Q: key b present. Events: a shown, b shown, neither.
    neither = max(0.0, (1 - shown) - math.exp(epsilon) * (1 - shown))
    assert shown + neither <= float(cost.delta)


@pytest.mark.parametrize("mechanism", [DiscreteGaussian(Fraction(4)), Threshold(Fraction(4), 9)])
def test_pure_privacy_refuses_what_has_no_pure_epsilon(mechanism: Mechanism) -> None:
    with pytest.raises(BudgetRefused, match="name a delta"):
        price(mechanism, MOVES, AR, Measure.PURE)


@pytest.mark.parametrize("scale", [Fraction(0), Fraction(-1)])
@pytest.mark.parametrize("kind", [DiscreteGaussian, DiscreteLaplace, Gumbel, lambda s: Threshold(s, 3)])
def test_noise_of_no_width_is_refused(kind: type, scale: Fraction) -> None:
    for measure in Measure:
        with pytest.raises(BudgetRefused):
            price(kind(scale), KEYS, AR, measure)


@pytest.mark.parametrize("measure", list(Measure))
def test_exact_is_free_only_where_nothing_moves(measure: Measure) -> None:
    assert price(Exact(), Sensitivity(0, 0, 0), AR, measure) == Charge.zero(AR, measure)
    for moved in (Sensitivity(1, 0, 0), Sensitivity(0, 1, 0), Sensitivity(0, 0, 1), Sensitivity(0, 0, 0, keys=1)):
        with pytest.raises(BudgetRefused):
            price(Exact(), moved, AR, measure)


@pytest.mark.parametrize(
    "mechanism", [DiscreteGaussian(Fraction(1)), DiscreteLaplace(Fraction(1)), Gumbel(Fraction(1))]
)
@pytest.mark.parametrize("measure", list(Measure))
def test_noise_alone_does_not_hide_which_keys_are_there(mechanism: Mechanism, measure: Measure) -> None:
    with pytest.raises(BudgetRefused, match="through a threshold only"):
        price(mechanism, KEYS, AR, measure)


def test_a_negative_sensitivity_buys_nothing_back() -> None:
    with pytest.raises(BudgetRefused):
        price(DiscreteLaplace(Fraction(1)), Sensitivity(-1, 1, 1), AR, Measure.PURE)


def test_charges_of_different_kinds_never_add() -> None:
    charge = Charge(AR, Measure.ZCDP, Fraction(1, 3))
    for other in (Charge(RO, Measure.ZCDP, Fraction(1)), Charge(AR, Measure.PURE, Fraction(1))):
        with pytest.raises(TypeError):
            charge + other
        with pytest.raises(TypeError):
            charge.within(other)


def test_a_charge_is_exact_and_never_negative() -> None:
    with pytest.raises(BudgetRefused):
        Charge(AR, Measure.ZCDP, Fraction(-1))
    with pytest.raises(BudgetRefused):
        Charge(AR, Measure.ZCDP, Fraction(1), Fraction(-1))
    with pytest.raises(TypeError):
        Charge(AR, Measure.ZCDP, 0.1)  # type: ignore[arg-type]
    assert sum([Charge(AR, Measure.ZCDP, Fraction(1, 10))] * 10, Charge.zero(AR, Measure.ZCDP)).amount == 1


def test_a_charge_survives_json() -> None:
    charge = Charge(RO, Measure.ZCDP, Fraction(1, 3), Fraction(7, 10**9))
    assert charge.to_json()["amount"] == "1/3"
    assert Charge.from_json(charge.to_json()) == charge
