"""Document 001, algorithm 7, as printed: kept here to be beaten. Its T, step and noise are the thesis' own formulas.

    B = psi_a* - psi_a(q_0)              a private number (q_0 is a query of the class, not 0)
    T = sqrt(B) Q_1 eps N / ( sqrt(a ln(1/delta)) ln k ),    gamma = sqrt(2 a B / (T Q_1^2)),
    Laplace noise of scale 4 sqrt(2 T ln(1/delta)) / (eps N),     released: the softmax of one iterate, drawn uniformly

Q_1 = 2, as the thesis takes it. psi_a* has no closed form; its bound, 0, stands in for it. NOT PRIVATE: B, so T and the
step, are read off the private table. T is at most ``CAP``. ``a`` is tuned in its favour, on the true error.
"""

from math import log, sqrt

import numpy as np
import pandas as pd
from data import cells

TEMPERATURES = (0.003, 0.01, 0.03, 0.1)
CAP = 4000


def printed(rows: pd.DataFrame, k: int, epsilon: float, delta: float, rng: np.random.Generator) -> dict[str, float]:
    """The worst cell for the best temperature of the list, with the rounds it took."""
    d, n = rows.shape[1], len(rows)
    grid = np.array(list(np.ndindex(*(2,) * d)))
    index = rows.to_numpy().astype(np.int64) @ (1 << np.arange(d)[::-1])
    p = np.bincount(index, minlength=2**d) / n
    plus = np.array([(grid[:, columns] == cell).all(axis=1) for columns, cell in cells(d, k)], dtype=np.float64)
    queries = np.concatenate([plus, -plus])
    found = [run(p, queries, n, a, epsilon, delta, rng) for a in TEMPERATURES]
    return min(found, key=lambda one: one["worst"])


def run(
    p: np.ndarray, queries: np.ndarray, n: int, a: float, epsilon: float, delta: float, rng: np.random.Generator
) -> dict[str, float]:
    """One run at one temperature."""
    k, q = len(queries), queries[0].copy()
    b = max(-(float(q @ p) - a * lse(q / a)), 1e-12)
    t = min(max(round(sqrt(b) * 2 / (sqrt(a * log(1 / delta)) * log(k)) * epsilon * n), 1), CAP)
    gamma = min(sqrt(2 * a * b / (4 * t)), 1.0)
    scale = 4 * sqrt(2 * t * log(1 / delta)) / (epsilon * n)
    chosen, kept = int(rng.integers(t)), q
    for step in range(t):
        if step == chosen:
            kept = q
        gradient = p - softmax(q / a)
        s = queries[int(np.argmax(queries @ gradient + rng.laplace(scale=scale, size=k)))]
        q = q + gamma * (s - q)
    return {"worst": float(np.abs(queries @ (p - softmax(kept / a))).max()), "temperature": a, "rounds": t}


def lse(u: np.ndarray) -> float:
    """ln sum exp."""
    return float(u.max() + np.log(np.exp(u - u.max()).sum()))


def softmax(u: np.ndarray) -> np.ndarray:
    """exp(u) / sum exp(u)."""
    p = np.exp(u - u.max())
    return np.asarray(p / p.sum())
