"""Genetic search: its sums are those of a table counted anew, and what it ends with is near what was measured."""

from itertools import combinations

import numpy as np
import pytest
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.genetic import Fitness, GeneticPlayer, born, survive
from understudy.game.data.rows import Rows, uniform
from understudy.game.measurement import measurements

SIZES = {"a": 3, "b": 4, "c": 2, "d": 3}
NAMES = list(SIZES)
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(4).dirichlet(np.full(72, 0.2)).reshape(tuple(SIZES.values()))
LOOKS = [[(name,) for name in NAMES], list(combinations(NAMES, 2))]


def counted(table: np.ndarray, sigma: float = 10) -> Fitness:
    rows = {name: table[:, j] for j, name in enumerate(NAMES)}
    return Fitness.of(rows, measurements(tape_of(TRUTH, SCHEMA, LOOKS, sigma), SCHEMA), N, SIZES)


def start(n: int, seed: int = 0) -> np.ndarray:
    rows = uniform(SIZES, n, np.random.default_rng(seed))
    return np.stack([rows[name] for name in NAMES], axis=1)


def test_the_loss_is_that_of_the_guess() -> None:
    table = start(50)
    guess = Rows({name: table[:, j] for j, name in enumerate(NAMES)}, SIZES)
    loss = sum(
        float(((guess.marginal(m.columns) - m.counts / N) ** 2).sum())
        for m in measurements(tape_of(TRUTH, SCHEMA, LOOKS, 10), SCHEMA)
    )
    assert counted(table).loss == pytest.approx(loss)


def test_what_a_child_gains_is_what_the_loss_falls_by() -> None:
    table, rng = start(40), np.random.default_rng(1)
    fitness = counted(table)
    parents, children = born(table, np.array(list(SIZES.values())), rng)
    gains = fitness.gains(fitness.places(table[parents]), fitness.places(children), 1 / 40)
    for parent, child, gain in zip(parents, children, gains, strict=True):
        bred = table.copy()
        bred[parent] = child
        assert (bred != table).sum() <= 1
        assert fitness.loss - counted(bred).loss == pytest.approx(gain, abs=1e-12)
    assert (gains > 0).any() and (gains < 0).any()


def test_only_a_better_table_survives_and_its_sums_follow_it() -> None:
    table, rng = start(60), np.random.default_rng(2)
    fitness = counted(table)
    for _ in range(40):
        parents, children = born(table, np.array(list(SIZES.values())), rng)
        chosen = np.unique(parents, return_index=True)[1][:5]
        before = fitness.loss
        assert survive(fitness, table, parents[chosen], children[chosen], 1 / 60) == (fitness.loss < before)
    assert fitness.missed == pytest.approx(counted(table).missed, abs=1e-12)


def test_rows_come_near_to_what_was_measured() -> None:
    tape = tape_of(TRUTH, SCHEMA, LOOKS, 5)
    first, guess = (GeneticPlayer(rows=2000, generations=g).fit(tape, SCHEMA) for g in (0, 4000))
    far, near = (np.mean([variation(g.marginal(c), margin(TRUTH, NAMES, c)) for c in LOOKS[1]]) for g in (first, guess))
    assert near < 0.01 < 0.1 < far


def test_the_noise_is_not_learned() -> None:
    """With much noise it ends nearer to the truth than the noisy answers are."""
    sigma = 400.0
    tape = tape_of(TRUTH, SCHEMA, LOOKS, sigma)
    seen = [m for m in measurements(tape, SCHEMA) if len(m.columns) == 2]
    noisy = np.mean([variation(m.counts / N, margin(TRUTH, NAMES, m.columns)) for m in seen])
    guess = GeneticPlayer().fit(tape, SCHEMA)
    assert np.mean([variation(guess.marginal(c), margin(TRUTH, NAMES, c)) for c in LOOKS[1]]) < 0.8 * noisy


def test_the_coin_decides_and_nothing_else() -> None:
    one, other = (GeneticPlayer(rows=100, generations=50).fit(tape_of(TRUTH, SCHEMA, LOOKS, 5), SCHEMA) for _ in "ab")
    assert all((one.codes[name] == other.codes[name]).all() for name in NAMES)
