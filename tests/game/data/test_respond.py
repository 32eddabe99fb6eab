"""Best responses: looking through the domain and asking SCIP come to the same, and a replay to the same row."""

from itertools import product

import numpy as np
import pytest

from understudy.game.data import respond
from understudy.game.data.respond import Objective, solve
from understudy.question.queries import Box, HalfSpace, Query

pytest.importorskip("pyscipopt")

DOMAIN = {"a": 3, "b": 4, "c": 2, "d": 3}
NAMES = list(DOMAIN)


def some_query(rng: np.random.Generator) -> Query:
    chosen = sorted(rng.choice(4, size=int(rng.integers(1, 4)), replace=False))
    if rng.random() < 0.3:
        weights = tuple((NAMES[j], int(rng.integers(-3, 4)) or 1) for j in chosen)
        return HalfSpace(weights, int(rng.integers(-3, 5)))
    sides = []
    for j in chosen:
        low, high = sorted(rng.integers(DOMAIN[NAMES[j]], size=2))
        sides.append((NAMES[j], int(low), int(high)))
    return Box(tuple(sides))


def worth(row: dict[str, int], weights: dict[Query, float], linear: dict[str, np.ndarray]) -> float:
    codes = {name: np.array([code]) for name, code in row.items()}
    return sum(w * float(q.matches(codes)[0]) for q, w in weights.items()) + sum(linear[n][row[n]] for n in row)


@pytest.mark.parametrize("seed", range(6))
def test_the_solver_finds_the_best_row(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    linear = {name: rng.normal(size=cells) for name, cells in DOMAIN.items()}
    objective = Objective(dict(DOMAIN))
    for _ in range(12):
        objective.add(some_query(rng), float(rng.normal()))
    rows = [dict(zip(NAMES, codes, strict=True)) for codes in product(*map(range, DOMAIN.values()))]
    best = max(worth(row, objective.weights, linear) for row in rows)
    assert worth(objective.best(linear), objective.weights, linear) == pytest.approx(best)
    monkeypatch.setattr(respond, "TABLE", 1)
    assert not objective.small
    assert worth(objective.best(linear), objective.weights, linear) == pytest.approx(best, abs=1e-6)


def test_the_solver_finds_the_same_row_again() -> None:
    rng = np.random.default_rng(9)
    weights = {some_query(rng): float(rng.normal()) for _ in range(30)}
    linear = {name: 1e-3 * rng.random(cells) for name, cells in DOMAIN.items()}
    assert solve(weights, linear, DOMAIN) == solve(weights, linear, DOMAIN)
