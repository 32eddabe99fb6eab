"""A purse never buys more than it holds, and hardly less: prices in fractions, for every way of buying."""

from dataclasses import replace
from fractions import Fraction

import pytest

from understudy.noise.threshold import pass_probability
from understudy.privacy import purse as purse_module
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse, root_below
from understudy.question.bound import Variations
from understudy.question.categories import Categories
from understudy.question.count import Count
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

PAIRS = (("a",), ("b",), ("a", "b"))
ADDITIVE = [Count(Exact()), Marginals(Exact(), PAIRS), Variations(Exact(), PAIRS, Reference("x"), 977, 1000)]
CHOICE = Select(Exact(), PAIRS, Reference("x"))
LIST = Categories(Exact(), "town")

AMOUNTS = [Fraction(1, 10**9), Fraction(1, 7), Fraction(355, 113), Fraction(2**40 - 1, 2**40), Fraction(10**6 + 1, 3)]
TERMS = pytest.mark.parametrize(
    ("relation", "measure"),
    [(relation, measure) for relation in Relation for measure in Measure],
    ids=lambda value: value.value,
)


def purses(relation, measure):
    """Purses of every size, for units of one row and of three."""
    return [Purse(Charge(relation, measure, amount), rows) for amount in AMOUNTS for rows in (1, 3)]


@TERMS
@pytest.mark.parametrize("question", ADDITIVE, ids=lambda question: question.kind)
def test_noise_costs_the_purse_exactly(relation, measure, question):
    for purse in purses(relation, measure):
        bought = purse.noisy(question)
        moves = question.sensitivity(purse.unit_rows, purse.amount.relation).l1
        assert purse.price(bought) == (purse.amount if moves else replace(purse.amount, amount=Fraction(0)))
        assert isinstance(bought.mechanism, Exact) == (moves == 0)


@TERMS
def test_a_choice_costs_hardly_less_than_the_purse(relation, measure):
    for purse in purses(relation, measure):
        price = purse.price(purse.choosing(CHOICE))
        if purse.amount.measure is Measure.PURE:
            assert price == purse.amount
        assert Fraction(999, 1000) * purse.amount.amount <= price.amount <= purse.amount.amount


@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("delta", [Fraction(1, 10**12), Fraction(1, 10**5), Fraction(3, 7)], ids=str)
def test_a_list_costs_hardly_less_than_the_purse_and_no_more_than_its_delta(relation, delta):
    for purse in purses(relation, Measure.ZCDP):
        bought = purse.revealing(LIST, delta)
        price = purse.price(bought)
        assert Fraction(999, 1000) * purse.amount.amount <= price.amount <= purse.amount.amount
        assert 0 < price.delta <= delta
        moves = LIST.sensitivity(purse.unit_rows, purse.amount.relation)
        lower = pass_probability(bought.mechanism.scale, bought.mechanism.tau - 1, moves.linf)
        assert moves.keys * lower > delta  # the least threshold that keeps delta


@pytest.mark.parametrize(
    "square", [*AMOUNTS, Fraction(1, 4), Fraction(9), Fraction(2), Fraction(1, 10**40 + 1)], ids=str
)
def test_a_root_is_below_and_near(square):
    root = root_below(square)
    assert root**2 <= square <= (root * (1 + Fraction(1, 2**60))) ** 2


def test_a_root_above_is_noticed(monkeypatch):
    monkeypatch.setattr(purse_module, "root_below", lambda square: root_below(square) * (1 + Fraction(1, 2**50)))
    _, purse, *_ = purses(Relation.ADD_REMOVE, Measure.ZCDP)
    with pytest.raises(AssertionError, match="more than it holds"):
        purse.choosing(CHOICE)
    with pytest.raises(AssertionError, match="more than it holds"):
        purse.revealing(LIST, Fraction(1, 10**6))


def test_shares_add_up_and_leave_the_delta_behind():
    purse = Purse(Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(1, 3), Fraction(1, 10**6)), 1)
    shares = [purse.share(part) for part in (Fraction(1, 20), Fraction(2, 7), 1 - Fraction(1, 20) - Fraction(2, 7))]
    assert sum(share.amount.amount for share in shares) == purse.amount.amount
    assert all(share.amount.delta == 0 for share in shares)
    assert purse.share(Fraction(1, 2)).share(Fraction(1, 5)) == purse.share(Fraction(1, 10))


def test_an_empty_purse_buys_nothing():
    empty = Purse(Charge.zero(Relation.ADD_REMOVE, Measure.ZCDP), 1)
    for buy in (lambda: empty.noisy(Count(Exact())), lambda: empty.choosing(CHOICE)):
        with pytest.raises(BudgetRefused, match="nothing is left"):
            buy()


def test_a_list_has_no_price_without_delta():
    pure = Purse(Charge(Relation.ADD_REMOVE, Measure.PURE, Fraction(1)), 1)
    with pytest.raises(BudgetRefused, match="delta 0"):
        pure.revealing(LIST, Fraction(1, 10**6))
