"""Chosen pairs: no pair twice, no circle in a tree, the related ones first; and what is asked costs what was said."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from understudy.game.data.product import ProductPlayer
from understudy.game.query.pairs import ChosenPairs, spanning, strongest
from understudy.noise.draw import draw
from understudy.noise.entropy import Seeded
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.question.workload import ways
from understudy.schema.column import Boolean
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.tape import Tape

NAMES = tuple("abcdef")
PAIRS = ways(NAMES, 2)
RELATED = {("a", "b"), ("c", "d"), ("e", "f")}


class Rows:
    """A thousand rows in which a and b, c and d, e and f are nearly the same."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.codes = {}
        for first, second in sorted(RELATED):
            self.codes[first] = rng.integers(0, 2, 1000)
            self.codes[second] = np.where(rng.random(1000) < 0.95, self.codes[first], rng.integers(0, 2, 1000))

    def counts(self, columns):
        table = np.zeros((2,) * len(columns), dtype=np.int64)
        np.add.at(table, tuple(self.codes[name] for name in columns), 1)
        return table


def played(allowed, rounds, measure=Measure.ZCDP, relation=Relation.ADD_REMOVE, amount=Fraction(5), seed=0):
    """The tape of one game, all questions that were asked, and the player."""
    schema = Schema("t", Unit("person"), tuple(Boolean(name) for name in NAMES), relation=relation, n=1000)
    purse = Purse(Charge(relation, measure, amount), 1)
    player, data = ChosenPairs(schema, purse, rounds, allowed), ProductPlayer()
    tape, rows, asked, entropy = Tape({"release": "r", "coin": "00"}), Rows(), [], Seeded(seed)
    while (question := player.next(data.fit(tape, schema), tape)) is not None:
        asked.append(question)
        tape.append(question.spec(), {}, draw(question.mechanism, question.statistic(rows), entropy))
        assert len(asked) < 50
    return tape, asked, player


def has_circle(pairs):
    """Whether some pair joins what is joined already: by walking, not by the way of the code."""
    beside = {name: set() for name in NAMES}
    for a, b in pairs:
        seen, to_see = set(), [a]
        while to_see:
            at = to_see.pop()
            seen.add(at)
            to_see += beside[at] - seen
        if b in seen:
            return True
        beside[a].add(b)
        beside[b].add(a)
    return False


@pytest.mark.parametrize("seed", range(8))
def test_spanning_grows_a_tree_over_all_columns(seed):
    tape, _, player = played(spanning(PAIRS), 5, amount=Fraction(1, 100), seed=seed)
    chosen = player.chosen(tape)
    assert len(chosen) == 5
    assert not has_circle(chosen)
    assert {name for pair in chosen for name in pair} == set(NAMES)
    assert spanning(PAIRS)(chosen) == ()


def test_spanning_allows_exactly_what_closes_no_circle():
    for forest in combinations(PAIRS, 3):
        if not has_circle(forest):
            expected = tuple(pair for pair in PAIRS if not has_circle((*forest, pair)))
            assert spanning(PAIRS)(forest) == expected


@pytest.mark.parametrize("seed", range(8))
def test_strongest_never_repeats(seed):
    tape, _, player = played(strongest(PAIRS), 12, amount=Fraction(1, 100), seed=seed)
    assert len(set(player.chosen(tape))) == 12


@pytest.mark.parametrize("allowed", [strongest, spanning])
def test_related_pairs_are_chosen_first(allowed):
    tape, asked, player = played(allowed(PAIRS), 3)
    assert set(player.chosen(tape)) == RELATED
    assert asked[-1].cliques == player.chosen(tape)


@pytest.mark.parametrize("measure", Measure, ids=lambda measure: measure.value)
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_what_is_asked_costs_what_was_said(measure, relation, rounds):
    _, asked, player = played(spanning(PAIRS), rounds, measure, relation)
    said = [question for step in player.script() for question in step.questions]
    assert [player.purse.price(q) for q in asked] == [player.purse.price(q) for q in said]
    spent = sum(player.purse.price(q).amount for q in asked)
    assert Fraction(999, 1000) * player.purse.amount.amount <= spent <= player.purse.amount.amount
