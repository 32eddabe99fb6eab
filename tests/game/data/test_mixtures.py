"""Mixtures of products, however their components are made: they fit what was measured, wide marginals too."""

from itertools import combinations

import numpy as np
import pytest
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.balance import balance
from understudy.game.data.frugal import targets
from understudy.game.data.mixture import Mixture, MixturePlayer
from understudy.game.data.network import NetworkPlayer
from understudy.game.data.product import systematic
from understudy.game.data.relaxed import RelaxedPlayer
from understudy.game.measurement import measurements

SIZES = {"a": 3, "b": 4, "c": 2, "d": 3}
NAMES = list(SIZES)
SCHEMA = schema_of(SIZES)
SHAPE = tuple(SIZES.values())
TRUTH = np.random.default_rng(4).dirichlet(np.full(72, 0.3)).reshape(SHAPE)
WAYS = {k: list(combinations(NAMES, k)) for k in (1, 2, 3, 4)}
PLAYERS = {"mixture": MixturePlayer, "relaxed": RelaxedPlayer, "network": NetworkPlayer}


def distance(guess: Mixture, k: int) -> float:
    return float(np.mean([variation(guess.marginal(c), margin(TRUTH, NAMES, c)) for c in WAYS[k]]))


@pytest.mark.parametrize("player", PLAYERS.values(), ids=list(PLAYERS))
def test_pairs_that_were_measured_are_met(player: type[MixturePlayer]) -> None:
    tape = tape_of(TRUTH, SCHEMA, [WAYS[1], WAYS[2]], sigma=2)
    guess = player().fit(tape, SCHEMA)
    product = player().fit(tape_of(TRUTH, SCHEMA, [WAYS[1]], sigma=2), SCHEMA)
    assert distance(guess, 2) < 0.2 * distance(product, 2)
    assert guess.marginal(tuple(NAMES)).sum() == pytest.approx(1)


@pytest.mark.parametrize("player", PLAYERS.values(), ids=list(PLAYERS))
def test_a_fit_is_a_function_of_the_tape(player: type[MixturePlayer]) -> None:
    tape = tape_of(TRUTH, SCHEMA, [WAYS[1], WAYS[2]], sigma=2)
    one, other = (player().fit(tape, SCHEMA) for _ in range(2))
    assert all(np.array_equal(one.columns[name], other.columns[name]) for name in NAMES)


@pytest.mark.parametrize("k", [3, 4])
def test_wider_marginals_are_fitted_too(k: int) -> None:
    pairs = MixturePlayer().fit(tape_of(TRUTH, SCHEMA, [WAYS[1], WAYS[2]], sigma=2), SCHEMA)
    wide = MixturePlayer().fit(tape_of(TRUTH, SCHEMA, [WAYS[1], WAYS[2], WAYS[k]], sigma=2), SCHEMA)
    alone = MixturePlayer().fit(tape_of(TRUTH, SCHEMA, [WAYS[k]], sigma=2), SCHEMA)
    assert distance(wide, k) < 0.5 * distance(pairs, k)
    assert distance(alone, k) < 0.5 * distance(pairs, k)


def test_what_was_measured_twice_is_averaged_by_its_precision() -> None:
    tape = tape_of(TRUTH, SCHEMA, [[("a",), ("a", "b")]], sigma=1, seed=1)
    later = tape_of(TRUTH, SCHEMA, [[("a",), ("a", "b")]], sigma=3, seed=2).entries[0]
    tape.append(later.question, {}, later.answer)
    first, _, again, _ = measured = measurements(tape, SCHEMA)
    goal = targets(measured, SCHEMA, N)
    ones, weights = goal.narrow[0][:3], goal.narrow[1][:3]
    assert ones == pytest.approx((9 * first.counts + again.counts) / 10 / N)
    assert weights == pytest.approx(np.full(3, 1 + 1 / 9))


def mixture(components: int, seed: int = 0) -> Mixture:
    rng = np.random.default_rng(seed)
    return Mixture(
        rng.dirichlet(np.ones(components)),
        {n: rng.dirichlet(np.full(s, 0.5), size=components) for n, s in SIZES.items()},
    )


@pytest.mark.parametrize("n", [0, 1, 2, 500])
def test_rows_have_the_components_and_columns_of_the_mixture(n: int) -> None:
    rows = mixture(7).rows(n, np.random.default_rng(1))
    assert list(rows) == NAMES
    assert all(len(rows[name]) == n and (rows[name] >= 0).all() and (rows[name] < SIZES[name]).all() for name in NAMES)


def test_balance_keeps_the_columns_of_each_component_and_brings_pairs_nearer() -> None:
    guess, n, rng = mixture(7), 3000, np.random.default_rng(2)
    component = systematic(guess.weights, n, rng)
    starts = np.cumsum([0, *SHAPE])
    rows = np.stack(
        [
            first
            + np.concatenate(
                [
                    rng.permutation(systematic(p, int(m), rng))
                    for p, m in zip(columns, np.bincount(component), strict=True)
                ]
            )
            for first, columns in zip(starts, guess.columns.values(), strict=False)
        ]
    )
    before = rows.copy()
    p = np.concatenate(list(guess.columns.values()), axis=1)
    balance(rows, component, n * (p * guess.weights[:, None]).T @ p, starts, rng)
    for row, was in zip(rows, before, strict=True):
        assert sorted(zip(component, row, strict=True)) == sorted(zip(component, was, strict=True))
    assert off(rows, guess, starts) < 0.4 * off(before, guess, starts)


def off(rows: np.ndarray, guess: Mixture, starts: np.ndarray) -> float:
    """The mean distance of the rows' pairs to the mixture's."""
    codes = dict(zip(NAMES, rows - starts[:-1, None], strict=True))
    found = []
    for pair in WAYS[2]:
        counted = np.zeros(tuple(SIZES[name] for name in pair))
        np.add.at(counted, tuple(codes[name] for name in pair), 1)
        found.append(variation(counted / rows.shape[1], guess.marginal(pair)))
    return float(np.mean(found))
