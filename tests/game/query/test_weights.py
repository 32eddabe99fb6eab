"""Draws from weights: their law is that of multiplicative weights, their price the purse."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from taped import schema_of

from understudy.game.data.dualquery import DualQueryPlayer
from understudy.game.query.weights import Drawn, Draws, Weights
from understudy.noise.entropy import Seeded
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.question.payoff import Payoff
from understudy.question.select_cell import SelectCell
from understudy.question.workload import Workload, ways
from understudy.schema.relation import Relation
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

SCHEMA = schema_of({"a": 2, "b": 2, "c": 3})
N = SCHEMA.n
assert N is not None
WORKLOAD = Workload("2way", ways(tuple(SCHEMA.domain), 2))


def table() -> pa.Table:
    rng = np.random.default_rng(1)
    a = (rng.random(N) < 0.8).astype(int)
    return pa.table({"a": a, "b": np.where(rng.random(N) < 0.9, a, 1 - a), "c": rng.integers(3, size=N)})


def purse(measure: Measure = Measure.ZCDP, amount: str = "1/50") -> Purse:
    return Purse(Charge(Relation.ADD_REMOVE, measure, Fraction(amount)), 1)


def played(plan: Draws, certified: bool = True, measure: Measure = Measure.ZCDP, amount: str = "1/50"):
    """One game: the questions, the tape, and the player of rows."""
    vault, tape = Vault.over(table(), SCHEMA), Tape({"release": "r", "coin": "00"})
    query = Weights(SCHEMA, purse(measure, amount), WORKLOAD, lambda n: plan, certified)
    data, asked = DualQueryPlayer(lambda n: plan, plan.rounds), []
    while (question := query.next(data.fit(tape, SCHEMA), tape)) is not None:
        asked.append(question)
        tape.append(question.spec(), {}, draw_answer(question, vault, Seeded(len(asked))))
    return asked, tape, data, query


@pytest.mark.parametrize("measure", [Measure.ZCDP, Measure.PURE, Measure.RENYI_16], ids=lambda m: m.value)
@pytest.mark.parametrize("plan", [Draws(6, 3, 3), Draws(9, 4, 1)], ids=["all new", "a quarter new"])
def test_a_game_costs_what_its_script_said(plan: Draws, measure: Measure) -> None:
    spend = purse(measure)
    for certified in (True, False):
        asked, _, _, query = played(plan, certified, measure)
        told = [question for step in query.script() for question in step.questions]
        prices = [sorted(spend.price(q).amount for q in questions) for questions in (asked, told)]
        assert prices[0] == prices[1]
        assert Fraction(999, 1000) * spend.amount.amount < sum(prices[0]) <= spend.amount.amount
        assert sum(isinstance(q, Payoff) for q in asked) == certified
        assert [q.times for q in asked if isinstance(q, SelectCell)] == [
            t for t in range(1, plan.rounds + 1) for _ in range(plan.fresh)
        ]


def test_the_law_of_a_round_is_that_of_multiplicative_weights() -> None:
    """exp(score / scale), against weights multiplied round by round."""
    plan = Draws(5, 2, 2)
    asked, tape, data, query = played(plan)
    vault, scale = Vault.over(table(), SCHEMA), float(query.scale(plan))
    rows = data._rows
    weights = np.ones(2 * (4 + 6 + 6))
    for t, question in enumerate(asked[:: plan.fresh][: plan.rounds]):
        guess = {name: np.array([rows[t][name]]) for name in SCHEMA.domain}
        gains = []
        for clique in WORKLOAD.cliques:
            sizes = tuple(SCHEMA.domain[name] for name in clique)
            exact = np.bincount(
                np.ravel_multi_index([table()[n].to_numpy() for n in clique], sizes), minlength=np.prod(sizes)
            )
            proposed = np.bincount(np.ravel_multi_index([guess[n] for n in clique], sizes), minlength=np.prod(sizes))
            gains.append((exact - N * proposed).ravel())
        gain = np.concatenate(gains)
        # w <- w exp(eta V(q, g_t)), eta / n = 1 / scale
        weights = weights * np.exp(np.concatenate([gain, -gain]) / scale)
        scores = vault._look(question) / scale
        law = np.exp(scores - scores.max())
        assert law / law.sum() == pytest.approx(weights / weights.sum(), abs=1e-9)


def test_kept_draws_are_those_of_the_round_before() -> None:
    plan = Draws(8, 4, 1)
    _, tape, _, _ = played(plan, certified=False)
    drawn = Drawn()
    drawn.follow(tape, SCHEMA, plan)
    assert len(drawn.rounds) == 8
    for before, after in zip(drawn.rounds, drawn.rounds[1:], strict=False):
        assert len(after) == min(len(before) + 1, 4)
        assert all(kept in before for kept in after[:-1])
