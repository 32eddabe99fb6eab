"""The entropy projection: against another solver of the same problem, against closed forms, and through the tree."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.projection import Goal, ProjectionPlayer, climb
from understudy.schema.schema import Schema

SIZES = {"a": 2, "b": 3, "c": 2}
NAMES, SHAPE = list(SIZES), tuple(SIZES.values())
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(1).dirichlet(np.full(12, 0.4)).reshape(SHAPE)
PAIRS = list(combinations(NAMES, 2))


def fitted(schema: Schema, truth: np.ndarray, looks: list[list[tuple[str, ...]]], sigma: float, **more: float):
    return ProjectionPlayer(room=1000, **more).fit(tape_of(truth, schema, looks, sigma), schema)


def entropy(p: np.ndarray) -> float:
    return float(-(p * np.log(np.maximum(p, 1e-300))).sum())


@pytest.mark.parametrize("within", [0.01, 0.03, 0.1])
def test_it_is_the_table_of_largest_entropy_within_the_widths(within: float) -> None:
    """The same primal problem, given to sequential quadratic programming."""
    goals = [Goal((i, j), margin(TRUTH, NAMES, (NAMES[i], NAMES[j])), within) for i, j in combinations(range(3), 2)]
    base = [np.zeros(size) for size in SHAPE]
    theta = climb(base, goals, {goal.clique: np.zeros_like(goal.frequency) for goal in goals}, 5000, 1e-4)
    heights = sum(
        np.expand_dims(table, tuple(v for v in range(3) if v not in clique)) for clique, table in theta.items()
    )
    found = np.exp(heights) / np.exp(heights).sum()

    def sums(p: np.ndarray) -> np.ndarray:
        table = p.reshape(SHAPE)
        others = [next(v for v in range(3) if v not in goal.clique) for goal in goals]
        return np.concatenate([table.sum(axis=other).ravel() for other in others])

    seen = np.concatenate([goal.frequency.ravel() for goal in goals])
    both = [{"type": "ineq", "fun": lambda p, s=s: within - s * (sums(p) - seen)} for s in (1, -1)]
    whole = {"type": "eq", "fun": lambda p: p.sum() - 1}
    best = minimize(
        lambda p: -entropy(p),
        TRUTH.ravel(),
        jac=lambda p: np.log(np.maximum(p, 1e-12)) + 1,
        bounds=[(1e-9, 1)] * 12,
        constraints=[*both, whole],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert best.success
    assert within - np.abs(sums(found) - seen).max() >= -1e-3 * within
    assert entropy(found) == pytest.approx(-best.fun, abs=1e-4)
    assert variation(found.ravel(), best.x) < 1e-3


def test_columns_alone_give_their_product() -> None:
    guess = fitted(SCHEMA, TRUTH, [[(name,) for name in NAMES]], sigma=0.1)
    ones = [margin(TRUTH, NAMES, (name,)) for name in NAMES]
    assert guess.marginal(tuple(NAMES)) == pytest.approx(np.einsum("a,b,c->abc", *ones), abs=1e-3)


def test_a_whole_table_without_noise_is_met() -> None:
    guess = fitted(SCHEMA, TRUTH, [[tuple(NAMES)]], sigma=0.1)
    assert variation(guess.marginal(tuple(NAMES)), TRUTH) < 1e-3


def test_what_is_wider_than_the_truth_leaves_the_uniform_table() -> None:
    guess = fitted(SCHEMA, TRUTH, [PAIRS], sigma=20, width=1000.0)
    assert guess.marginal(tuple(NAMES)) == pytest.approx(np.full(SHAPE, 1 / 12), abs=1e-9)


def test_every_measured_cell_is_within_its_width() -> None:
    sigma = 100.0
    tape = tape_of(TRUTH, SCHEMA, [[(name,) for name in NAMES], PAIRS], sigma)
    guess = ProjectionPlayer(room=1000, steps=2000, width=2.5).fit(tape, SCHEMA)
    exact = max(float(np.abs(guess.marginal(c) - margin(TRUTH, NAMES, c)).max()) for c in PAIRS)
    assert exact < 2 * 2.5 * sigma / N  # the noise and the width


def test_a_second_measurement_starts_where_the_first_one_led() -> None:
    player = ProjectionPlayer(room=1000)
    tape = tape_of(TRUTH, SCHEMA, [PAIRS], 30)
    first = player.fit(tape, SCHEMA)
    assert player.fit(tape, SCHEMA) is first
    theta = first.theta
    longer = tape_of(TRUTH, SCHEMA, [PAIRS, PAIRS[:1]], 30)
    assert set(player.fit(longer, SCHEMA).theta) == set(theta)


def test_a_tree_of_many_columns_is_no_table() -> None:
    """Thirty columns, 2^30 cells: a chain of pairs is met on its tree."""
    names = [f"c{i:02d}" for i in range(30)]
    schema = schema_of(dict.fromkeys(names, 2))
    tape = tape_of_chain(names, schema)
    guess = ProjectionPlayer(room=10_000, steps=200).fit(tape, schema)
    for a, b in zip(names, names[1:], strict=False):
        assert guess.marginal((a, b)) == pytest.approx(np.array([[0.4, 0.1], [0.1, 0.4]]), abs=0.002)
    # along a chain correlations multiply: 0.6 a step
    far = guess.marginal((names[0], names[3]))
    assert far[0, 0] + far[1, 1] - far[0, 1] - far[1, 0] == pytest.approx(0.6**3, abs=0.01)


def tape_of_chain(names: list[str], schema: Schema):
    from understudy.vault.tape import Tape

    tape = Tape({"release": "chain", "coin": "00"})
    cliques = [list(pair) for pair in zip(names, names[1:], strict=False)]
    exact = np.tile(np.rint(N * np.array([0.4, 0.1, 0.1, 0.4])).astype(np.int64), len(cliques))
    words = {"kind": "marginals", "cliques": cliques, "mechanism": {"kind": "DiscreteGaussian", "sigma2": "1"}}
    tape.append(words, {}, exact)
    return tape
