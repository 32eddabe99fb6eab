"""The corrected dual Frank-Wolfe where no table of cells can be held: 100 binary columns, 2^100 (1.3e30) cells."""

import time
from itertools import combinations

import numpy as np
from data import rows_of, schema_of

import understudy

D, N = 100, 2_000


def wide() -> dict:
    """One run on Gibbs chains, with their public diagnostics, beside the product of the columns."""
    rows, begun = rows_of(D, N), time.process_time()
    terms = {"seed": 1, "epsilon": "1", "delta": "1e-6", "workload": "2way"}
    made = understudy.rehearse(rows, schema_of(D, N), recipe="dual_frank_wolfe", **terms)
    spent = time.process_time() - begun
    words, _ = made.guess.model()
    plain = understudy.rehearse(rows, schema_of(D, N), recipe="independent", **terms)
    errors = {who: error(one, rows) for who, one in (("dual_frank_wolfe", made), ("independent", plain))}
    bounds = {"certified": made.certificate["claims"]["worst_cell_error"]}
    looks = sum(entry.kind == "select_cell" for entry in made.tape)
    return {"d": D, "n": N, "rounds": looks, "cpu": round(spent, 1)} | errors | bounds | {"diagnostics": words}


def error(made: understudy.Release, rows) -> float:
    """The worst 2-way cell of the model."""
    codes, found = rows.to_numpy().astype(np.int64), 0.0
    for i, j in combinations(range(D), 2):
        exact = np.bincount(2 * codes[:, i] + codes[:, j], minlength=4).reshape(2, 2) / N
        off = made.guess.marginal((rows.columns[i], rows.columns[j])) - exact
        found = max(found, float(np.abs(off).max()))
    return found
