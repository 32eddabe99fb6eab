"""QueryGAN's oracles: each learns a relation, the mixture of the proposals is released, and the slope of E is one."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import understudy
from understudy.game.data.mixture import Mixture
from understudy.game.latest import latest
from understudy.question.critic_gradient import UNIT, WEIGHT, CriticGradient
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.refusal import Misuse
from understudy.schema.column import Boolean, Listed
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema, Unit
from understudy.vault.vault import Vault

COLUMNS = {name: {"kind": "boolean"} for name in "abcd"}
SCHEMA = from_dict({"table": {"unit": "person", "rows": 1200}, "columns": COLUMNS})
ORACLES = ("querygan_a", "querygan_b", "querygan_d", "querygan_e")


def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    a = rng.random(1200) < 0.5
    return pd.DataFrame(
        {"a": a, "b": a ^ (rng.random(1200) < 0.1), "c": rng.random(1200) < 0.8, "d": rng.random(1200) < 0.5}
    )


def far(guess: Mixture, rows: pd.DataFrame, pair: tuple[str, str]) -> float:
    exact = np.histogram2d(rows[pair[0]], rows[pair[1]], bins=2, range=[[-0.5, 1.5]] * 2)[0] / len(rows)
    return float(np.abs(guess.marginal(pair) - exact).max())


@pytest.mark.parametrize("recipe", ORACLES)
def test_every_oracle_learns_a_relation(recipe: str) -> None:
    """a and b agree in nine rows of ten: an independent guess is off by 0.2 in a cell."""
    made = understudy.rehearse(table(), SCHEMA, seed=1, epsilon=4, delta="1e-6", recipe=recipe)
    assert far(made.guess, table(), ("a", "b")) < 0.13
    assert far(made.guess, table(), ("c", "d")) < 0.1


def test_the_release_is_the_mixture_of_what_was_played_against() -> None:
    made = understudy.rehearse(table(), SCHEMA, seed=1, epsilon=2, delta="1e-6", recipe="querygan_a")
    rounds = len(made.tape.of("select_cell"))
    guess = made.guess
    assert len(guess.weights) == 32 * rounds
    assert guess.weights == pytest.approx(1 / len(guess.weights))
    assert latest(guess) is not guess and len(latest(guess).weights) == 32


SMALL = Schema("small", Unit("person"), (Boolean("smokes"), Listed("ward", values=("n", "s", "w"))))
CLIQUES = (("ward",), ("smokes", "ward"))
THETA = {("ward",): np.array([UNIT, -UNIT // 2, 0]), ("smokes", "ward"): np.arange(6).reshape(2, 3) * 1000}


def test_the_slope_is_that_of_the_critic_row_by_row() -> None:
    vault = Vault(pa.table({"smokes": [True, False, True], "ward": ["n", "w", "n"]}), SMALL)
    found = vault._look(CriticGradient(Exact(), CLIQUES, Reference.of_tables(THETA)))
    expected = np.zeros(9)
    for smokes, ward in ((1, 0), (0, 2), (1, 0)):
        s = (THETA[("ward",)][ward] + THETA[("smokes", "ward")][smokes, ward]) / UNIT
        expected[[ward, 3 + 3 * smokes + ward]] += round(WEIGHT / (1 + np.exp(s)))
    assert found.tolist() == expected.tolist()
    # and it is the slope: the payoff of the private side, moved a little along one cell
    cell, step = 0, 1e-6

    def payoff(shift: float) -> float:
        scores = [(1 + 3000 / UNIT) + shift, 2000 / UNIT, (1 + 3000 / UNIT) + shift]
        return -sum(np.log1p(np.exp(-s)) for s in scores)

    assert found[cell] / WEIGHT == pytest.approx((payoff(step) - payoff(-step)) / (2 * step), abs=2e-3)


def test_a_critic_that_is_no_table_of_moderate_whole_numbers_is_refused() -> None:
    vault = Vault(pa.table({"smokes": [True], "ward": ["n"]}), SMALL)
    for wrong in (np.zeros(3), np.full(3, 2**50), np.zeros((3, 1), dtype=np.int64)):
        question = CriticGradient(Exact(), CLIQUES[:1], Reference.of_tables({("ward",): THETA[("ward",)]}))
        listening = replace(question, reference=Reference("x", lambda columns, table=wrong: table))
        with pytest.raises(Misuse, match="whole numbers"):
            vault._look(listening)
