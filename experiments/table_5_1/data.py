"""The experiment's tables: d binary columns from a mixture of four products, the same law for every N."""

from itertools import combinations, product

import numpy as np
import pandas as pd

import understudy
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

PARTS = 4


def schema_of(d: int, n: int) -> Schema:
    """d yes-or-no columns; the number of rows is public, as in document 001."""
    columns = {f"x{j:02d}": {"kind": "boolean"} for j in range(d)}
    return from_dict({"table": {"name": f"binary-{d}", "unit": "person", "rows": n}, "columns": columns})


def rows_of(d: int, n: int) -> pd.DataFrame:
    """Rows of a mixture whose parts have each column with a chance between 0.05 and 0.95."""
    law, rng = np.random.default_rng(5), np.random.default_rng(n)
    chance = law.uniform(0.05, 0.95, size=(PARTS, d))
    return pd.DataFrame(
        rng.random((n, d)) < chance[rng.integers(PARTS, size=n)], columns=[f"x{j:02d}" for j in range(d)]
    )


def cells(d: int, k: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every cell of every k-way marginal."""
    return [(columns, cell) for columns in combinations(range(d), k) for cell in product((0, 1), repeat=k)]


def worst(made: understudy.Release, rows: pd.DataFrame, k: int) -> tuple[float, float]:
    """The worst cell of the released guess over all k-way marginals, and the mean of the worst cells."""
    names, n = list(rows.columns), len(rows)
    codes = rows.to_numpy().astype(np.int64)
    found = []
    for columns in combinations(range(len(names)), k):
        index = np.ravel_multi_index(codes[:, columns].T, (2,) * k)
        exact = np.bincount(index, minlength=2**k).reshape((2,) * k) / n
        found.append(float(np.abs(made.guess.marginal(tuple(names[j] for j in columns)) - exact).max()))
    return max(found), float(np.mean(found))


def pairs_alone(d: int, n: int) -> float:
    """The worst 3-way cell of the table of largest entropy that has every pair exactly: what pairs cannot tell."""
    index = rows_of(d, n).to_numpy().astype(np.int64) @ (1 << np.arange(d)[::-1])
    truth = np.bincount(index, minlength=2**d).reshape((2,) * d) / n
    p, others = np.full_like(truth, 2.0**-d), {c: tuple(j for j in range(d) if j not in c) for c in ways(d)}
    for _ in range(60):
        for columns in combinations(range(d), 2):
            # iterative proportional fitting: p <- p * pair / pair of p
            p = p * (truth.sum(axis=others[columns], keepdims=True) / p.sum(axis=others[columns], keepdims=True))
    return max(float(np.abs((p - truth).sum(axis=others[c])).max()) for c in combinations(range(d), 3))


def ways(d: int) -> list[tuple[int, ...]]:
    """All pairs and triples."""
    return [*combinations(range(d), 2), *combinations(range(d), 3)]
