"""The table player: it fits what was measured, on tiny domains, as closely as the noise lets it."""

from itertools import combinations

import numpy as np
import pytest
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.table import CELLS, Table, TablePlayer
from understudy.refusal import Infeasible, Misuse

SIZES = {"a": 3, "b": 4, "c": 2, "d": 3}
NAMES = list(SIZES)
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(4).dirichlet(np.full(72, 0.2)).reshape(tuple(SIZES.values()))
WAYS = {k: list(combinations(NAMES, k)) for k in (1, 2, 3, 4)}


def fitted(looks: list[list[tuple[str, ...]]], sigma: float) -> Table:
    return TablePlayer().fit(tape_of(TRUTH, SCHEMA, looks, sigma), SCHEMA)


def distance(table: Table, k: int) -> float:
    return float(np.mean([variation(table.marginal(c), margin(TRUTH, NAMES, c)) for c in WAYS[k]]))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_what_was_measured_without_noise_is_met(k: int) -> None:
    table = fitted([WAYS[k]], sigma=0.1)
    assert distance(table, k) < 0.005
    assert table.p.sum() == pytest.approx(1)
    assert table.p.min() >= 0


def test_what_was_not_measured_stays_of_largest_entropy() -> None:
    table = fitted([WAYS[1]], sigma=0.1)
    ones = [margin(TRUTH, NAMES, (name,)) for name in NAMES]
    assert variation(table.p, np.einsum("a,b,c,d->abcd", *ones)) < 0.01


def test_the_order_of_a_cliques_columns_does_not_matter() -> None:
    one, other = fitted([[("a", "b", "d")]], 5), fitted([[("a", "b", "d")]], 5)
    turned = TablePlayer().fit(tape_of(TRUTH, SCHEMA, [[("d", "a", "b")]], 0.1), SCHEMA)
    assert np.array_equal(one.p, other.p)
    assert variation(turned.marginal(("b", "a", "d")), margin(TRUTH, NAMES, ("b", "a", "d"))) < 0.005
    assert turned.marginal(("b", "a", "d")).shape == (4, 3, 3)


def test_the_fit_does_not_run_after_the_noise() -> None:
    """With much noise it ends nearer to the truth than the noisy answers are."""
    sigma = 400.0
    noisy = [
        np.abs(np.random.default_rng(1).normal(scale=sigma / N, size=margin(TRUTH, NAMES, c).size)).sum() / 2
        for c in WAYS[2]
    ]
    assert distance(fitted([WAYS[1], WAYS[2]], sigma), 2) < 0.8 * np.mean(noisy)


def test_a_second_measurement_starts_where_the_first_one_led() -> None:
    player = TablePlayer()
    first = player.fit(tape_of(TRUTH, SCHEMA, [WAYS[1]], 1), SCHEMA)
    assert player.fit(tape_of(TRUTH, SCHEMA, [WAYS[1]], 1), SCHEMA) is first
    assert distance(player.fit(tape_of(TRUTH, SCHEMA, [WAYS[1], WAYS[2]], 1), SCHEMA), 2) < 0.01


def test_rows_are_the_table_rounded() -> None:
    table, n = fitted([WAYS[4]], 1), 1000
    rows = table.rows(n, np.random.default_rng(0))
    counted = np.zeros(tuple(SIZES.values()))
    np.add.at(counted, tuple(rows[name] for name in NAMES), 1)
    assert np.abs(counted - n * table.p).max() < 1 + 1e-9
    assert all(len(column) == n for column in rows.values())
    assert all(len(column) == 0 for column in table.rows(0, np.random.default_rng(0)).values())


def test_what_is_given_stays_and_the_rest_follows() -> None:
    table = Table(tuple(NAMES), TRUTH)
    told = table.given({"b": 2, "d": 0})
    assert told.marginal(("b", "d"))[2, 0] == pytest.approx(1)
    assert told.marginal(("a", "c")) == pytest.approx(TRUTH[:, 2, :, 0] / TRUTH[:, 2, :, 0].sum())
    empty = np.zeros_like(TRUTH)
    empty[0] = TRUTH[0]
    with pytest.raises(Misuse):
        Table(tuple(NAMES), empty / empty.sum()).given({"a": 1})


def test_a_model_is_rebuilt_from_its_arrays() -> None:
    table = Table(tuple(NAMES), TRUTH)
    again = Table.rebuild(*table.model(), SCHEMA)
    assert np.array_equal(again.p, TRUTH)
    assert again.columns == tuple(NAMES)


def test_a_table_that_is_too_large_is_refused_in_a_forecast() -> None:
    with pytest.raises(Infeasible, match=r"8,388,608 cells.*querygan"):
        TablePlayer().forecast(schema_of({f"c{i}": 2 for i in range(23)}))
    assert TablePlayer().forecast(schema_of({f"c{i}": 2 for i in range(22)})).megabytes > CELLS * 8 / 1e6
