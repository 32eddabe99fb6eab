"""Families: they ask what their script said, each family has one new column, and the parents found are the true ones."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from taped import schema_of

from understudy.game.data.bayesian import BayesianPlayer
from understudy.game.query.families import Families
from understudy.noise.entropy import Seeded
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.select import Select
from understudy.schema.relation import Relation
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

SCHEMA = replace(schema_of({"a": 2, "b": 3, "c": 2, "d": 2, "e": 3}), n=4000)
ROOM = 1000


def table(rows: int = 4000) -> dict[str, np.ndarray]:
    """d depends on both a and c and on neither alone; e is b with some noise."""
    rng = np.random.default_rng(0)
    a, b, c = rng.integers(2, size=rows), rng.integers(3, size=rows), rng.integers(2, size=rows)
    d = np.where(rng.random(rows) < 0.9, a ^ c, 1 - (a ^ c))
    return {"a": a, "b": b, "c": c, "d": d, "e": np.where(rng.random(rows) < 0.8, b, 0)}


def purse(amount: str, measure: Measure = Measure.ZCDP) -> Purse:
    return Purse(Charge(Relation.ADD_REMOVE, measure, Fraction(amount)), 1)


def played(player: Families, seed: int = 0) -> list:
    vault, tape = Vault.over(pa.table(table()), SCHEMA), Tape({"release": "r", "coin": "0"})
    data, asked = BayesianPlayer(ROOM), []
    while (question := player.next(data.fit(tape, SCHEMA), tape)) is not None:
        asked.append(question)
        tape.append(question.spec(), {}, draw_answer(question, vault, Seeded(seed + len(asked))))
    return asked


def families(asked: list) -> list[tuple[str, ...]]:
    return [clique for q in asked[1:] if isinstance(q, Marginals) for clique in q.cliques]


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("degree", [1, 2])
def test_a_game_costs_what_its_script_said(degree: int, measure: Measure) -> None:
    spend = purse("2", measure)
    player = Families(SCHEMA, spend, degree, ROOM)
    asked = played(player)
    told = [question for step in player.script() for question in step.questions]
    assert sorted(q.kind for q in asked) == sorted(q.kind for q in told)
    cost, price = (sum(spend.price(q).amount for q in questions) for questions in (asked, told))
    assert cost <= price <= spend.amount.amount
    assert cost > spend.amount.amount * Fraction(999, 1000)


@pytest.mark.parametrize("seed", range(3))
def test_every_family_has_one_new_column(seed: int) -> None:
    asked = played(Families(SCHEMA, purse("1/100"), 2, ROOM), seed)
    inside = set(families(asked)[0])
    for family in families(asked)[1:]:
        assert len(set(family) - inside) == 1 and len(family) <= 3
        inside |= set(family)
    assert inside == set(SCHEMA.domain)


def test_the_true_parents_are_found() -> None:
    found = families(played(Families(SCHEMA, purse("2"), 2, ROOM)))
    assert ("b", "e") in found and ("a", "c", "d") in found


def test_two_parents_are_seen_only_where_two_are_allowed() -> None:
    found = families(played(Families(SCHEMA, purse("2"), 1, ROOM)))
    assert ("b", "e") in found and all(len(family) == 2 for family in found)


def test_where_there_is_no_room_families_are_pairs() -> None:
    player = Families(SCHEMA, purse("2"), 2, 0)
    asked = played(player)
    assert all(len(family) == 2 for family in families(asked))
    assert all(len(c) == 2 for q in asked if isinstance(q, Select) for c in q.candidates)


def test_one_column_is_measured_once() -> None:
    alone = Families(schema_of({"a": 4}), purse("1"), 2, ROOM)
    (step,) = alone.script()
    assert [q.cliques for q in step.questions] == [(("a",),)]
