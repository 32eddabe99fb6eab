"""Geography: the people of an invented city on a coast, released with a column of places.

    python experiments/geography/run.py        what is missing from results.json, then map.svg, error.svg and README.md

One release a setting with the seeded twin of the noise (NOT PRIVATE); the errors are those of the released rows against the
table they were made from, by level of the quadtree. A fresh sample of the same city stands for what is achievable.
"""

import json
import time
from pathlib import Path

import numpy as np
from city import BOX, coast, people, schema
from pages import write_maps, write_page

import understudy
from understudy.schema.encode import codes, raw
from understudy.schema.read import from_dict

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
ROWS, DEPTH, SEED = 50_000, 5, 1
SETTINGS = [
    *({"kind": "place", "recipe": "querygan", "epsilon": e} for e in ("0.3", "1", "3")),
    {"kind": "two columns", "recipe": "querygan", "epsilon": "1"},
    {"kind": "place", "recipe": "mst", "epsilon": "1"},
    {"kind": "place", "recipe": "independent", "epsilon": "1"},
]
WHERE = from_dict(schema(DEPTH, ROWS)).column("home")  # every table is judged by this quadtree


def ashore(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    """Which points are on land."""
    return WHERE.tree.hold(*(np.rint(degrees * 10**4).astype(np.int64) for degrees in (lat, lon)))


def errors(one: object, other: object) -> dict:
    """Total variation at each level of the quadtree, alone and with each other column."""
    found: dict[str, list[float]] = {}
    for name in (None, "age", "rent", "commute"):
        words = sorted({*one[name], *other[name]}, key=str) if name else ["all"]
        found[name or "home"] = [
            round(float(abs(shares(one, level, name, words) - shares(other, level, name, words)).sum() / 2), 5)
            for level in range(1, DEPTH + 1)
        ]
    return found


def shares(rows: object, level: int, name: str | None, words: list) -> np.ndarray:
    """The share of rows in each square of a level, for each value of a column."""
    cells = WHERE.tree.ancestors(codes(raw(arrow(rows), WHERE), WHERE), level)
    place = np.zeros(len(rows), dtype=int) if name is None else np.array([words.index(v) for v in rows[name]])
    return np.bincount(cells * len(words) + place, minlength=4**level * len(words)) / len(rows)


def arrow(rows: object) -> object:
    """The coordinates as a table of Arrow."""
    import pyarrow as pa

    return pa.table({name: rows[name].to_numpy() for name in ("lat", "lon")})


def measured(setting: dict, real: object) -> tuple[dict, object]:
    """One release."""
    begun = time.perf_counter()
    place = setting["kind"] == "place"
    made = understudy.rehearse(
        real,
        from_dict(schema(DEPTH, ROWS, place)),
        seed=SEED,
        epsilon=setting["epsilon"],
        delta="1e-6",
        recipe=setting["recipe"],
    )
    rows = made.table.to_pandas()
    claims = made.certificate["claims"]
    bounds = {" x ".join(c["columns"]): c["bound"] for c in claims["total_variation"]}
    return {
        **setting,
        "errors": errors(real, rows),
        "in_the_water": int((~ashore(rows["lat"].to_numpy(), rows["lon"].to_numpy())).sum()),
        "certified": {name: bound for name, bound in bounds.items() if "home" in name},
        "mean_certified": claims["mean_total_variation"],
        "seconds": round(time.perf_counter() - begun, 1),
    }, rows


def main() -> None:
    """Fill in what is missing, one setting at a time."""
    real = people(ROWS, SEED, ashore)
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    done = [{key: r[key] for key in ("kind", "recipe", "epsilon")} for r in found]
    if {"kind": "fresh sample", "recipe": "-", "epsilon": "-"} not in done:
        fresh = people(ROWS, SEED + 1, ashore)
        record = {"kind": "fresh sample", "recipe": "-", "epsilon": "-", "errors": errors(real, fresh)}
        found.append(record | {"rows": ROWS, "cells": WHERE.size, "depth": DEPTH})
    for setting in SETTINGS:
        if setting not in done:
            record, rows = measured(setting, real)
            print(json.dumps(record), flush=True)
            found.append(record)
            RESULTS.write_text(json.dumps(found, indent=1) + "\n")
            if setting["epsilon"] == "1" and setting["recipe"] == "querygan" and setting["kind"] == "place":
                write_maps(WHERE, coast(), BOX, real, rows, HERE / "map.svg")
    write_page(found, HERE)


if __name__ == "__main__":
    main()
