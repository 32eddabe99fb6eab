"""Every recipe audited at epsilon 1/2, 1 and 4: what is claimed, what is certified from below, and what would have been caught.

    python benchmarks/audits.py                 what is missing in results/audits.json, a record a recipe and epsilon
    python benchmarks/audits.py --only mst      these recipes alone, anew
    python benchmarks/audits.py --most 400      no new audit after so many seconds

The stand-in is a small invented table (four columns, 48 cells, 400 rows): what an audit can see is the noise that is drawn for
a canary, and that does not grow with the table. A tape of many selections is heard as far as there is time, its dearest looks
first.
"""

import argparse
import time
from fractions import Fraction

import numpy as np
import pyarrow as pa
from results import Results

import understudy
from understudy.audit.audit import RUNS, audit_plan
from understudy.audit.verdict import TWINNED
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

EPSILONS, DELTA, ROWS = ("1/2", "1", "4"), "1e-6", 400
COLUMNS = {
    "sex": {"kind": "categorical", "values": ["f", "m", "x"]},
    "smokes": {"kind": "boolean"},
    "children": {"kind": "integer", "min": 0, "max": 3},
    "ward": {"kind": "categorical", "values": ["n", "s"]},
}


def schema() -> Schema:
    """One row a person, rows come and go."""
    return from_dict({"table": {"name": "invented", "unit": "person", "relation": "add-remove"}, "columns": COLUMNS})


def rows() -> pa.Table:
    """Invented people."""
    rng = np.random.default_rng(0)
    smokes = rng.random(ROWS) < 0.3
    return pa.table(
        {
            "sex": rng.choice(["f", "m", "x"], ROWS, p=[0.5, 0.45, 0.05]),
            "smokes": smokes,
            "children": np.where(smokes, 0, rng.integers(0, 4, ROWS)),
            "ward": rng.choice(["n", "s"], ROWS),
        }
    )


def audited(recipe: str, epsilon: str) -> dict[str, object]:
    """One audit, as a record."""
    plan = understudy.plan(schema(), epsilon=epsilon, delta=DELTA, recipe=recipe)
    found = audit_plan(plan, rows(), RUNS)
    verdict, attack = found.verdict, found.attack
    noise = next((part for part in verdict.parts if part.name == "noise"), None)
    return {
        "who": recipe,
        "epsilon": verdict.epsilon,
        "delta": verdict.delta,
        "runs": verdict.runs,
        "gaussian": verdict.gaussian_epsilon,
        "free": verdict.free_epsilon,
        "mu_claimed": noise.claimed if noise else 0.0,
        "mu_certified": noise.certified if noise else 0.0,
        "power": verdict.power,
        "read_off": TWINNED,
        "false_alarms": verdict.false_alarms,
        "heard": verdict.heard,
        "attack_tpr": attack.tpr(0.01),
        "attack_allowed": attack.allowed(0.01, verdict.epsilon, verdict.delta),
        "violations": "; ".join(found.violations),
        "seconds": found.seconds,
    }


def main() -> None:
    """Fill in what is missing."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--only", nargs="*")
    words.add_argument("--most", type=float, default=float("inf"), help="seconds")
    chosen = words.parse_args()
    results, ends = Results("audits", more=True), time.monotonic() + chosen.most
    if chosen.only:
        results.records = [record for record in results.records if record["who"] not in chosen.only]
    done = {(record["who"], record["epsilon"]) for record in results.records}
    for recipe in chosen.only or understudy.recipes():
        for epsilon in EPSILONS:
            if (recipe, float(Fraction(epsilon))) not in done and time.monotonic() < ends:
                results.add(audited(recipe, epsilon))


if __name__ == "__main__":
    main()
