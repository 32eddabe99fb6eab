"""The adversary: its parts against closed forms and SciPy, its critic step against the plain gradient, and what it learns."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import approx_fprime

import understudy
from understudy.game import jax as lazy
from understudy.game.data.adversary import AdversaryPlayer
from understudy.game.data.duel import CUT, DUELS
from understudy.game.data.generated import Generated
from understudy.game.data.heads import Head, shown
from understudy.game.data.maker import classes_of, critic_for, maker_of, raw_of, untrained
from understudy.game.play import play
from understudy.game.tempo import Tempo, priced
from understudy.noise.entropy import Seeded
from understudy.privacy.accountant import Budget
from understudy.privacy.purse import Purse
from understudy.privacy.tally import Tally
from understudy.publish.plan import make_plan
from understudy.question.critic import Critic, Dense, Leaky, losses
from understudy.question.gradient_step import GradientStep, Weights
from understudy.question.mechanism import Exact
from understudy.schema.coordinates import UNIT, values
from understudy.schema.image import pictures
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation
from understudy.vault.gate import Gate
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

COLUMNS = {
    "sex": {"kind": "categorical", "values": ["f", "m", "x"]},
    "age": {"kind": "integer", "min": 0, "max": 9, "missing": [""]},
    "pay": {"kind": "integer", "min": 0, "max": 3},
    "town": {"kind": "categorical", "values": ["a", "b"]},
}
SCHEMA = from_dict({"table": {"unit": "person", "rows": 4000, "label": "town"}, "columns": COLUMNS})
JAX = lazy.load()
SCORES = np.linspace(-3, 3, 7)

LOSSES = {
    "vanilla": (lambda d: np.log1p(np.exp(-d)), lambda d: -np.log1p(np.exp(d))),
    "logistic": (lambda d: np.log1p(np.exp(-d)), lambda d: np.log1p(np.exp(-d))),
    "hinge": (lambda d: np.maximum(0, 1 - d), lambda d: -d),
    "wasserstein": (lambda d: -d, lambda d: -d),
    "spectral": (lambda d: -d, lambda d: -d),
}


@pytest.mark.parametrize("name", DUELS)
def test_a_duel_is_what_its_table_says(name: str) -> None:
    critic, maker = LOSSES[name]
    np.testing.assert_allclose(losses(JAX, DUELS[name].loss, SCORES), critic(SCORES), rtol=1e-6)
    np.testing.assert_allclose(DUELS[name].want(JAX, SCORES), maker(SCORES), rtol=1e-6)


def test_restraints_hold_the_weights() -> None:
    rng = np.random.default_rng(0)
    weights = ((3 * rng.normal(size=(20, 7)), rng.normal(size=7)), (), (rng.normal(size=(7, 1)) / 100, np.zeros(1)))
    cut = DUELS["wasserstein"].restrain(JAX, weights)
    assert max(float(abs(array).max()) for layer in cut for array in layer) <= CUT
    (tamed, shift), _, (small, _) = DUELS["spectral"].restrain(JAX, weights)
    assert 0.99 <= np.linalg.svd(np.asarray(tamed))[1][0] <= 1.05, "a few turns of the power iteration find most of it"
    np.testing.assert_allclose(tamed / tamed[0, 0], weights[0][0] / weights[0][0][0, 0], rtol=1e-5)
    np.testing.assert_array_equal(small, weights[2][0])
    np.testing.assert_array_equal(shift, weights[0][1])


def test_what_a_critic_is_shown_is_what_is_released() -> None:
    """The coordinates are those of a row: reading them back and writing them again changes nothing."""
    maker = maker_of(SCHEMA, 4)
    raw = np.random.default_rng(1).normal(size=(200, maker.raw)).astype(np.float32)
    made, start = np.asarray(shown(JAX, maker.heads, raw, JAX.random.key(0)), dtype=np.float64), 0
    for head in maker.heads:
        piece, column = made[:, start : start + head.width], SCHEMA.column(head.name)
        start += head.width
        read = values(piece * UNIT, column)
        if head.kind == "cells":
            np.testing.assert_allclose(piece, np.eye(head.width)[read.codes], atol=1e-6)
        else:
            ticks = piece[:, 0] * head.steps[0]
            missing = piece[:, 1] > 0.5 if head.width == 2 else np.zeros(len(piece), dtype=bool)
            np.testing.assert_allclose(ticks[~missing], read.ticks[~missing], atol=1e-5)
            assert abs(piece[missing] - np.array([0.5, 1])[: head.width]).max(initial=0) < 1e-6
            assert missing.any() == (head.width == 2)


def test_the_derivative_passes_by_a_choice() -> None:
    """Straight through: the derivative is that of the softmax at the same noise."""
    head, key, raw = Head("x", "cells", 3), JAX.random.key(3), np.array([[0.3, -0.2, 0.9]])
    weights = np.array([1.0, 2.0, -1.0])
    gumbel = np.asarray(JAX.random.gumbel(JAX.random.fold_in(key, 0), raw.shape, raw.dtype))

    def soft(r: np.ndarray) -> float:
        heights = (r + gumbel[0]) / 0.66
        return float(np.exp(heights) @ weights / np.exp(heights).sum())

    slope = JAX.grad(lambda r: (shown(JAX, (head,), r, key) @ weights).sum())(raw)
    np.testing.assert_allclose(slope[0], approx_fprime(raw[0], soft, 1e-7), atol=1e-5)


def test_classes_come_in_their_shares() -> None:
    law = np.array([0.5, 0.3, 0.2], dtype=np.float32)
    counts = np.asarray(classes_of(JAX, law, 1000, JAX.random.key(1))).sum(axis=0)
    assert abs(counts - 1000 * law).max() <= 1


def purse(epsilon: int = 1, order: int = 16) -> Purse:
    return Purse(Budget(Fraction(epsilon), Fraction(1, 10**6), Relation.ADD_REMOVE, order).total(), 1)


def test_a_small_budget_makes_a_short_run() -> None:
    tempo = Tempo(100, 5, 1000)
    looks = [tempo.looks(n, purse(), 10_000) for n in (0, 100, 10_000, 30_000, 10**7)]
    assert looks == sorted(looks)
    assert (looks[0], looks[1], looks[-1]) == (5, 5, 1000)
    assert 5 < looks[2] < 1000
    assert tempo.rate(50) == 1
    assert tempo.rate(1000) == Fraction(1, 10)


@pytest.mark.parametrize(("epsilon", "order"), [("1/10", 512), ("3/10", 128), ("1", 16), ("10", 4)])
def test_the_noise_of_all_looks_is_within_the_purse(epsilon: str, order: int) -> None:
    """The safe end of the search: all looks cost at most the purse, and nearly all of it."""
    critic = Critic((5,), (Dense(4), Leaky(), Dense(1)))
    asked = GradientStep(Exact(), ("age",), (5,), critic, "logistic", Fraction(1), Weights(""), 0)
    held = Purse(Budget(Fraction(epsilon), Fraction(1, 10**5), Relation.ADD_REMOVE, order).total(), 1)
    each = held.price(priced(held, asked, Fraction(1, 100), 500)).amount
    assert 0.95 <= float(500 * each / held.amount.amount) <= 1


def table(n: int = 4000) -> object:
    """Town decides everything: sex, whether age is missing, and pay."""
    import pandas as pd

    rng = np.random.default_rng(0)
    town = rng.random(n) < 0.3
    age = [None if t and rng.random() < 0.5 else int(rng.integers(0, 4) + 5 * t) for t in town]
    columns = {"sex": np.where(town, "m", "f"), "age": age, "pay": 3 * town, "town": np.where(town, "b", "a")}
    return pd.DataFrame({name: pd.Series(list(column), dtype=object) for name, column in columns.items()})


@pytest.mark.full
def test_it_learns_what_there_is_to_learn() -> None:
    """With next to no noise the pairs with the label come near; with a small budget they need not."""
    made = understudy.rehearse(table(), SCHEMA, seed=0, epsilon=10_000, delta="1e-6", recipe="dpgan", rows=4000)
    frame, real = made.table.to_pandas(), table()
    for name, value in (("sex", "m"), ("pay", 3)):
        for town in "ab":
            share = (frame[name][frame.town == town] == value).mean()
            assert abs(share - (real[name][real.town == town] == value).mean()) < 0.1, (name, town)


def test_a_model_file_makes_the_same_rows() -> None:
    made = understudy.rehearse(table(200), SCHEMA, seed=0, epsilon=10, delta="1e-6", recipe="dpgan", rows=50)
    guess = made.guess
    assert isinstance(guess, Generated)
    words, arrays = guess.model()
    again = Generated.rebuild(words, arrays, SCHEMA)
    pool = guess.pool.codes
    for given in ({}, {"town": 1}, {"town": int(pool["town"][0]), "sex": int(pool["sex"][0])}):
        one, other = (g.given(given).rows(300, np.random.default_rng(1)) for g in (guess, again))
        for name in SCHEMA.domain:
            np.testing.assert_array_equal(one[name], other[name])
        assert all((one[name] == cell).all() for name, cell in given.items())


@pytest.mark.parametrize("side", [28, 64])
def test_the_networks_of_pictures(side: int) -> None:
    """DCGAN's sizes: 28 by way of 14 and 7, 64 by way of 32, 16, 8 and 4, doubling channels; no layer mixes rows."""
    image = {"kind": "image", "height": side, "width": side}
    schema = from_dict({"table": {"unit": "p", "label": "town"}, "columns": {"town": COLUMNS["town"], "face": image}})
    maker = maker_of(schema, 8, convolving=True)
    critic = critic_for(maker, 8)
    sides = [shape[0] for shape in critic.between if len(shape) == 3]
    assert sorted(set(sides)) == ([7, 14, 28] if side == 28 else [4, 8, 16, 32, 64])
    assert critic.inputs == (side * side + 2,)
    parameters = untrained(maker, np.random.default_rng(0))
    raw = raw_of(JAX, maker, parameters, np.zeros((3, 34), dtype=np.float32))
    assert raw.shape == (3, side * side)


@pytest.mark.parametrize(("height", "width", "halvings"), [(4, 4, 0), (9, 9, 0), (8, 12, 1), (10, 14, 1), (64, 68, 2)])
def test_pictures_that_cannot_be_halved_are_left_to_dense_networks(height: int, width: int, halvings: int) -> None:
    image = {"kind": "image", "height": height, "width": width}
    schema = from_dict({"table": {"unit": "p", "rows": 60}, "columns": {"face": image}})
    assert maker_of(schema, 8, convolving=True).halvings == halvings
    data = understudy.plan(schema, epsilon=1, delta="1e-6", recipe="dcgan", workload="1way").pairing(schema).data
    assert isinstance(data, AdversaryPlayer)
    maker = replace(data.maker, units=8)
    assert (maker.picture is not None) == bool(halvings)
    raw = raw_of(JAX, maker, untrained(maker, np.random.default_rng(0)), np.zeros((3, maker.latent), dtype=np.float32))
    assert raw.shape == (3, height * width)


def test_pictures_are_made_and_remade() -> None:
    """A release of pictures by convolutions: of the declared size, the same again from its model file."""
    image = {"kind": "image", "height": 8, "width": 8}
    table = {"unit": "p", "label": "town", "rows": 60}
    schema = from_dict({"table": table, "columns": {"town": COLUMNS["town"], "face": image}})
    rng = np.random.default_rng(0)
    faces = rng.integers(0, 256, (60, 64), dtype=np.uint8)
    rows = pa.table({"town": ["a", "b"] * 30, "face": pictures(faces, schema.column("face"))})
    made = understudy.rehearse(rows, schema, seed=0, epsilon=1, delta="1e-6", recipe="dcgan", rows=20)
    assert made.table["face"].type == pa.binary(64)
    assert isinstance(made.guess, Generated)
    again = Generated.rebuild(*made.guess.model(), schema)
    ours, theirs = (g.detailed(20, np.random.default_rng(1))[1]["face"] for g in (made.guess, again))
    np.testing.assert_array_equal(ours, theirs)
    assert len(np.unique(ours, axis=0)) > 1


def test_the_networks_fit_the_schema() -> None:
    maker = maker_of(SCHEMA, 8)
    assert maker.columns == ("sex", "age", "pay", "town")
    assert critic_for(maker, 8).inputs == (3 + 2 + 1 + 2,)
    assert maker_of(SCHEMA, 8, by_cells=True).coordinates == sum(SCHEMA.domain.values())


def test_a_run_that_is_taken_up_ends_as_the_first() -> None:
    """The whole tape at once, and answer by answer: the same networks, which began at the columns that the tape holds."""
    plan = make_plan(SCHEMA, Budget(Fraction(1), Fraction(1, 10**6), SCHEMA.relation), "dpgan")
    tape, budget = Tape({"release": "r", "coin": "00"}), plan.budget
    rows = pa.Table.from_pandas(table(100).astype(str))  # type: ignore[attr-defined]
    gate = Gate(Vault.over(rows, SCHEMA), Tally(budget), tape, budget, Seeded(1))
    first, again = plan.pairing(SCHEMA), plan.pairing(SCHEMA)
    made, resumed = play(gate, SCHEMA, first.query, first.data, lambda words: None), again.data.fit(tape, SCHEMA)
    assert isinstance(made, Generated) and isinstance(resumed, Generated)
    ours, theirs = (guess.model()[1] for guess in (made, resumed))
    assert all((ours[name] == theirs[name]).all() for name in ours)
