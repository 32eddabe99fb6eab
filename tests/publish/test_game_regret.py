"""Theorem A in a real game: the certificate of the mixture holds as often as it says, for best responses and for weights."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import understudy
from understudy.noise.entropy import Seeded
from understudy.publish.mixture import mixture_claim
from understudy.publish.run import conduct
from understudy.schema.read import from_dict
from understudy.vault.tape import Tape

COLUMNS = {name: {"kind": "boolean"} for name in "abcd"}
SCHEMAS = {
    "noisy n": from_dict({"table": {"unit": "person"}, "columns": COLUMNS}),
    "public n": from_dict({"table": {"unit": "person", "rows": 400}, "columns": COLUMNS}),
    "replace-one": from_dict({"table": {"unit": "person", "relation": "replace-one"}, "columns": COLUMNS}),
}
N = 400


def rows(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.random(N) < 0.8
    b, d = a ^ (rng.random(N) < 0.1), a & (rng.random(N) < 0.7)
    return pd.DataFrame({"a": a, "b": b, "c": rng.random(N) < 0.3, "d": d})


def error(made: understudy.Release, data: pd.DataFrame) -> float:
    """The worst cell of the mixture over all pairs."""
    worst = 0.0
    for one, other in (pair for pair in [(x, y) for x in "abcd" for y in "abcd"] if pair[0] < pair[1]):
        exact = np.histogram2d(data[one], data[other], bins=2, range=[[-0.5, 1.5]] * 2)[0] / N
        worst = max(worst, float(np.abs(made.guess.marginal((one, other)) - exact).max()))
    return worst


PLAYED = [*(("dual_frank_wolfe", name) for name in SCHEMAS), ("fem", "public n"), ("querygan_b", "noisy n")]


@pytest.mark.parametrize(("recipe", "name"), PLAYED)
def test_the_mixture_is_within_its_bound(recipe: str, name: str) -> None:
    plan = understudy.plan(SCHEMAS[name], epsilon=4, delta="1e-6", recipe=recipe)
    told, missed = [], 0
    for seed in range(2):
        made = conduct(rows(seed), plan, Seeded(seed), None, None, "parquet", None, lambda words: None)
        bound = made.certificate["regret"]["mixture_worst_query_error"]
        missed += error(made, rows(seed)) > bound
        told.append(bound)
    assert missed == 0
    assert max(told) < 1


def tape_of(answer: int, player: str = "best") -> Tape:
    """Two best responses of scale 3 among 16 signed queries, and what they came to."""
    tape, mechanism = Tape({"release": "r", "coin": "0"}), {"kind": "Gumbel", "scale": "3"}
    for _ in range(2):
        asked = {"kind": "select_cell", "cliques": [["a", "b"], ["c", "d"]], "queries": [], "times": 1}
        tape.append(asked | {"mechanism": mechanism, "reference": "x"}, {}, 0)
    payoff = {"kind": "payoff", "mechanism": {"kind": "DiscreteGaussian", "sigma2": "25"}, "promised": 100, "rounds": 2}
    tape.append(payoff | {"player": player, "queries": [], "weights": []}, {}, np.array([answer]))
    return tape


def test_the_bound_is_the_formula() -> None:
    schema = SCHEMAS["public n"]
    (bound,) = mixture_claim(tape_of(130), schema, N, 0).values()
    regret = 2 * 3 * np.log(16 * 2 / 0.02)
    noise = bound * 2 * N - 30 - np.ceil(regret)
    # the upper 2 % of a normal law with standard deviation 5
    assert 10 <= noise <= 12
    (more,) = mixture_claim(tape_of(230), schema, N, 0).values()
    assert more - bound == pytest.approx(50 / N)
    assert Fraction(0) <= Fraction(bound) <= 1


def test_without_a_payoff_nothing_is_claimed() -> None:
    assert mixture_claim(Tape({"release": "r", "coin": "0"}), SCHEMAS["public n"], N, 0) == {}
