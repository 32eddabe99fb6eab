"""Adaptive: it never costs more than it said, keeps to its room, and looks where the guess is worst."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import understudy
from understudy.game.data.graphical import GraphicalPlayer
from understudy.game.data.product import Product
from understudy.game.query.adaptive import Adaptive, chosen
from understudy.game.query.closure import closure
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.publish.run import rehearse
from understudy.question.marginals import Marginals
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.spec import to_spec
from understudy.recipe.aim import ROOM
from understudy.refusal import Misuse
from understudy.schema.column import Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.tape import Tape

SCHEMA = Schema("small", Unit("person"), tuple(Listed(name, values=tuple(range(5))) for name in "abcd"), n=2000)
PAIRS = tuple((a, b) for i, a in enumerate("abcd") for b in "abcd"[i + 1 :])


def table() -> pa.Table:
    """b is nearly a copy of a, d of c; the two know nothing of each other."""
    rng = np.random.default_rng(0)
    a, c = rng.integers(0, 5, size=(2, 2000))
    noise = rng.random(size=(2, 2000)) < 0.1
    return pa.table({"a": a, "b": np.where(noise[0], 4 - a, a), "c": c, "d": np.where(noise[1], 4 - c, c)})


def purse(measure: Measure, amount: str = "1/10") -> Purse:
    return Purse(Charge(Relation.ADD_REMOVE, measure, Fraction(amount)), 1)


def player(measure: Measure = Measure.ZCDP, portions: int = 16, room: int = ROOM) -> Adaptive:
    return Adaptive(SCHEMA, purse(measure), closure(PAIRS, 2), portions, room)


@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_no_run_costs_more_than_was_said(delta: str, relation: Relation) -> None:
    schema = replace(SCHEMA, relation=relation)
    said = understudy.plan(schema, epsilon=1, delta=delta, recipe="aim")
    made = rehearse(table(), schema, seed=1, epsilon=1, delta=delta, recipe="aim")
    charged = sum(Fraction(str(entry.charge["amount"])) for entry in made.tape)
    told = said.price([question for step in said.script for question in step.questions]).amount
    assert charged <= told <= said.total.amount
    assert charged > Fraction(999, 1000) * told


@pytest.mark.parametrize("measure", Measure, ids=lambda measure: measure.value)
def test_a_round_of_many_portions_is_no_dearer_than_as_many_rounds(measure: Measure) -> None:
    asked = player(measure)
    weights = asked.candidates
    one = asked.purse.price(asked.choice(weights, Reference("x"), dict.fromkeys(weights, 0), 1)).amount
    for k in range(1, 40):
        price = asked.purse.price(asked.choice(weights, Reference("x"), dict.fromkeys(weights, 0), k)).amount
        assert k * one * Fraction(999, 1000) < price <= k * one
        measured = asked.purse.price(asked.marginal(("a", "b"), k)).amount
        assert measured == k * asked.purse.price(asked.marginal(("a", "b"), 1)).amount


def test_it_finds_what_belongs_together() -> None:
    made = rehearse(table(), SCHEMA, seed=2, epsilon=4, delta="1e-6", recipe="aim")
    picked = [chosen(entry) for entry in made.tape.of("select")]
    assert set(picked[:2]) == {("a", "b"), ("c", "d")}
    together = made.guess.marginal(("a", "b"))
    assert np.trace(together) == pytest.approx(0.92, abs=0.03)  # 0.9, and the middle of the other tenth
    apart = made.guess.marginal(("a", "c"))
    assert abs(apart - 1 / 25).max() < 0.02


@dataclass
class Still:
    """A guess that moves by ``jump`` rows in every cell each time that it is asked anew, and has a given tree."""

    jump: float = 0.0
    jumps: int = 0
    kind: str = "still"
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def marginal(self, columns: tuple[str, ...]) -> np.ndarray:
        flat = np.full([5] * len(columns), 1 / 5 ** len(columns))
        return flat + self.jump * self.jumps / 2000

    def cells(self, columns: tuple[str, ...]) -> int:
        return 5 ** len(columns)

    def tree_cells(self, cliques: object) -> int:
        return sum(5 ** len(c) for c in cliques)

    rows = given = model = rebuild = marginal


def rounds(asked: Adaptive, guess: Still) -> list[int]:
    """Play against answers of zeros, and tell the portions of every round."""
    tape = Tape({"coin": "00"})
    while (question := asked.next(guess, tape)) is not None:
        answer = 0 if isinstance(question, Select) else np.zeros(25, dtype=np.int64)
        tape.append(to_spec(question), {}, answer)
        guess.jumps += isinstance(question, Marginals)
    return asked._rounds


def test_rounds_that_teach_nothing_are_doubled() -> None:
    assert rounds(player(portions=16), Still()) == [1, 2, 4, 9]
    assert rounds(player(portions=16), Still(jump=1e6)) == [1] * 16
    assert rounds(player(portions=1), Still()) == [1]


def test_candidates_keep_to_their_room() -> None:
    """With s of S portions begun, a tree of s / S of the room, or as large as it is already."""
    asked, guess, tape = player(portions=8, room=100), Still(jump=1e6), Tape({"coin": "00"})
    largest = []
    while (question := asked.next(guess, tape)) is not None:
        if isinstance(question, Select):
            before = [chosen(entry) for entry in tape.of("select")]
            room = max(100 * sum(asked._rounds) / 8, guess.tree_cells(before))
            new = [c for c in question.candidates if not any(set(c) <= set(b) for b in before)]
            assert all(guess.tree_cells([*before, c]) <= room for c in new)
            largest.append(max(len(c) for c in question.candidates))
        tape.append(
            to_spec(question), {}, len(question.candidates) - 1 if isinstance(question, Select) else np.zeros(25)
        )
        guess.jumps += isinstance(question, Marginals)
    assert largest[0] == 1 and largest[-1] == 2


def test_wide_marginals_pay_for_their_noise() -> None:
    asked, tape = player(), Tape({"coin": "00"})
    tape.append(to_spec(asked.columns()), {}, np.zeros(20, dtype=np.int64))
    question = asked.next(Still(), tape)
    assert isinstance(question, Select)
    bias = dict(zip(question.candidates, zip(question.weights, question.biases, strict=True), strict=True))
    (narrow, light), (wide, heavy) = bias[("a",)], bias[("a", "b")]
    assert (narrow, wide) == (1, 2)
    assert heavy == pytest.approx(2 * 5 * light, abs=10)


def test_a_guess_without_a_tree_is_refused() -> None:
    tape = Tape({"coin": "00"})
    asked = player()
    tape.append(to_spec(asked.columns()), {}, np.zeros(20, dtype=np.int64))
    with pytest.raises(Misuse, match="tree"):
        asked.next(Product({name: np.full(5, 0.2) for name in "abcd"}), tape)


def test_weights_of_a_closure_count_columns_in_common() -> None:
    triples = (("a", "b", "c"), ("b", "c", "d"))
    weights = closure(triples, 3)
    assert set(weights) == {*((n,) for n in "abcd"), *(p for p in PAIRS if p != ("a", "d")), *triples}
    for part, weight in weights.items():
        assert weight == sum(len(set(part) & set(clique)) for clique in triples)


def test_a_refit_after_a_warm_start_is_the_same_guess() -> None:
    made = rehearse(table(), SCHEMA, seed=3, epsilon=2, delta="1e-6", recipe="aim")
    cold = GraphicalPlayer(ROOM).fit(made.tape, made.schema)
    for pair in PAIRS:
        assert abs(cold.marginal(pair) - made.guess.marginal(pair)).sum() < 0.01
