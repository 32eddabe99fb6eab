"""Small releases: a table with every kind of column and texts that a spreadsheet would run."""

from fractions import Fraction
from pathlib import Path

import pandas as pd

import understudy
from understudy.publish.release import Release
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

FORMULAS = ["=1+1", "+41", "-1", "@sum", "'quoted", "\ttab", "plain, with a comma", 'a "quote"', "two\nlines"]
WORDS = {
    "table": {"name": "small", "unit": "person", "unit_column": "=key", "rows_per_unit": 2},
    "columns": {
        "=key": {"kind": "identifier", "prefix": "-P", "width": 4},
        "remark": {"kind": "categorical", "values": FORMULAS, "missing": ["", "NA"]},
        "zip": {"kind": "categorical", "values": ["00501", "10001"], "other": "@else"},
        "grade": {"kind": "ordinal", "values": [1, 2, 3]},
        "smokes": {"kind": "boolean", "true": ["=yes"], "false": ["no"], "missing": ["-"]},
        "change": {"kind": "integer", "min": -3, "max": 3},
        "dose": {"kind": "real", "decimals": 2, "min": -0.5, "max": 9.25, "bins": 4, "missing": [""]},
        "born": {"kind": "date", "min": "1950-01-01", "max": "1959-12-31", "bins": 3, "format": "%d.%m.%Y"},
        "seen": {"kind": "datetime", "min": "2024-03-30T00:00", "max": "2024-04-01T00:00", "timezone": "Europe/Zurich"},
    },
}
SCHEMA = from_dict(WORDS)
SPEND = {"epsilon": Fraction(3, 2), "delta": "1e-6", "recipe": "independent", "rows": 120}


def table(n: int = 150) -> pd.DataFrame:
    """Rows in which every value occurs, two or three for each unit."""
    rows = range(n)
    return pd.DataFrame(
        {
            "=key": [f"u{i // 2 if i < n - 9 else 0}" for i in rows],
            "remark": [[*FORMULAS, "NA"][i % 10] for i in rows],
            "zip": [["00501", "10001", "90210"][i % 3] for i in rows],
            "grade": [1 + i % 3 for i in rows],
            "smokes": [["=yes", "no", "-"][i % 3] for i in rows],
            "change": [i % 7 - 3 for i in rows],
            "dose": [None if i % 5 == 0 else i % 9 + 0.25 for i in rows],
            "born": [f"0{1 + i % 9}.11.195{i % 10}" for i in rows],
            "seen": [f"2024-03-31T0{i % 10}:30" for i in rows],
        },
        dtype=object,
    )


def rehearsed(seed: int = 1, schema: Schema = SCHEMA, **other: object) -> Release:
    """A release by the seeded twin."""
    return understudy.rehearse(table(), schema, seed=seed, **(SPEND | other))


def bundled(folder: Path, form: str = "parquet", seed: int = 1) -> Path:
    """Its bundle."""
    return rehearsed(seed).save(folder / form, form)
