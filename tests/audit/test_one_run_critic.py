"""One run of dpgan with canaries in it: what the tape's gradients tell of them is no more than was claimed.

Each canary is the only row in its cell of one column, so in the gradient of the critic's first layer one row of weights is
its own push, or noise. The auditor knows the critic at every step, as everybody does, and adds up how far the answers lie
along what each canary would have pushed.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from understudy.audit.one_run import epsilon_of_guesses, guess
from understudy.game.play import play
from understudy.noise.entropy import Seeded
from understudy.privacy.accountant import Budget
from understudy.privacy.tally import Tally
from understudy.publish.plan import make_plan
from understudy.question import jax as lazy
from understudy.question.critic import losses, scores
from understudy.question.gradient_step import GradientStep
from understudy.question.question import Question
from understudy.schema.read import from_dict
from understudy.vault.gate import Gate
from understudy.vault.stored import Stored
from understudy.vault.tape import Answer, Tape
from understudy.vault.vault import Vault

CANARIES, CROWD, DELTA = 120, 300, Fraction(1, 10**5)
COLUMNS = {"town": {"kind": "categorical", "values": list(range(CANARIES + 1))}, "smokes": {"kind": "boolean"}}
SCHEMA = from_dict({"table": {"unit": "person", "rows": CROWD + CANARIES // 2}, "columns": COLUMNS})


class Overheard(Gate):
    """A gate whose steps are heard with their weights."""

    heard: list[tuple[GradientStep, Answer]]

    def ask(self, question: Question) -> Answer:
        answer = super().ask(question)
        if isinstance(question, GradientStep):
            self.heard.append((question, answer))
        return answer


def pushes(asked: GradientStep, answer: Answer) -> np.ndarray:
    """How far the answer lies along each canary's own push, in its row of the first layer."""
    assert isinstance(answer, Stored)
    jax, weights = lazy.load(), asked.weights.arrays()
    rows = np.zeros((CANARIES, CANARIES + 3), dtype=np.float32)
    rows[np.arange(CANARIES), 1 + np.arange(CANARIES)] = 1
    rows[:, -1] = 1

    def total(first: Any) -> Any:
        return losses(jax, asked.loss, scores(jax, asked.critic, ((first, weights[0][1]), *weights[1:]), rows)).sum()

    own = np.asarray(jax.grad(total)(weights[0][0]))[1 : 1 + CANARIES]
    seen = answer.read()[: weights[0][0].size].reshape(weights[0][0].shape)[1 : 1 + CANARIES]
    return (own * seen).sum(axis=1) / np.maximum(np.linalg.norm(own, axis=1), 1e-9)


def found(epsilon: int) -> float:
    """What one run at a claim refutes."""
    inside = np.random.default_rng(5).random(CANARIES) < 0.5
    towns = np.concatenate([np.zeros(CROWD, dtype=int), 1 + np.flatnonzero(inside)])
    table = pa.table({"town": towns, "smokes": np.ones(len(towns), dtype=bool)})
    plan = make_plan(SCHEMA, Budget(Fraction(epsilon), DELTA, SCHEMA.relation), "dpgan")
    tape = Tape({"release": "r", "coin": "00"})
    gate = Overheard(Vault.over(table, SCHEMA), Tally(plan.budget), tape, plan.budget, Seeded(1))
    gate.heard = []
    pairing = plan.pairing(SCHEMA)
    play(gate, SCHEMA, pairing.query, pairing.data, lambda words: None)
    told = sum(pushes(*one) for one in gate.heard)
    return epsilon_of_guesses(CANARIES, CANARIES, guess(told, inside, CANARIES), float(DELTA))


@pytest.mark.parametrize("epsilon", [1, 4])
def test_a_trained_critic_tells_no_more_than_is_claimed(epsilon: int) -> None:
    assert found(epsilon) <= epsilon


def test_the_auditor_hears_what_there_is_to_hear() -> None:
    """Its power: at a budget that hides little, the same run refutes what was claimed above."""
    assert found(200) > 2
