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
from scipy.sparse import csr_array

TEMPERATURES = (0.003, 0.01, 0.03, 0.1)
CAP = 4000


def printed(rows: pd.DataFrame, k: int, epsilon: float, delta: float, rng: np.random.Generator) -> dict[str, float]:
    """The worst cell for the best temperature of the list, with the rounds it took."""
    d, n = rows.shape[1], len(rows)
    grid = np.array(list(np.ndindex(*(2,) * d)))
    index = rows.to_numpy().astype(np.int64) @ (1 << np.arange(d)[::-1])
    p = np.bincount(index, minlength=2**d) / n
    plus = csr_array(np.array([(grid[:, columns] == cell).all(axis=1) for columns, cell in cells(d, k)], dtype=float))
    found = [run(p, plus, n, a, epsilon, delta, rng) for a in TEMPERATURES]
    return min(found, key=lambda one: one["worst"])


def run(
    p: np.ndarray, plus: csr_array, n: int, a: float, epsilon: float, delta: float, rng: np.random.Generator
) -> dict[str, float]:
    """One run at one temperature; the class is ``plus`` with both signs."""
    half = plus.shape[0]
    k, q = 2 * half, row(plus, 0)
    b = max(-(float(q @ p) - a * lse(q / a)), 1e-12)
    t = min(max(round(sqrt(b) * 2 / (sqrt(a * log(1 / delta)) * log(k)) * epsilon * n), 1), CAP)
    gamma = min(sqrt(2 * a * b / (4 * t)), 1.0)
    scale = 4 * sqrt(2 * t * log(1 / delta)) / (epsilon * n)
    chosen, kept = int(rng.integers(t)), q
    for step in range(t):
        if step == chosen:
            kept = q
        gradient = p - softmax(q / a)
        scores = plus @ gradient
        best = int(np.argmax(np.concatenate([scores, -scores]) + rng.laplace(scale=scale, size=k)))
        q = (1 - gamma) * q + gamma * (row(plus, best) if best < half else -row(plus, best - half))
    return {"worst": float(np.abs(plus @ (p - softmax(kept / a))).max()), "temperature": a, "rounds": t}


def row(plus: csr_array, place: int) -> np.ndarray:
    """One query over the cells of the table."""
    line = np.zeros(plus.shape[1])
    line[plus.indices[plus.indptr[place] : plus.indptr[place + 1]]] = 1
    return line


def lse(u: np.ndarray) -> float:
    """ln sum exp."""
    return float(u.max() + np.log(np.exp(u - u.max()).sum()))


def softmax(u: np.ndarray) -> np.ndarray:
    """exp(u) / sum exp(u)."""
    p = np.exp(u - u.max())
    return np.asarray(p / p.sum())
