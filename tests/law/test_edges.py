"""Edge tables: a table with nothing in it, or nothing to tell, gives a release like any other.

Of the asked size, which `verify` accepts, in the schema's own types, with claims between 0 and 1.
"""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import understudy
from understudy.schema.decode import arrow_type
from understudy.schema.encode import codes
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

COLUMNS = {
    "ward": {"kind": "categorical", "values": ["north", "south"], "missing": [""]},
    "smokes": {"kind": "boolean", "missing": [""]},
    "age": {"kind": "integer", "min": 0, "max": 2, "missing": [""]},
}
OPEN = {
    "town": {"kind": "categorical", "discover": True, "missing": [""]},
    "income": {"kind": "integer", "discover": True, "bins": 3, "missing": [""]},
    "born": {"kind": "date", "discover": True, "bins": 3},
}
ONLY = {"ward": COLUMNS["ward"]}
ONE_CELL = {**ONLY, "year": {"kind": "integer", "min": 2024, "max": 2024}, "only": {"kind": "ordinal", "values": [7]}}


def schema(columns: dict[str, object] = COLUMNS, **table: object) -> Schema:
    return from_dict({"table": {"unit": "person", **table}, "columns": columns})


def table(rows: int, columns: dict[str, object] = COLUMNS, **values: object) -> pd.DataFrame:
    """The same values in every row; None where none is given."""
    return pd.DataFrame({name: pd.Series([values.get(name)] * rows, dtype=object) for name in columns})


CONSTANT = {"ward": "south", "smokes": True, "age": 1, "town": "Bern", "income": 5000, "born": "1980-05-05"}
EDGES = {
    "no rows": (schema(), table(0)),
    "one row": (schema(), table(1, **CONSTANT)),
    "one row of nothing": (schema(), table(1)),
    "constant columns": (schema(), table(200, **CONSTANT)),
    "nothing but missing values": (schema(), table(200)),
    "one column only": (schema(ONLY), table(50, ONLY, **CONSTANT)),
    "columns of one cell": (schema(ONE_CELL), table(50, ONE_CELL, year=2024, only=7)),
    "one column of one cell": (schema({"year": ONE_CELL["year"]}), table(50, {"year": 0}, year=2024)),
    "n is public": (schema(rows=200), table(200, **CONSTANT)),
    "n is public, and none": (schema(rows=0), table(0)),
    "n is public, and not so": (schema(rows=10), table(200, **CONSTANT)),
    "replace-one": (schema(relation="replace-one"), table(200, **CONSTANT)),
    "replace-one and no rows": (schema(relation="replace-one"), table(0)),
    "discovery in no rows": (schema(OPEN), table(0, OPEN)),
    "discovery in missing values": (schema(OPEN), table(200, OPEN)),
    "discovery in constant columns": (schema(OPEN), table(200, OPEN, **CONSTANT)),
}


def bounds(certificate: dict[str, object]) -> list[float]:
    """Every frequency that a certificate bounds."""
    claims = certificate["claims"]
    return [
        claims["worst_cell_error"],
        claims["mean_total_variation"],
        *(c["bound"] for c in claims["total_variation"]),
    ]


FEW = {"no rows", "one row of nothing", "replace-one", "columns of one cell"}  # of most recipes, in the quick suite
CASES = [
    pytest.param(recipe, *edge, id=f"{recipe}, {name}", marks=() if quick else pytest.mark.full)
    for recipe in understudy.recipes()
    for name, edge in EDGES.items()
    for quick in [name in FEW or recipe == "independent"]
]


@pytest.mark.parametrize(("recipe", "declared", "rows"), CASES)
def test_an_edge_table_gives_a_valid_release(recipe: str, declared: Schema, rows: pd.DataFrame, tmp_path: Path) -> None:
    out = tmp_path / "out"
    understudy.release(rows, declared, epsilon=1, delta="1e-6", recipe=recipe, rows=40, out=out)
    made = understudy.verify(out)
    assert made.table.schema == pa.schema([(c.name, arrow_type(c)) for c in made.schema.columns])
    assert made.table.num_rows == 40
    for column in made.schema.modelled:
        assert codes(made.table[column.name], column).max() < column.size
    assert all(0 <= bound <= 1 for bound in bounds(made.certificate))
    assert made.sample(3).num_rows == 3


SIZES = {
    "as many as n, where it is public": (schema(rows=200), table(200), 200),
    "one, where n is public and none": (schema(rows=0), table(0), 1),
    "as many as were counted": (schema(), table(200), None),
    "exactly n, where no neighbour has another": (schema(relation="replace-one"), table(77), 77),
}


@pytest.mark.parametrize(("declared", "rows", "due"), SIZES.values(), ids=list(SIZES))
def test_a_release_without_a_size_has(declared: Schema, rows: pd.DataFrame, due: int | None) -> None:
    made = understudy.release(rows, declared, epsilon=1, delta="1e-6", recipe="independent")
    counted = made.certificate["claims"]["rows_in_private_table"]["estimate"]
    assert made.table.num_rows == (max(counted, 1) if due is None else due)


def test_the_claims_of_a_large_constant_table_say_something(tmp_path: Path) -> None:
    """A bound of 1 is always true: where there is much to say, it is said."""
    made = understudy.release(table(20_000, **CONSTANT), schema(), epsilon=10, delta="1e-6", recipe="independent")
    assert all(bound < 0.05 for bound in bounds(made.certificate))
