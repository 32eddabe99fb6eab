"""Table 5.1 of document 001, measured: the worst cell of each algorithm against N, d, |Q| and epsilon.

    python experiments/table_5_1/run.py              what is missing from results.json, then the tables in README.md
    python experiments/table_5_1/run.py --only fem   one algorithm
    python experiments/table_5_1/run.py --most 240   stops after so many seconds; run it again to go on

Every run is the recipe on its own road with the seeded twin of the noise (NOT PRIVATE), one run a setting; errors are those of
the released model against the table it was made from. Results are appended one by one.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from alpha import limit
from data import rows_of, schema_of, worst
from printed import printed
from report import write
from wide import wide

import understudy

HERE = Path(__file__).parent
RESULTS, LIMIT, WIDE = HERE / "results.json", HERE / "limit.json", HERE / "wide.json"
DELTA = "1e-6"
LISTED = ("dual_frank_wolfe", "mwem", "dualquery", "fem", "sepfem", "dqrs", "rap", "gem", "aim", "querygan")
OTHERS = (
    "pep",
    "mst",
    "private_gsd",
    "privbayes",
    "querygan_a",
    "querygan_b",
    "querygan_d",
    "independent",
)  # against N only
BASE = {"n": 10_000, "d": 10, "k": 3, "epsilon": 1.0}
ROWS = [{**BASE, "n": n} for n in (10_000, 1_000, 100_000)]
SETTINGS = [
    *ROWS,
    *({**BASE, "epsilon": epsilon} for epsilon in (0.3, 3.0)),
    {**BASE, "k": 2},
    *({**BASE, "d": d} for d in (6, 14)),
]
POINTS = [
    *((setting, who) for setting in SETTINGS for who in ("printed", *LISTED) if who != "printed" or setting["d"] <= 10),
    *((setting, who) for setting in ROWS for who in OTHERS),
]


def measured(who: str, setting: dict, seed: int) -> dict:
    """One run."""
    rows, begun = rows_of(setting["d"], setting["n"]), time.perf_counter()
    record = {"who": who, **setting, "seed": seed}
    if who == "printed":
        found = printed(rows, setting["k"], setting["epsilon"], float(DELTA), np.random.default_rng(seed))
        return record | found | {"seconds": round(time.perf_counter() - begun, 1)}
    made = understudy.rehearse(
        rows,
        schema_of(setting["d"], setting["n"]),
        seed=seed,
        epsilon=str(setting["epsilon"]),
        delta=DELTA,
        recipe=who,
        workload=f"{setting['k']}way",
    )
    top, mean = worst(made, rows, setting["k"])
    looks = sum(entry.kind in ("select_cell", "select") for entry in made.tape)
    seconds = round(time.perf_counter() - begun, 1)
    claims, regret = made.certificate["claims"], made.certificate["regret"]
    return record | {
        "worst": top,
        "mean": mean,
        "selections": looks,
        "certified": claims["worst_cell_error"],
        "mixture_bound": regret.get("mixture_worst_query_error"),
        "seconds": seconds,
    }


def main() -> None:
    """Fill in what is missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append")
    parser.add_argument("--most", type=float, default=float("inf"))
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    done = {(r["who"], r["n"], r["d"], r["k"], r["epsilon"]) for r in found}
    ends = time.monotonic() + asked.most
    for setting, who in POINTS:
        if (who, *setting.values()) in done or time.monotonic() > ends or who not in (asked.only or [who]):
            continue
        record = measured(who, setting, seed=1)
        print(json.dumps(record), flush=True)
        found = [
            *json.loads(RESULTS.read_text() if RESULTS.exists() else "[]"),
            record,
        ]  # another run may have added some
        RESULTS.write_text("[\n" + ",\n".join(json.dumps(r) for r in found) + "\n]\n")
    limits = json.loads(LIMIT.read_text()) if LIMIT.exists() else []
    for n in (1_000, 10_000, 100_000):
        if n not in {one["n"] for one in limits} and time.monotonic() < ends:
            limits.append(limit(n))
            LIMIT.write_text(json.dumps(limits, indent=1) + "\n")
    if not WIDE.exists() and time.monotonic() < ends:
        WIDE.write_text(json.dumps(wide(), indent=1) + "\n")
    write(found, limits, json.loads(WIDE.read_text()) if WIDE.exists() else None, HERE / "README.md")


if __name__ == "__main__":
    main()
