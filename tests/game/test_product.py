"""The product guess: the nearest distribution to each noisy column, and rows whose counts are the guess, rounded."""

import numpy as np
import pytest
from scipy.optimize import minimize
from taped import schema_of, tape_of

from understudy.game.data.product import Product, ProductPlayer, product_of, project, systematic
from understudy.vault.tape import Tape

SIZES = {"a": 2, "b": 3, "c": 4}
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(0).dirichlet(np.ones(24)).reshape(2, 3, 4)


@pytest.mark.parametrize("seed", range(20))
def test_projection_is_the_nearest_distribution(seed):
    values = np.random.default_rng(seed).normal(0.25, 0.6, size=5)
    nearest = minimize(
        lambda p: ((p - values) ** 2).sum(),
        np.full(5, 0.2),
        bounds=[(0, 1)] * 5,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        options={"ftol": 1e-14},
    ).x
    found = project(values)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert (found >= 0).all()
    assert np.abs(found - nearest).max() < 1e-5


@pytest.mark.parametrize("values", [[0.2, 0.3, 0.5], [1.0], [0.0, 1.0]], ids=str)
def test_a_distribution_is_its_own_projection(values):
    assert project(np.array(values)) == pytest.approx(values)


@pytest.mark.parametrize("values", [[-5.0, -5.0], [0.0, 0.0, 0.0], [1e9, 1e9]], ids=str)
def test_noise_without_a_table_is_projected_evenly(values):
    assert project(np.array(values)) == pytest.approx(np.full(len(values), 1 / len(values)))


def test_columns_are_met_and_pairs_are_independent():
    guess = ProductPlayer().fit(tape_of(TRUTH, SCHEMA, [[("a",), ("b",), ("c",)]], sigma=0), SCHEMA)
    assert guess.marginal(("b",)) == pytest.approx(TRUTH.sum(axis=(0, 2)), abs=1e-4)
    assert guess.marginal(("c", "a")) == pytest.approx(np.outer(TRUTH.sum((0, 1)), TRUTH.sum((1, 2))), abs=1e-4)
    assert guess.marginal(("a", "b", "c")).sum() == pytest.approx(1)


def test_what_was_not_measured_is_uniform():
    guess = product_of(Tape({"release": "r"}), SCHEMA)
    assert all((guess.columns[name] == 1 / cells).all() for name, cells in SIZES.items())


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_rows_have_the_counts_of_the_guess_rounded(n):
    guess = Product({"a": np.array([0.3, 0.7]), "b": np.array([0.25, 0.0, 0.75])})
    rows = guess.rows(n, np.random.default_rng(1))
    for name, p in guess.columns.items():
        seen = np.bincount(rows[name], minlength=len(p))
        assert seen.sum() == n
        assert (np.abs(seen - n * p) < 1).all()


def test_a_comb_draws_each_cell_with_its_probability():
    p, rng = np.array([0.1, 0.25, 0.0, 0.65]), np.random.default_rng(2)
    seen = np.bincount(np.concatenate([systematic(p, 1, rng) for _ in range(20_000)]), minlength=4) / 20_000
    assert seen == pytest.approx(p, abs=0.015)
    assert seen[2] == 0


def test_columns_of_the_rows_are_independent():
    guess = Product({"a": np.array([0.5, 0.5]), "b": np.array([0.5, 0.5])})
    rows = guess.rows(20_000, np.random.default_rng(3))
    assert np.corrcoef(rows["a"], rows["b"])[0, 1] == pytest.approx(0, abs=0.03)


def test_a_model_is_rebuilt_as_it_was():
    guess = product_of(tape_of(TRUTH, SCHEMA, [[("a",), ("b",)]], sigma=5), SCHEMA)
    again = Product.rebuild(*guess.model(), SCHEMA)
    assert all(np.array_equal(again.columns[name], guess.columns[name]) for name in SIZES)
