"""Three looks: their price, which pairs are the clearest, and how noise alone would look."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import understudy
from understudy.game.data.merging import Groups
from understudy.game.measurement import Measurement
from understudy.game.query.twice import LOOKS, Twice, clearness
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.publish.run import rehearse
from understudy.schema.column import Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit

NAMES = "abcdefghij"
SIZES = {name: 2 + i % 4 for i, name in enumerate(NAMES)}
SCHEMA = Schema("ten", Unit("person"), tuple(Listed(n, values=tuple(range(s))) for n, s in SIZES.items()), n=4000)


def table() -> pa.Table:
    """j is a function of i, b one of a; the others know nothing of anything."""
    rng = np.random.default_rng(0)
    made = {name: rng.integers(0, size, 4000) for name, size in SIZES.items()}
    made["j"], made["b"] = made["i"] % SIZES["j"], made["a"] + (made["a"] > 0)
    return pa.table(made)


def looks(made: understudy.Release) -> list[list[tuple[str, ...]]]:
    return [[tuple(c) for c in entry.question["cliques"]] for entry in made.tape.of("marginals")]


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_three_looks_at_the_price_that_was_said(delta: str) -> None:
    said = understudy.plan(SCHEMA, epsilon=1, delta=delta)
    made = rehearse(table(), SCHEMA, seed=1, epsilon=1, delta=delta)
    columns, pairs, again = looks(made)
    assert columns == [(name,) for name in NAMES]
    assert pairs == list(combinations(NAMES, 2))
    assert len(again) == LOOKS * len(NAMES) < len(pairs)
    charged = sum(Fraction(str(entry.charge["amount"])) for entry in made.tape)
    told = said.price([question for step in said.script for question in step.questions]).amount
    assert charged == told <= said.total.amount


def test_the_clearest_pairs_come_first() -> None:
    made = rehearse(table(), SCHEMA, seed=2, epsilon=1, delta="1e-6")
    assert set(looks(made)[2][:2]) == {("a", "b"), ("i", "j")}


def test_one_column_takes_everything() -> None:
    one = Schema("one", Unit("person"), (Listed("a", values=(0, 1)),), n=100)
    player = Twice(one, Purse(Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(1, 10)), 1))
    (step,) = player.script()
    assert player.purse.price(step.questions[0]).amount == Fraction(1, 10)


def test_noise_alone_is_about_standard() -> None:
    """400 independent pairs of 4 x 5 cells: a chi-square of 20 less its mean, over its deviation."""
    rng, p, q, n = np.random.default_rng(3), np.array([0.4, 0.3, 0.2, 0.1]), np.full(5, 0.2), 10_000
    groups = {"a": Groups.apart(4), "b": Groups.apart(5)}
    noisy = (n * np.outer(p, q) + rng.normal(scale=30, size=(400, 4, 5))).round()
    found = [clearness(Measurement(("a", "b"), y, 900.0), groups, {"a": p, "b": q}, n) for y in noisy]
    assert abs(np.mean(found)) < 0.2  # four standard errors
    assert abs(np.std(found) - 1) < 0.15
    # a tenth of the rows on the diagonal is far outside of that
    moved = Measurement(("a", "b"), 0.9 * n * np.outer(p, q) + 0.1 * n * np.eye(4, 5) / 4, 900.0)
    assert clearness(moved, groups, {"a": p, "b": q}, n) > 10
