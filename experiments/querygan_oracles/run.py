"""Each sound oracle of document 000's game on binary data with all 3-way marginals: accuracy, certificates, coverage.

    python experiments/querygan_oracles/run.py              what is missing from results.json, then README.md
    python experiments/querygan_oracles/run.py --most 240   stops after so many seconds; run it again to go on

Every run is the recipe on its own road with the seeded twin of the noise (NOT PRIVATE) over the data of table_5_1; runs of one
oracle differ in the noise alone. Both certificates are then held against the truth, which a user cannot do.
"""

import argparse
import json
import sys
import time
import warnings
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "table_5_1"))

from data import rows_of  # noqa: E402
from page import write  # noqa: E402

import understudy  # noqa: E402
from understudy.schema.read import from_dict  # noqa: E402

RESULTS = HERE / "results.json"
ORACLES = {
    "A": "querygan_a",
    "A'": "querygan_am",
    "B": "querygan_b",
    "C": "querygan",
    "D": "querygan_d",
    "E": "querygan_e",
}
EPSILON, DELTA = "1", "1e-6"
SETTINGS = {(6, 3_000): 20, (10, 10_000): 5}  # columns, rows: runs


def measured(oracle: str, d: int, n: int, seed: int) -> dict:
    """One release, with its two certificates and what they speak about."""
    rows, begun = rows_of(d, n), time.process_time()
    columns = {name: {"kind": "boolean"} for name in rows.columns}
    schema = from_dict({"table": {"name": "binary", "unit": "person"}, "columns": columns})
    made = understudy.rehearse(
        rows, schema, seed=seed, epsilon=EPSILON, delta=DELTA, recipe=ORACLES[oracle], workload="3way"
    )
    seconds, synthetic, names = time.process_time() - begun, made.table.to_pandas(), list(rows.columns)
    regret = made.certificate["regret"]
    record = {"oracle": oracle, "d": d, "n": n, "seed": seed, "seconds": round(seconds, 2)}
    record["worst"], record["mean"] = of_rows(rows, synthetic, list(combinations(names, 3)))
    record["direct"] = made.certificate["claims"]["worst_cell_error"]
    if "mixture_worst_query_error" in regret:
        record["regret"], record["about"] = regret["mixture_worst_query_error"], "mixture"
        record["truth"] = of_mixture(made, rows, names)
    elif regret["measured_marginals"]:
        asked = {tuple(c) for entry in made.tape.of("marginals") for c in entry.question["cliques"]}
        record["regret"], record["about"] = regret["worst_measured_cell_error"], "measured"
        record["truth"], record["measured"] = of_rows(rows, synthetic, sorted(asked))[0], len(asked)
    return record


def of_rows(rows: pd.DataFrame, synthetic: pd.DataFrame, cliques: list[tuple[str, ...]]) -> tuple[float, float]:
    """The worst cell of some marginals between two tables, and the mean of the marginals' worst."""
    found = [float(np.abs(frequencies(rows, c) - frequencies(synthetic, c)).max()) for c in cliques]
    return max(found), float(np.mean(found))


def of_mixture(made: understudy.Release, rows: pd.DataFrame, names: list[str]) -> float:
    """The worst 3-way cell of the model itself."""
    cliques = combinations(names, 3)
    return max(float(np.abs(frequencies(rows, c) - made.guess.marginal(c).ravel()).max()) for c in cliques)


def frequencies(rows: pd.DataFrame, clique: tuple[str, ...]) -> np.ndarray:
    """A marginal, flat."""
    codes = rows[list(clique)].to_numpy().astype(bool).astype(np.int64)
    return np.bincount(codes @ (1 << np.arange(len(clique))[::-1]), minlength=2 ** len(clique)) / len(rows)


def main() -> None:
    """Fill in what is missing, seed by seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=float, default=float("inf"))
    ends = time.monotonic() + parser.parse_args().most
    warnings.filterwarnings("ignore")
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    done = {(r["oracle"], r["d"], r["seed"]) for r in found}
    seeds = range(max(SETTINGS.values()))
    for seed, (d, n), oracle in product(seeds, SETTINGS, ORACLES):
        if seed >= SETTINGS[d, n] or (oracle, d, seed) in done or time.monotonic() > ends:
            continue
        record = measured(oracle, d, n, seed)
        print(json.dumps(record), flush=True)
        # another run may have added some
        found = [*json.loads(RESULTS.read_text() if RESULTS.exists() else "[]"), record]
        RESULTS.write_text("[\n" + ",\n".join(json.dumps(r) for r in found) + "\n]\n")
    write(sorted(found, key=lambda r: (r["d"], r["oracle"], r["seed"])), HERE / "README.md")


if __name__ == "__main__":
    main()
