"""What a dimension costs: DP Frank-Wolfe's log p against noisy descent's sqrt p, on the same data.

    python experiments/dimension/run.py 10 32 100 316 1000 3162 10000    a file each in results/
    python experiments/dimension/run.py large    one fit of each at N = 10^5, p = 10^4: time and memory (results/large.json)
    python experiments/dimension/run.py page     dimension.svg and README.md, from these

Data like a bag of words: five features that matter, each +-1, and one of the other p - 5 is 1. So the largest feature is 1
and the norm sqrt(6), whatever p is, and y = <w, x> + noise with ||w||_1 = 1. At each p, with N = 4,000:

    the excess risk at epsilon 1/2, relative to predicting 0
    the epsilon at which it is a quarter. Privacy's cost enters as 1 / (N epsilon), so this epsilon grows with p as the error
    does while it is small: about log p for selection, about sqrt p for a Gaussian in every coordinate.
"""

import json
import math
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from report import write

from understudy.learn.private import DescentRegressor, SparseRegressor, rehearse

FOLDER = Path(__file__).parent / "results"
N, DELTA, TARGET, FIXED = 4_000, "1e-6", 0.25, 0.5
SEEDS, WIDE, FEWER = 8, 1_000, 4  # fits a point; beyond so many features, fewer
KINDS = ("frank-wolfe", "descent")
STEPS = {"frank-wolfe": 20, "descent": 40}
WEIGHTS = np.array([1.0, -0.8, 0.6, -0.4, 0.2]) / 3
NOISE = 0.1


def words(n: int, p: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows of int8, and targets."""
    x = np.zeros((n, p), dtype=np.int8)
    x[:, :5] = rng.choice([-1, 1], (n, 5))
    x[np.arange(n), rng.integers(5, p, n)] = 1
    return x, x[:, :5] @ WEIGHTS + rng.normal(0, NOISE, n)


def excess(model: Any) -> float:
    """Exact over the population: (w - w*)' E[x x'] (w - w*), relative to predicting 0."""
    off = model.coef_[0].copy()
    off[:5] -= WEIGHTS
    rest = off[5:]
    risk = float((off[:5] ** 2).sum() + (rest**2).mean())
    return risk / float((WEIGHTS**2).sum())


def learner(kind: str, epsilon: float) -> Any:
    """Both are told the same: the bound of the target, and a radius that just holds the truth."""
    longest = math.sqrt(6)
    made, bound, radius = {
        "frank-wolfe": (SparseRegressor, 1.0, float(np.abs(WEIGHTS).sum())),
        "descent": (DescentRegressor, longest, float(np.linalg.norm(WEIGHTS)) * longest),
    }[kind]
    public = {"x_bound": bound, "y_bound": 1.2, "radius": radius, "intercept": False}
    return made(epsilon=epsilon, delta=DELTA, steps=STEPS[kind], **public)


def fits(p: int) -> int:
    """How many fits a point is the mean of."""
    return SEEDS if p <= WIDE else FEWER


def risks(kind: str, p: int, epsilon: float) -> list[float]:
    """The excess risk of a few fits, each of its own data."""
    rows = (words(N, p, np.random.default_rng(seed)) for seed in range(fits(p)))
    return [excess(rehearse(learner(kind, epsilon), *data, seed=seed)) for seed, data in enumerate(rows)]


def needed(kind: str, p: int) -> float:
    """The epsilon at which the mean excess risk is the target: bisection on its logarithm, to a factor of 1.05."""

    def enough(epsilon: float) -> bool:
        return float(np.mean(risks(kind, p, round(epsilon, 4)))) <= TARGET

    low, high = 0.05, 0.1
    while not enough(high):
        low, high = high, 2 * high
    for _ in range(4):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return math.sqrt(low * high)


def measured(p: int) -> dict[str, Any]:
    """Both learners at one dimension."""
    began = time.process_time()
    told: dict[str, Any] = {"p": p, "n": N, "delta": DELTA, "target": TARGET, "fixed": FIXED, "seeds": fits(p)}
    for kind in KINDS:
        told[kind] = {"epsilon needed": needed(kind, p), "excess": risks(kind, p, FIXED)}
    return told | {"cpu seconds": round(time.process_time() - began)}


def large() -> dict[str, Any]:
    """One fit of each at the size that document 001 could not reach."""
    n, p = 100_000, 10_000
    x, y = words(n, p, np.random.default_rng(0))
    found: dict[str, Any] = {"n": n, "p": p, "epsilon": 1.0, "delta": DELTA}
    for kind in KINDS:
        began, started = time.process_time(), time.monotonic()
        model = rehearse(learner(kind, 1.0), x, y, seed=0)
        found[kind] = {
            "steps": STEPS[kind],
            "cpu seconds": round(time.process_time() - began, 1),
            "seconds": round(time.monotonic() - started, 1),
            "excess": excess(model),
            "peak megabytes so far": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }
    return found


def main() -> None:
    """The dimensions that are named, the large fit, or the page of all."""
    FOLDER.mkdir(exist_ok=True)
    for asked in sys.argv[1:]:
        if asked == "page":
            write(FOLDER)
            continue
        found = large() if asked == "large" else measured(int(asked))
        (FOLDER / f"{asked}.json").write_text(json.dumps(found, indent=1) + "\n")
        print(asked, found, flush=True)


if __name__ == "__main__":
    main()
