"""Ghost norms against every gradient made by itself; rows that must not count; and the law of one row at a time."""

from functools import cache

import numpy as np
import pytest

from understudy.audit.trial import Invariant
from understudy.question import ghost
from understudy.question import jax as lazy
from understudy.question.critic import (
    LOSSES,
    Conv,
    Critic,
    Dense,
    GroupNorm,
    Leaky,
    Picture,
    Scale,
    flat,
    scores,
    unflat,
)
from understudy.refusal import Misuse

jax = lazy.load()
CRITICS = {
    "dense": Critic((7,), (Dense(5), Leaky(), Dense(4), Leaky(), Dense(1))),
    "linear": Critic((3,), (Dense(1),)),
    "convolution": Critic((9, 8, 2), (Conv(4), Leaky(), GroupNorm(2), Conv(6, 3, 2), Leaky(), Dense(1))),
    "convolution by Grams": Critic((6, 6, 3), (Conv(3, 3, 1), Leaky(), Conv(96, 5, 3), Leaky(), Dense(1))),
    "convolution, large": Critic((4, 4, 257), (Conv(164, 5, 2), Leaky(), Dense(1))),
    "a picture and a label": Critic((39,), (Picture(6, 6, 1), Conv(4), Leaky(), Dense(1))),
    "a layer without a closed form": Critic((6, 6, 1), (Conv(4), GroupNorm(2), Scale(), Leaky(), Dense(1))),
}
EACH = [
    pytest.param(critic, id=name, marks=[pytest.mark.full] if "large" in name else [])
    for name, critic in CRITICS.items()
]
each = pytest.mark.parametrize("critic", EACH)
LOSS = [(critic, loss) for critic in CRITICS for loss in LOSSES]


def drawn(critic: Critic, rows: int = 21, seed: int = 0) -> tuple:
    """Weights and rows."""
    rng = np.random.default_rng(seed)
    weights = tuple(
        tuple((rng.normal(size=shape) / (shape[0] ** 0.5 if shape[1:] else 3)).astype(np.float32) for shape in layer)
        for layer in critic.shapes
    )
    return weights, rng.normal(size=(rows, int(np.prod(critic.inputs)))).astype(np.float32)


@cache
def gradient(critic: Critic) -> object:
    """The score of one row and its gradient, compiled once."""
    of_row = jax.value_and_grad(lambda weights, row: scores(jax, critic, weights, row[None])[0])
    return jax.jit(lambda weights, row: (lambda score, g: (score, flat(jax, g)))(*of_row(weights, row)))


def one_by_one(critic: Critic, loss: str, weights: object, rows: np.ndarray, clip: float) -> tuple[np.ndarray, int]:
    """Every gradient by itself, in 64 bits, by differentiating the scores alone."""
    wide = jax.tree.map(lambda array: array.astype(np.float64), weights)
    total, within = np.zeros(critic.parameters), 0
    for row in rows.astype(np.float64):
        # by the chain rule: the loss by the score, times the score by the weights
        score, of_score = (np.asarray(part) for part in gradient(critic)(wide, row))
        slope = {"logistic": -1 / (1 + np.exp(score)), "wasserstein": -1.0, "hinge": -float(score < 1)}[loss]
        g = slope * of_score
        norm = float(np.linalg.norm(g))
        total += g * min(1, clip / max(norm, 1e-30))
        within += norm <= clip
    return total, within


QUICK = {*((name, "logistic") for name in CRITICS if "large" not in name), *(("dense", loss) for loss in LOSSES)}


@pytest.mark.parametrize(
    ("name", "loss"), [pytest.param(*p, marks=[] if p in QUICK else [pytest.mark.full]) for p in LOSS]
)
def test_the_sum_is_that_of_the_gradients_one_by_one(name: str, loss: str) -> None:
    critic = CRITICS[name]
    weights, rows = drawn(critic)
    norms = sorted(np.linalg.norm(one_by_one(critic, loss, weights, row[None], 1e9)[0]) for row in rows[:9])
    for clip in (norms[4], 1e4):
        due, within = one_by_one(critic, loss, weights, rows, clip)
        found, small = ghost.clipped_sum(critic, loss, weights, rows, clip)
        assert np.linalg.norm(found - due) <= 2e-5 * max(np.linalg.norm(due), clip)
        assert abs(small - within) <= 1  # a norm that is the clip itself may fall on either side


@each
def test_both_ways_agree(critic: Critic) -> None:
    if any(isinstance(layer, Scale) for layer in critic.layers):
        pytest.skip("it has one way only")
    weights, rows = drawn(critic, 16)
    there = np.arange(16) < 13
    ghosts, made = (
        jax.jit(lambda rows, way=way: way(jax, critic, "logistic", weights, rows, there, np.float32(0.5)))(rows)
        for way in (ghost.by_ghosts, ghost.by_rows)
    )
    assert np.allclose(ghosts[0], made[0], atol=1e-5)
    assert int(ghosts[1]) == int(made[1])


@each
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
def test_a_row_that_is_not_finite_counts_as_zero(critic: Critic, bad: float) -> None:
    weights, rows = drawn(critic, 5)
    beside, _ = ghost.clipped_sum(critic, "wasserstein", weights, rows, 1.0)
    spoilt = np.concatenate([rows, np.full_like(rows[:1], bad)])
    found, _ = ghost.clipped_sum(critic, "wasserstein", weights, spoilt, 1.0)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found - beside) <= 1 + 1e-4


@each
def test_no_rows_and_more_rows_than_a_chunk(critic: Critic) -> None:
    weights, rows = drawn(critic, 3)
    nothing, none = ghost.clipped_sum(critic, "logistic", weights, rows[:0], 1.0)
    assert not nothing.any()
    assert none == 0
    many = np.tile(rows, (ghost.chunk_of(critic), 1))
    once, _ = ghost.clipped_sum(critic, "logistic", weights, rows, 1.0)
    often, _ = ghost.clipped_sum(critic, "logistic", weights, many, 1.0)
    assert np.allclose(often, once * ghost.chunk_of(critic), rtol=1e-3, atol=1e-3)


@each
def test_a_rows_gradient_does_not_depend_on_its_company(critic: Critic) -> None:
    """The law by which a layer may be listed: batch normalisation fails it (saboteur: batch_norm)."""
    weights, rows = drawn(critic, 9)
    strangers = 50 * drawn(critic, 9, seed=1)[1]
    alone = one_by_one(critic, "logistic", weights, rows[:1], 1e9)[0]
    terms = [alone]
    for company in (rows[1:], strangers, rows[1:3]):
        with_row = ghost.clipped_sum(critic, "logistic", weights, np.concatenate([company, rows[:1]]), 1e5)[0]
        terms.append(with_row - ghost.clipped_sum(critic, "logistic", weights, company, 1e5)[0])
    size = max(1, float(np.linalg.norm(alone)), *(float(np.linalg.norm(s)) for s in strangers))
    assert Invariant([np.round(term / size, 2) + 0.0 for term in terms]).violation() == ""


def test_sums_of_floats_are_off_by_less_than_is_set_aside() -> None:
    """For 2,000 rows that all pull the same way, where rounding is worst: a hundredth of the 2^-6 of a clip a row."""
    critic = Critic((40,), (Dense(30), Leaky(), Dense(1)))
    weights, rows = drawn(critic, 2000)
    rows = np.abs(rows[:1]) + 1e-3 * rows
    found, _ = ghost.clipped_sum(critic, "wasserstein", weights, rows, 1.0)
    due, _ = one_by_one(critic, "wasserstein", weights, rows, 1.0)
    assert np.linalg.norm(due) > 1900
    assert np.linalg.norm(found - due) < 2**-6


@each
def test_weights_are_one_vector_and_back(critic: Critic) -> None:
    weights, _ = drawn(critic)
    again = unflat(critic, flat(jax, weights))
    assert jax.tree.all(jax.tree.map(lambda a, b: np.array_equal(a, b), again, weights))


class BatchNorm:
    """What the list has no word for."""


@pytest.mark.parametrize("layers", [(BatchNorm(), Dense(1)), (Dense(2),), ()])
def test_a_critic_that_is_none_is_refused(layers: tuple) -> None:
    with pytest.raises(Misuse):
        Critic((3,), layers)
