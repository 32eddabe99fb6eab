"""The example table is the same on every machine, obeys its own rules, and its schema reads every cell of it."""

import csv
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from understudy.schema.encode import codes
from understudy.schema.read import read_schema

CLINIC = Path(__file__).parents[2] / "examples" / "clinic"
SCHEMA = read_schema(CLINIC / "clinic.toml")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("clinic") / "clinic.csv"
    subprocess.run([sys.executable, CLINIC / "make.py", path], check=True)
    return path


@pytest.fixture(scope="module")
def rows(made):
    with made.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_it_is_made_the_same_again(made, tmp_path):
    subprocess.run([sys.executable, CLINIC / "make.py", tmp_path / "again.csv"], check=True)
    assert (tmp_path / "again.csv").read_bytes() == made.read_bytes()


def test_it_has_the_columns_of_its_schema_and_a_row_for_each_patient(rows):
    assert list(rows[0]) == [column.name for column in SCHEMA.columns]
    assert len({row["patient_id"] for row in rows}) == len(rows) == 20_000


@pytest.mark.parametrize("column", SCHEMA.modelled, ids=lambda column: column.name)
def test_the_schema_reads_every_cell(column, rows):
    texts = [row[column.name] for row in rows]
    found = codes(pa.chunked_array([texts]), column)
    missing = np.isin(texts, column.missing or ())
    assert np.array_equal(found == column.size - 1, missing) if column.nullable else not missing.any()


@pytest.mark.parametrize(
    "column", [c for c in SCHEMA.modelled if not hasattr(c, "grid")], ids=lambda column: column.name
)
def test_every_listed_value_occurs(column, rows):
    found = codes(pa.chunked_array([[row[column.name] for row in rows]]), column)
    assert set(found.tolist()) == set(range(column.size))


def test_the_declared_constraints_hold(rows):
    found = {c.name: codes(pa.chunked_array([[row[c.name] for row in rows]]), c) for c in SCHEMA.modelled}
    assert len(SCHEMA.constraints) == 9
    assert not SCHEMA.rules.broken(found).any()


def test_the_hard_rules_hold(rows):
    for row in rows:
        assert (row["cigarettes_per_day"] != "") == (row["smoker"] == "yes")
        assert row["pregnant"] == "" or row["sex"] in ("f", "")
        assert (row["discharge"] == "") == (row["readmitted"] == "")
        assert row["discharge"] == "" or date.fromisoformat(row["discharge"]) >= date.fromisoformat(row["visit"][:10])
