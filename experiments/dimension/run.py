"""What a dimension costs: DP Frank-Wolfe's log p against noisy descent's sqrt p, on the same data.

    python experiments/dimension/run.py            results.json and dimension.svg beside this file
    python experiments/dimension/run.py --large    one fit of each at N = 10^5, p = 10^4: time and memory (large.json)

Data like a bag of words: five features that matter, each +-1, and one of the other p - 5 is 1. So the largest feature is 1
and the norm sqrt(6), whatever p is, and y = <w, x> + noise with ||w||_1 = 1. At N = 4,000 and each p we look for the epsilon at
which the excess risk (relative to predicting 0) is a quarter: privacy's cost enters as 1 / (N epsilon), so the epsilon that is
needed grows with p as the error does: about log p for selection, about sqrt p for a Gaussian in every coordinate.
"""

import json
import math
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from drawing import Chart, Line, save  # noqa: E402

from understudy.learn.private import DescentRegressor, SparseRegressor, rehearse  # noqa: E402

N, DELTA, TARGET, SEEDS = 4_000, "1e-6", 0.25, 4
DIMENSIONS = (10, 32, 100, 316, 1_000, 3_162, 10_000)
WEIGHTS = np.array([1.0, -0.8, 0.6, -0.4, 0.2]) / 3
NOISE = 0.1


def words(n: int, p: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows of int8, and targets."""
    x = np.zeros((n, p), dtype=np.int8)
    x[:, :5] = rng.choice([-1, 1], (n, 5))
    x[np.arange(n), rng.integers(5, p, n)] = 1
    return x, x[:, :5] @ WEIGHTS + rng.normal(0, NOISE, n)


def excess(model: Any) -> float:
    """Exact over the population: (w - w*)' E[x x'] (w - w*) + the intercept's, relative to predicting 0."""
    off = model.coef_[0].copy()
    off[:5] -= WEIGHTS
    rest = off[5:]
    risk = float((off[:5] ** 2).sum() + (rest**2).mean())
    return risk / float((WEIGHTS**2).sum())


def learner(kind: str, epsilon: float) -> Any:
    """Both are told the same: the bound of the target, and a radius that just holds the truth."""
    if kind == "frank-wolfe":
        return SparseRegressor(
            epsilon=epsilon, delta=DELTA, x_bound=1.0, y_bound=1.2, radius=1.0, steps=20, intercept=False
        )
    longest = math.sqrt(6)
    radius = float(np.linalg.norm(WEIGHTS)) * longest
    return DescentRegressor(
        epsilon=epsilon, delta=DELTA, x_bound=longest, y_bound=1.2, radius=radius, steps=40, intercept=False
    )


def needed(kind: str, p: int) -> dict[str, Any]:
    """The epsilon at which the mean excess risk is the target: bisection on its logarithm."""
    data = [words(N, p, np.random.default_rng(seed)) for seed in range(SEEDS)]
    seen: dict[float, float] = {}

    def risk(epsilon: float) -> float:
        model = learner(kind, round(epsilon, 4))
        seen[round(epsilon, 4)] = float(
            np.mean([excess(rehearse(model, *rows, seed=i)) for i, rows in enumerate(data)])
        )
        return seen[round(epsilon, 4)]

    low, high = 0.05, 0.1
    while risk(high) > TARGET:
        low, high = high, 2 * high
    for _ in range(4):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if risk(middle) > TARGET else (low, middle)
    return {"p": p, "epsilon": math.sqrt(low * high), "seen": seen}


def slope(rows: list[dict[str, Any]], least: int) -> float:
    """d ln epsilon / d ln p from a dimension on."""
    points = [(math.log(row["p"]), math.log(row["epsilon"])) for row in rows if row["p"] >= least]
    return float(np.polyfit(*zip(*points, strict=True), 1)[0])


def main() -> None:
    """Both learners at every dimension."""
    began = time.process_time()
    found = {kind: [needed(kind, p) for p in DIMENSIONS] for kind in ("frank-wolfe", "descent")}
    gap = [(a["p"], a["epsilon"] / b["epsilon"]) for a, b in zip(found["descent"], found["frank-wolfe"], strict=True)]
    results = {
        "n": N,
        "delta": DELTA,
        "target": TARGET,
        "needed": found,
        "descent needs so many times frank-wolfe's epsilon": gap,
        "slope from p = 100": {kind: slope(rows, 100) for kind, rows in found.items()},
        "cpu seconds": round(time.process_time() - began),
    }
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    first, last = found["descent"][0]["epsilon"], found["frank-wolfe"][0]["epsilon"]
    lines = [Line(kind, [(row["p"], row["epsilon"]) for row in rows]) for kind, rows in found.items()]
    lines.append(Line("sqrt p", [(p, first * math.sqrt(p / 10)) for p in DIMENSIONS], dashed=True))
    lines.append(Line("log 2p", [(p, last * math.log(2 * p) / math.log(20)) for p in DIMENSIONS], dashed=True))
    chart = Chart("epsilon for an excess risk of 1/4", "features p", "epsilon", lines, log_x=True, log_y=True)
    save([chart], HERE / "dimension.svg")


def large() -> None:
    """One fit of each at the size that document 001 could not reach."""
    n, p = 100_000, 10_000
    x, y = words(n, p, np.random.default_rng(0))
    found = {}
    for kind in ("frank-wolfe", "descent"):
        model = learner(kind, 1.0).set_params(steps=10)
        began = time.process_time()
        rehearse(model, x, y, seed=0)
        found[kind] = {"steps": 10, "cpu seconds": round(time.process_time() - began, 1), "excess": excess(model)}
    found["peak megabytes"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    (HERE / "large.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    large() if "--large" in sys.argv else main()
