"""Every recipe on the Adult table: time, memory, error and certificate of one release each, and how far a recipe reaches.

    python experiments/adult/run.py --data DATA              what is missing from results.json, then README.md
    python experiments/adult/run.py --data DATA --most 240   stops after so many seconds; run it again to go on

`adult-coded.csv`, 48,842 rows of 14 columns, all pairs for a workload, epsilon 1, delta 1e-9, the operating system's
randomness. A recipe whose plan refuses the table gets it without its widest columns, one after another, until the plan is
possible: what `plan` said is kept. Each release is a process with a limit of 600 CPU seconds (`benchmarks/fresh.py`).
"""

import argparse
import json
import sys
import time
from itertools import combinations
from math import prod
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
BENCHMARKS = HERE.parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from fresh import Made, run  # noqa: E402
from page import write  # noqa: E402
from tasks import DELTA, Task, adult, distances  # noqa: E402

import understudy  # noqa: E402
from understudy.publish.plan import Plan  # noqa: E402
from understudy.refusal import Infeasible, Refusal  # noqa: E402
from understudy.schema.column import Number  # noqa: E402
from understudy.schema.grid import Grid  # noqa: E402
from understudy.schema.schema import Schema, Unit  # noqa: E402

RESULTS = HERE / "results.json"
TERMS = {"epsilon": "1", "delta": DELTA, "workload": "2way"}


def largest(recipe: str, task: Task) -> tuple[Task, str]:
    """The table without the widest columns that the plan refuses, and what it said at first."""
    said = ""
    while True:
        try:
            planned(recipe, task)
            return task, said
        except Infeasible as refusal:
            said = said or str(refusal)
            widest = list(task.columns)[int(np.argmax(task.sizes))]
            task = without(task, widest)


def planned(recipe: str, task: Task) -> Plan:
    """The plan, refused where it cannot be carried out; no row is read."""
    grids = zip(task.columns, task.sizes, strict=True)
    numbers = tuple(Number(name, grid=Grid.even(0, size - 1, size)) for name, size in grids)
    return understudy.plan(Schema("adult", Unit("row"), numbers), recipe=recipe, rows=task.rows, **TERMS)


def without(task: Task, name: str) -> Task:
    """All columns but one."""
    kept = {column: codes for column, codes in task.columns.items() if column != name}
    sizes = [size for column, size in zip(task.columns, task.sizes, strict=True) if column != name]
    return Task(task.name, kept, sizes, 2, limit=task.limit)


def measured(recipe: str, whole: Task) -> dict:
    """One release of as much as the recipe takes."""
    task, said = largest(recipe, whole)
    record = {"who": recipe, "columns": len(task.sizes), "cells": prod(task.sizes), "refused": said}
    settings = TERMS | {"recipe": recipe, "rows": task.rows}
    made = run(sys.executable, BENCHMARKS / "ours.py", task.columns, task.sizes, settings, task.limit)
    if not isinstance(made, Made):
        return record | {"unfinished": made.reason}
    mean, worst = distances(task, made.rows, 2)
    told = {"cpu": made.cost["cpu"], "wall": made.cost["wall"], "megabytes": made.cost["peak_mb"]}
    bounds = {"bound_mean": made.facts["bound_mean"], "bound_cell": made.facts["bound_cell"]}
    return record | told | {"mean": mean, "worst": worst} | bounds | {"pairs": len(list(combinations(task.sizes, 2)))}


def main() -> None:
    """Fill in what is missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("--only", action="append")
    asked = parser.parse_args()
    ends, task = time.monotonic() + asked.most, adult(asked.data)
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    done = {r["who"] for r in found}
    for recipe, known in understudy.recipes().items():
        if recipe in done or known.pictures or time.monotonic() > ends or recipe not in (asked.only or [recipe]):
            continue
        try:
            record = measured(recipe, task)
        except Refusal as refusal:
            record = {"who": recipe, "columns": 0, "cells": 0, "refused": str(refusal)}
        print(json.dumps(record), flush=True)
        found = [
            *json.loads(RESULTS.read_text() if RESULTS.exists() else "[]"),
            record,
        ]  # another run may have added some
        RESULTS.write_text("[\n" + ",\n".join(json.dumps(r) for r in found) + "\n]\n")
    taken = {r["who"]: largest(r["who"], task)[0] for r in found if r["columns"]}
    told = {who: planned(who, part).forecast.seconds for who, part in taken.items()}
    write(sorted(found, key=lambda r: r["who"]), told, HERE / "README.md")


if __name__ == "__main__":
    main()
