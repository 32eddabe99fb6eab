"""The corrected dual Frank-Wolfe where no table of cells can be held: 100 binary columns, 2^100 (1.3e30) cells.

The workload is every column with the next one. Nothing is as large as the domain: fields on junction trees, or Gibbs chains.
"""

import json
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from data import rows_of, schema_of

import understudy

D, N = 100, 2_000


def wide() -> dict:
    """One run, judged by its rows, beside the product of the columns."""
    rows, begun = rows_of(D, N), time.process_time()
    pairs = list(zip(rows.columns, rows.columns[1:], strict=False))
    with tempfile.TemporaryDirectory() as folder:
        workload = Path(folder) / "chain.json"
        workload.write_text(json.dumps(pairs))
        terms = {"seed": 1, "epsilon": "1", "delta": "1e-6", "workload": str(workload)}
        made = understudy.rehearse(rows, schema_of(D, N), recipe="dual_frank_wolfe", **terms)
        spent = time.process_time() - begun
        plain = understudy.rehearse(rows, schema_of(D, N), recipe="independent", **terms)
    errors = {who: error(one, rows, pairs) for who, one in (("dual_frank_wolfe", made), ("independent", plain))}
    looks = sum(entry.kind == "select_cell" for entry in made.tape)
    facts = {"d": D, "n": N, "rounds": looks, "model": made.guess.kind, "cpu": round(spent, 1)}
    return facts | errors | {"certified": made.certificate["claims"]["worst_cell_error"]}


def error(made: understudy.Release, rows: pd.DataFrame, pairs: list[tuple[str, str]]) -> float:
    """The worst cell of the released rows."""
    synthetic = made.table.to_pandas()
    return max(float(np.abs(pair(rows, columns) - pair(synthetic, columns)).max()) for columns in pairs)


def pair(rows: pd.DataFrame, columns: tuple[str, str]) -> np.ndarray:
    """One marginal."""
    one, other = (rows[name].to_numpy().astype(np.int64) for name in columns)
    return np.bincount(2 * one + other, minlength=4) / len(rows)
