"""How large the report of a wide table is, and how long it takes: 42 columns, 861 pairs.

    python benchmarks/wide_report.py

Prints one line of JSON; what it was on the machine that made the board stands in docs/report.md.
"""

import json
import time
from dataclasses import replace

import understudy
from understudy.report.invented import invented
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

KINDS = (
    {"kind": "categorical", "values": [f"group {i}" for i in range(9)], "missing": [""]},
    {"kind": "integer", "min": 0, "max": 99},
    {"kind": "boolean"},
    {"kind": "ordinal", "values": list(range(1, 21))},
    {"kind": "real", "decimals": 2, "min": 0, "max": 5000, "bins": 50, "missing": [""]},
    {"kind": "date", "min": "1950-01-01", "max": "2025-12-31", "bins": 38},
)


def wide(columns: int = 42) -> Schema:
    """A schema with columns of every kind."""
    named = {f"a column of a survey, {i}": KINDS[i % len(KINDS)] for i in range(columns)}
    return from_dict({"table": {"name": "wide", "unit": "person"}, "columns": named})


def main() -> None:
    """Make a release, then its report anew."""
    schema, table = invented(wide(), 10_000)
    made = understudy.rehearse(table, schema, seed=1, epsilon=1, delta="1e-6", recipe="independent")
    fresh = replace(made)
    began = time.perf_counter()
    page, facts = fresh.report.page(), json.dumps(fresh.report.facts())
    took = time.perf_counter() - began
    words = {"columns": 42, "marginals": len(made.certificate["claims"]["total_variation"]), "page_bytes": len(page)}
    print(json.dumps(words | {"twin_bytes": len(facts), "seconds": round(took, 2)}))


if __name__ == "__main__":
    main()
