"""The blend: what the parts were told, what is left of a measurement, and a fit that is better than either part's."""

from itertools import combinations

import numpy as np
import pytest
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.blend import MOST, Blend, BlendPlayer, beyond
from understudy.game.data.graphical import GraphicalPlayer
from understudy.game.data.mixture import MixturePlayer
from understudy.game.measurement import Measurement, columns_of, measurements

SIZES = {"a": 3, "b": 4, "c": 2, "d": 3}
NAMES = list(SIZES)
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(4).dirichlet(np.full(72, 0.3)).reshape(tuple(SIZES.values()))
ONES, PAIRS = [(name,) for name in NAMES], list(combinations(NAMES, 2))
AGAIN = [("c", "d"), ("a", "b"), ("b", "c")]


def tape(looks=(ONES, PAIRS, AGAIN), sigma: float = 30):
    return tape_of(TRUTH, SCHEMA, list(looks), sigma)


def distance(guess, cliques) -> float:
    return float(np.mean([variation(guess.marginal(c), margin(TRUTH, NAMES, c)) for c in cliques]))


def test_the_field_holds_what_was_measured_twice_as_far_as_it_has_room() -> None:
    measured = measurements(tape(), SCHEMA)
    # cells of the tree: c d 6, a b 12, b c 8; a column by itself 3, 4, 2 or 3
    for room, held in ((26, AGAIN), (18, AGAIN[:2]), (17, [AGAIN[0], AGAIN[2]]), (13, AGAIN[:1]), (12, [])):
        found = BlendPlayer(GraphicalPlayer(room)).strong(measured, SCHEMA, N)
        assert sorted(m.columns for m in found) == sorted(2 * held)


def test_what_is_left_and_the_field_make_the_measurement_again() -> None:
    field = GraphicalPlayer(1000).fit(tape(), SCHEMA)
    m = measurements(tape(), SCHEMA)[5]
    left = beyond(m, field, 0.6, N)
    assert 0.6 * N * field.marginal(m.columns) + 0.4 * left.counts == pytest.approx(m.counts)
    assert left.variance * 0.4**2 == pytest.approx(m.variance)


def test_both_parts_serve_all_pairs() -> None:
    """Nearer than the field, which knows three pairs, and than shares of a mixture that was not told of the field."""
    player = BlendPlayer()
    blend = player.fit(tape(), SCHEMA)
    (share, field), (rest, _) = blend.parts
    assert share == pytest.approx(0.6)
    assert share + rest == pytest.approx(1)
    alone = MixturePlayer().fit(tape(), SCHEMA)
    naive = Blend(lambda: (np.array([share, rest]), (field, alone)))
    assert distance(blend, PAIRS) < 0.7 * distance(field, PAIRS)
    assert distance(blend, PAIRS) < 0.7 * distance(naive, PAIRS)


def test_without_a_second_look_it_is_a_mixture() -> None:
    blend = BlendPlayer(mixture=MixturePlayer()).fit(tape((ONES, PAIRS)), SCHEMA)
    ((share, part),) = blend.parts
    alone = MixturePlayer().fit(tape((ONES, PAIRS)), SCHEMA)
    assert share == 1
    assert np.array_equal(part.marginal(("a", "c")), alone.marginal(("a", "c")))


def test_the_field_has_the_less_to_say_the_more_cells_it_merges() -> None:
    player = BlendPlayer(share=0.5)
    seen = {name: Measurement((name,), np.full(size, 1000.0), 100.0**2) for name, size in SIZES.items()}
    hidden = seen | {"b": Measurement(("b",), np.array([4e3, 5.0, 5.0, 5.0]), 100.0**2)}  # three cells become one
    fields = [player.graphical.explaining([], columns, 4000) for columns in (seen, hidden)]
    assert [player.share_of(held, SCHEMA) for held in fields] == pytest.approx([0.5, 0.5 * 10 / 12])
    assert BlendPlayer().share_of(fields[0], SCHEMA) == MOST


def test_a_model_comes_back_from_its_words_and_arrays() -> None:
    blend = BlendPlayer().fit(tape(), SCHEMA)
    again = Blend.rebuild(*blend.model(), SCHEMA)
    for columns in (("a",), ("b", "d"), tuple(NAMES)):
        assert again.marginal(columns) == pytest.approx(blend.marginal(columns))


@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_rows_come_from_both_parts(n: int) -> None:
    blend = BlendPlayer().fit(tape(), SCHEMA)
    rows = blend.rows(n, np.random.default_rng(0))
    assert [len(rows[name]) for name in NAMES] == [n] * 4
    if n == 1000:
        for name in NAMES:
            seen = np.bincount(rows[name], minlength=SIZES[name]) / n
            assert variation(seen, blend.marginal((name,))) < 0.01


def test_looks_that_nobody_asks_about_are_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []
    fit = BlendPlayer._fit
    monkeypatch.setattr(BlendPlayer, "_fit", lambda self, *given: fits.append(1) or fit(self, *given))
    player = BlendPlayer()
    for looks in ((ONES,), (ONES, PAIRS), (ONES, PAIRS, AGAIN)):
        guess = player.fit(tape(looks), SCHEMA)
    assert player.fit(tape(), SCHEMA) is guess
    guess.marginal(("a",))
    guess.marginal(("b",))
    assert len(fits) == 1


def test_columns_are_averaged_by_precision() -> None:
    """Against weighted least squares of all tables on the column, by numpy."""
    rng = np.random.default_rng(1)
    alone = Measurement(("a",), rng.normal(100, 5, 3), 25.0)
    pair = Measurement(("b", "a"), rng.normal(30, 2, (4, 3)), 4.0)
    found = columns_of([alone, pair], SCHEMA, N)["a"]
    # pair says sum over b, of variance 4 * 4
    weights = np.array([1 / 25, 1 / 16])
    expected = np.average([alone.counts, pair.counts.sum(axis=0)], axis=0, weights=weights)
    assert found.counts == pytest.approx(expected)
    assert found.variance == pytest.approx(1 / weights.sum())
