"""PATE-GAN against what it competes with: the mean error of all pairs, by rows and epsilon.

    python experiments/pategan/run.py        what is missing from results.json, then README.md

An invented table of five columns of three values that follow one hidden class; one run a setting with the seeded twin of the
noise (NOT PRIVATE). Errors are total variations of the released rows against the table they were made from.
"""

import json
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

import understudy
from understudy.measure.variation import variations
from understudy.question.workload import ways
from understudy.schema.encode import coded
from understudy.schema.read import from_dict

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
NAMES = ("a", "b", "c", "d", "e")
SETTINGS = [
    (n, epsilon, recipe)
    for n in (2_000, 10_000, 50_000)
    for epsilon in ("1", "10")
    for recipe in ("independent", "pategan", "querygan")
]
HEADING = """# PATE-GAN, paid for by its worst case

    python experiments/pategan/run.py

Five columns of three values, each equal to a hidden class with probability 0.83; delta 1e-6; one run a setting with the seeded
twin of the noise. The mean total variation of all ten pairs, and in brackets the seconds of the clock on a busy machine.
One teacher has about 25 rows, so their number grows with the table, and the noise on a vote does not: with few rows the
votes drown.
"""


def table_of(n: int) -> pd.DataFrame:
    """n rows of the invented table."""
    rng = np.random.default_rng(n)
    hidden = rng.integers(3, size=n)
    own = {name: np.where(rng.random(n) < 0.75, hidden, rng.integers(3, size=n)) for name in NAMES}
    return pd.DataFrame({name: np.array(["x", "y", "z"])[values] for name, values in own.items()})


def measured(n: int, epsilon: str, recipe: str) -> dict:
    """One release."""
    table = table_of(n)
    columns = {name: {"kind": "categorical", "values": ["x", "y", "z"]} for name in NAMES}
    schema = from_dict({"table": {"unit": "person"}, "columns": columns})
    begun = time.perf_counter()
    made = understudy.rehearse(table, schema, seed=1, epsilon=epsilon, delta="1e-6", recipe=recipe)
    seconds = round(time.perf_counter() - begun, 1)
    found = variations(coded(pa.Table.from_pandas(table), schema), made.codes, schema, ways(NAMES, 2))
    error = float(np.mean([variation for _, variation, _ in found]))
    certified = made.certificate["claims"]["mean_total_variation"]
    return {"n": n, "epsilon": epsilon, "recipe": recipe, "error": error, "certified": certified, "seconds": seconds}


def write_page(found: list[dict]) -> None:
    """README.md."""
    recipes = list(dict.fromkeys(r["recipe"] for r in found))
    lines = [HEADING, f"| rows | epsilon | {' | '.join(recipes)} |", "|" + "---|" * (len(recipes) + 2)]
    for n, epsilon in dict.fromkeys((r["n"], r["epsilon"]) for r in found):
        cells = [
            f"{r['error']:.4f} ({r['seconds']})"
            for recipe in recipes
            for r in found
            if (r["n"], r["epsilon"], r["recipe"]) == (n, epsilon, recipe)
        ]
        lines.append(f"| {n:,} | {epsilon} | {' | '.join(cells)} |")
    (HERE / "README.md").write_text("\n".join(lines) + "\n")


def main() -> None:
    """Fill in what is missing."""
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    done = {(r["n"], r["epsilon"], r["recipe"]) for r in found}
    for setting in SETTINGS:
        if setting not in done:
            found.append(measured(*setting))
            print(json.dumps(found[-1]), flush=True)
            RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    write_page(found)


if __name__ == "__main__":
    main()
