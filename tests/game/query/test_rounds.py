"""Rounds: what they ask is what their script said, at its price, and they choose where the guess is worst."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from taped import schema_of

from understudy.game.data.table import TablePlayer
from understudy.game.query.rounds import Rounds, pairs_within
from understudy.noise.entropy import Seeded
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.select import Select
from understudy.question.workload import ways
from understudy.schema.relation import Relation
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

SCHEMA = replace(schema_of({"a": 3, "b": 3, "c": 3, "d": 3}), n=3000)
PAIRS = ways(tuple(SCHEMA.domain), 2)
RELATED = {("a", "b"), ("c", "d")}


def table(rows: int = 3000) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    a, c = rng.integers(3, size=rows), rng.integers(3, size=rows)
    return {"a": a, "b": np.where(rng.random(rows) < 0.8, a, 2), "c": c, "d": np.where(rng.random(rows) < 0.8, c, 0)}


def purse(amount: str, measure: Measure = Measure.ZCDP) -> Purse:
    return Purse(Charge(Relation.ADD_REMOVE, measure, Fraction(amount)), 1)


def played(player: Rounds) -> list:
    """The questions of one game, over a table with two related pairs."""
    vault, tape, data = Vault.over(pa.table(table()), SCHEMA), Tape({"release": "r", "coin": "0"}), TablePlayer()
    asked = []
    while (question := player.next(data.fit(tape, SCHEMA), tape)) is not None:
        asked.append(question)
        tape.append(question.spec(), {}, draw_answer(question, vault, Seeded(len(asked))))
    return asked


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize(("rounds", "batch"), [(1, 1), (3, 2), (6, 1), (0, 0)])
def test_a_game_costs_what_its_script_said(rounds: int, batch: int, measure: Measure) -> None:
    spend = purse("2", measure)
    player = Rounds(SCHEMA, spend, dict.fromkeys(PAIRS, 1), rounds, batch)
    asked = played(player)
    told = [question for step in player.script() for question in step.questions]
    assert sorted(q.kind for q in asked) == sorted(q.kind for q in told)
    cost, price = (sum(spend.price(q).amount for q in questions) for questions in (asked, told))
    assert cost <= price <= spend.amount.amount
    assert cost > spend.amount.amount * Fraction(999, 1000)


def test_no_candidate_is_chosen_twice_and_what_is_chosen_is_measured() -> None:
    player = Rounds(SCHEMA, purse("2"), dict.fromkeys(PAIRS, 1), 3, 2)
    asked = played(player)
    kinds = [q.kind for q in asked]
    assert kinds == ["marginals", *["select", "select", "marginals"] * 3]
    assert sorted(c for q in asked[1:] if isinstance(q, Marginals) for c in q.cliques) == sorted(PAIRS)
    assert [len(q.candidates) for q in asked if isinstance(q, Select)] == [6, 5, 4, 3, 2, 1]


def test_the_related_pairs_are_chosen_first() -> None:
    asked = played(Rounds(SCHEMA, purse("2"), dict.fromkeys(PAIRS, 1), 1, 2))
    assert isinstance(asked[-1], Marginals)
    assert set(asked[-1].cliques) == RELATED


def test_the_pairs_of_a_workload() -> None:
    found = pairs_within((("a", "b", "c"), ("b", "c", "d")))
    assert found == {("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 2, ("b", "d"): 1, ("c", "d"): 1}


def test_what_matters_more_is_chosen_first() -> None:
    """A pair that misses little comes before the related ones, if it matters a hundred times as much."""
    weights = dict.fromkeys(PAIRS, 1) | {("a", "c"): 100}
    asked = played(Rounds(SCHEMA, purse("2000"), weights, 1, 1))
    assert isinstance(asked[1], Select)
    assert asked[1].weights == tuple(weights.values())
    assert asked[-1].cliques == (("a", "c"),)
