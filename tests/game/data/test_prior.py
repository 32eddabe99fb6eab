"""A prior within a generator: its rows are the Gaussians' own until the network learns, in training and from the model file."""

import numpy as np
import pandas as pd
import pytest

import understudy
from understudy.game import jax as lazy
from understudy.game.data.adversary import LATE, at_the_columns, late, school
from understudy.game.data.bout import opposed
from understudy.game.data.generated import Generated
from understudy.game.data.maker import critic_for, latent, made, maker_of, untrained, with_prior
from understudy.game.data.normals import Normals
from understudy.game.data.prior import LEAST, prior_of, start
from understudy.game.data.rows import Rows
from understudy.game.space import Space
from understudy.question.critic import scores
from understudy.schema.read import from_dict
from understudy.vault.tape import Tape

COLUMNS = {
    "x": {"kind": "integer", "min": 0, "max": 4000},
    "town": {"kind": "categorical", "values": ["a", "b"]},
    "y": {"kind": "integer", "min": 0, "max": 4000},
}
SCHEMA = from_dict({"table": {"unit": "person", "rows": 4000, "label": "town"}, "columns": COLUMNS})
JAX = lazy.load()
KEY = JAX.random.key(3)
MEANS = np.array([[0.4, 0.5], [0.6, 0.3]], dtype=np.float32)
ROOTS = np.array([[[0.05, 0.02], [0.0, 0.03]], [[0.02, -0.04], [0.01, 0.0]]], dtype=np.float32)

SPECKS = np.array([[0.0, 0.03], [0.02, 0.0]], dtype=np.float32)


def gaussians() -> Normals:
    """Two classes, each with its covariance, well within 0 and 1."""
    return Normals(SCHEMA, "town", np.array([0.7, 0.3]), np.array([1, 0]), MEANS, ROOTS, SPECKS, MEANS, ROOTS)


@pytest.mark.parametrize("names", [("x", "y"), ("y", "x")])
def test_a_prior_draws_what_its_gaussians_say(names: tuple[str, ...]) -> None:
    """Means and covariances of u, whatever the order of the columns, against the closed form."""
    assert Space.of(SCHEMA, "town").names == ("x", "y")
    prior, order = prior_of(gaussians(), names, 2), [("x", "y").index(name) for name in names]
    z = np.random.default_rng(0).normal(size=(20_000, 2)).astype(np.float32)
    for g in range(2):
        raw = np.asarray(start(JAX, prior, np.eye(2, dtype=np.float32)[np.full(len(z), g)], z, KEY))
        u = 1 / (1 + np.exp(-raw))
        np.testing.assert_allclose(u.mean(axis=0), MEANS[g][order], atol=2e-3)
        expected = ROOTS[g].T @ ROOTS[g] + np.diag(SPECKS[g] ** 2)
        np.testing.assert_allclose(np.cov(u.T), expected[np.ix_(order, order)], atol=2e-4)
    np.testing.assert_array_equal(prior["classes"], np.eye(2)[[1, 0]])


def test_no_gradient_moves_a_prior() -> None:
    prior = prior_of(gaussians(), ("x", "y"), 2)
    z, component = np.ones((4, 2), dtype=np.float32), np.eye(2, dtype=np.float32)[[0, 1, 0, 1]]
    slopes = JAX.grad(lambda held: start(JAX, held, component, z, KEY).sum())(prior)
    assert all(abs(np.asarray(slope)).max() == 0 for slope in slopes.values())


def test_gaussians_that_reach_beyond_the_bounds_have_finite_starts() -> None:
    prior = prior_of(gaussians(), ("x", "y"), 2) | {"offset": np.array([[9, -9], [-9, 9]], dtype=np.float32)}
    raw = np.asarray(start(JAX, prior, np.eye(2, dtype=np.float32), np.zeros((2, 2), dtype=np.float32), KEY))
    np.testing.assert_allclose(abs(raw), np.log((1 - LEAST) / LEAST), rtol=1e-4)


def test_the_classes_of_made_rows_are_those_of_their_components() -> None:
    maker = with_prior(maker_of(SCHEMA, 8), 2, 2)
    parameters = untrained(maker, np.random.default_rng(0)) | {"prior": prior_of(gaussians(), ("x", "y"), 2)}
    key, law = JAX.random.key(1), np.array([0.7, 0.3], dtype=np.float32)
    rows = np.asarray(made(JAX, maker, parameters, law, latent(JAX, maker, 1000, key), key))
    assert abs(rows[:, 2:].sum(axis=0) - [300, 700]).max() <= 1, "component 0 is of class 1"
    assert abs(rows[:, 2:].sum(axis=1) - 1).max() < 1e-6
    for cell, g in ((1, 0), (0, 1)):
        assert abs(rows[rows[:, 2 + cell] > 0.5][:, :2].mean(axis=0) - MEANS[g]).max() < 0.03, "the network is faint"


def test_the_opposed_critic_scores_the_opposite() -> None:
    maker = maker_of(SCHEMA, 8)
    critic, rng = critic_for(maker, 8), np.random.default_rng(0)
    weights = tuple(tuple(rng.normal(size=shape).astype(np.float32) for shape in layer) for layer in critic.shapes)
    rows = rng.random((5, maker.coordinates)).astype(np.float32)
    np.testing.assert_allclose(
        scores(JAX, critic, opposed(weights), rows), -scores(JAX, critic, weights, rows), rtol=1e-5
    )


@pytest.mark.parametrize("looks", [1, 6, 600])
def test_the_late_averages_are_of_the_later_half(looks: int) -> None:
    times = sorted(time for time in late(looks) if time > 0)
    assert times[-1] == looks and len(times) == min(LATE, looks)
    assert looks < 2 * LATE or times[0] > looks / 2


def test_a_generator_of_cells_begins_at_the_columns() -> None:
    """Nothing is on the tape: every cell of a column is as likely as another, whatever z is."""
    maker = maker_of(SCHEMA, 8, by_cells=True)
    tape = Tape({"release": "r", "coin": "00"})
    begun = at_the_columns(untrained(maker, np.random.default_rng(0)), maker, tape, SCHEMA)
    assert np.ptp(begun["last"][1]) == pytest.approx(
        np.ptp(np.log(1 / np.array([SCHEMA.domain["x"], SCHEMA.domain["y"]])))
    )


def test_pupils_are_the_rows_of_the_guess() -> None:
    codes = {"x": np.array([3, 0]), "town": np.array([1, 1]), "y": np.array([0, 2])}
    rows = school(Rows(codes, SCHEMA.domain), maker_of(SCHEMA, 8, by_cells=True), np.random.default_rng(0))
    x, y = SCHEMA.domain["x"], SCHEMA.domain["y"]
    places = {tuple(np.flatnonzero(row)) for row in np.unique(rows, axis=0)}
    assert places == {(3, x + 0, x + y + 1), (0, x + 2, x + y + 1)}


def test_a_model_file_keeps_the_prior() -> None:
    """Drawn afterwards is drawn from what was trained: the rows of the model file are those of the release's own guess."""
    rng = np.random.default_rng(0)
    town = rng.random(300) < 0.4
    x, y = (np.clip(1000 + 1500 * town * sign + 200 * rng.normal(size=300), 0, 4000).astype(int) for sign in (1, -0.5))
    table = pd.DataFrame({"x": x, "town": np.where(town, "b", "a"), "y": y})
    made = understudy.rehearse(table, SCHEMA, seed=0, epsilon=10, delta="1e-6", recipe="ron_dpgan", rows=50)
    assert isinstance(made.guess, Generated) and made.guess.maker.components == 2
    again = Generated.rebuild(*made.guess.model(), SCHEMA)
    for given in ({}, {"town": 1}):
        ours, theirs = (g.given(given).detailed(200, np.random.default_rng(1)) for g in (made.guess, again))
        for one, other in zip(ours, theirs, strict=True):
            assert all((one[name] == other[name]).all() for name in one)
        assert all((ours[0][name] == cell).all() for name, cell in given.items())
