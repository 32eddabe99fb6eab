"""One shot: what is measured is worth it, the noise is divided as well as it can be, and the price is exact."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import understudy
from understudy.game.data.graphical import Graphical
from understudy.game.data.merging import Groups
from understudy.game.query.closure import closure
from understudy.game.query.one_shot import OneShot
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.publish.run import rehearse
from understudy.schema.column import Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit

SIZES = {"a": 3, "b": 3, "c": 40, "d": 40}
COLUMNS = tuple(Listed(name, values=tuple(range(size))) for name, size in SIZES.items())
SCHEMA = Schema("small", Unit("person"), COLUMNS, n=3000)
PAIRS = tuple((a, b) for i, a in enumerate("abcd") for b in "abcd"[i + 1 :])


def table() -> pa.Table:
    """b is a copy of a; c and d know nothing of anything."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, size=3000)
    return pa.table({"a": a, "b": a, "c": rng.integers(0, 40, size=3000), "d": rng.integers(0, 40, size=3000)})


def player(measure: Measure, room: int = 10**6, looks: int = 6) -> OneShot:
    purse = Purse(Charge(Relation.ADD_REMOVE, measure, Fraction(1, 10)), 1)
    pairs = {c: w for c, w in closure(PAIRS, 2).items() if len(c) == 2}
    return OneShot(SCHEMA, purse, pairs, looks, room)


def guess() -> Graphical:
    groups = {name: Groups.apart(size) for name, size in SIZES.items()}
    return Graphical(groups, [np.full(size, -np.log(size)) for size in SIZES.values()], dict)


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_no_run_costs_more_than_was_said(delta: str) -> None:
    said = understudy.plan(SCHEMA, epsilon=1, delta=delta, recipe="oneshot")
    made = rehearse(table(), SCHEMA, seed=1, epsilon=1, delta=delta, recipe="oneshot")
    charged = sum(Fraction(str(entry.charge["amount"])) for entry in made.tape)
    told = said.price([question for step in said.script for question in step.questions]).amount
    assert charged == told <= said.total.amount


def test_it_measures_what_belongs_together_and_leaves_noise_alone() -> None:
    made = rehearse(table(), SCHEMA, seed=2, epsilon=1, delta="1e-6", recipe="oneshot")
    measured = [tuple(entry.question["cliques"][0]) for entry in made.tape.of("marginals")[1:]]
    assert ("a", "b") in measured
    assert ("c", "d") not in measured
    assert np.trace(made.guess.marginal(("a", "b"))) > 0.85


@pytest.mark.parametrize("measure", Measure, ids=lambda measure: measure.value)
def test_shares_are_exact_and_the_best(measure: Measure) -> None:
    """No small transfer between two shares lowers the sum of the noise to come."""
    asked = player(measure)
    shares = asked.shares(guess(), list(PAIRS))
    assert sum(shares.values()) == 1
    power = 1.0 if measure is Measure.PURE else 0.5

    def noise(parts: dict[tuple[str, ...], float]) -> float:
        return sum(asked.candidates[c] * guess().cells(c) / part**power for c, part in parts.items())

    best = {c: float(share) for c, share in shares.items()}
    for one in PAIRS:
        for other in PAIRS:
            step = 0.05 * min(best[one], best[other])
            if one != other:
                assert noise(best | {one: best[one] + step, other: best[other] - step}) > noise(best)


def test_the_largest_errors_come_first_and_the_room_is_kept() -> None:
    errors = [5000, 4000, 3000, 2000, 1000, 0]
    everything = player(Measure.ZCDP).worthwhile(guess(), errors)
    assert everything == list(PAIRS)[: len(everything)]
    assert PAIRS[-1] not in everything
    for room in (86, 100, 250, 2000):
        found = player(Measure.ZCDP, room=room).worthwhile(guess(), errors)
        assert guess().tree_cells(found) <= room
    assert player(Measure.ZCDP, room=89).worthwhile(guess(), errors) == [("a", "b")]
    assert player(Measure.ZCDP, looks=2).worthwhile(guess(), errors) == list(PAIRS[:2])


def test_nothing_is_measured_where_nothing_stands_out() -> None:
    assert player(Measure.ZCDP).worthwhile(guess(), [-50] * 6) == []
    assert player(Measure.ZCDP).shares(guess(), []) == {}


def test_several_measurements_cost_one_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from understudy.game.data.graphical import GraphicalPlayer

    fits = []
    solve = GraphicalPlayer._solve
    monkeypatch.setattr(GraphicalPlayer, "_solve", lambda self, *given: fits.append(1) or solve(self, *given))
    made = rehearse(table(), SCHEMA, seed=2, epsilon=4, delta="1e-6", recipe="oneshot")
    assert len(made.tape.of("marginals")) > 2
    assert len(fits) == 1
