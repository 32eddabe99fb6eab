"""What the owner is told of values that the schema reads as something else: against the reader itself."""

import pandas as pd
import pyarrow as pa
import pytest

from understudy.schema.encode import codes
from understudy.schema.read import from_dict
from understudy.source.misread import misread, reason_for

COLUMNS = {
    "species": {"kind": "categorical", "values": ["dog", "cat"], "missing": ["?"]},
    "plz": {"kind": "categorical", "values": ["01067", "99084"], "other": "elsewhere"},
    "weight": {"kind": "real", "decimals": 1, "min": 0, "max": 60, "missing": ["NA"], "bad": "missing"},
    "age": {"kind": "integer", "min": 0, "max": 99},
    "born": {"kind": "date", "min": "2000-01-01", "max": "2020-12-31", "format": "%d.%m.%Y"},
    "neutered": {"kind": "boolean", "true": ["Y"], "false": ["N"]},
}
FINE = {"species": "dog", "plz": "12345", "weight": "7.5", "age": "4", "born": "31.12.2019", "neutered": "Y"}
WRONG = {
    "species": [("axolotl", "not listed", "read as missing"), ("", "empty", "read as missing")],
    "weight": [("heavy", "no number", "read as missing"), ("61", "beyond min or max", "read as missing")],
    "age": [("", "empty", "read as the lowest"), ("-9", "beyond min or max", "moved to the bound")],
    "born": [("2019-12-31", "no date or moment of its format", "read as the lowest")],
    "neutered": [("maybe", "neither true nor false", "read as 'N'")],
}


def schema(unit: dict[str, object] | None = None):
    ids = {"id": {"kind": "identifier"}} if unit else {}
    return from_dict({"table": {"name": "pets", **(unit or {})}, "columns": ids | COLUMNS})


def test_a_table_as_it_is_declared_is_no_reason_to_complain():
    assert misread(pd.DataFrame([FINE, FINE | {"species": "?", "weight": "NA"}]), schema()) == []


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in WRONG.items() for case in cases])
def test_each_reason_is_told_with_where_the_value_goes_and_never_the_value(name, case):
    value, reason, goes = case
    (line,) = misread(pd.DataFrame([FINE, FINE | {name: value}, FINE | {name: value}]), schema())
    assert line.startswith(f"column '{name}': 2 rows are {reason}, {goes}; ")
    assert value == "" or f"'{value}'" not in line
    column = schema().column(name)
    cell = int(codes(pa.chunked_array([[value]]), column)[0])
    expected = {"read as missing": column.missing_cell if column.nullable else None}.get(goes, 0)
    assert cell == expected, "the reader puts it where the line says"


def test_rows_of_nobody_and_beyond_a_share_are_counted():
    keys = ["a", "a", "a", "b", "", None]
    rows = pd.DataFrame([FINE | {"id": key} for key in keys])
    told = misread(rows, schema({"unit": "pet", "unit_column": "id", "rows_per_unit": 2}))
    assert [line.split(";")[0] for line in told] == [
        "unit column 'id': 2 rows are without a pet, left out",
        "unit column 'id': 1 row is beyond its pet's share, left out",
    ]


def test_an_open_list_takes_anything():
    assert reason_for(schema().column("plz"), "XYZ") is None


PAIRS = {
    "home": {
        "kind": "place",
        "latitude": "lat",
        "longitude": "lon",
        "south": 47,
        "north": 48,
        "west": 8,
        "east": 9,
        "outline": "POLYGON ((8 47, 9 47, 8 48, 8 47))",
    },
    "tie": {"kind": "edge", "source": "one", "target": "other", "missing": [""], "blocks": {"all": ["ann", "bo"]}},
}
HERE = {"lat": "47.1", "lon": "8.1", "one": "ann", "other": "bo"}
ODD = {
    "in the sea": ({"lat": "47.9", "lon": "8.9"}, "'home': 1 row is off the outline, moved to the nearest cell; draw"),
    "beyond the box": ({"lon": "7"}, "'lon': 1 row is beyond min or max, moved to the bound; widen"),
    "to oneself": ({"one": "bo"}, "'tie': 1 row is not between two different nodes, read as missing; add"),
    "to a stranger": ({"one": "eve"}, "'tie': 1 row is not between two different nodes, read as missing; add"),
}


@pytest.mark.parametrize(("odd", "due"), ODD.values(), ids=list(ODD))
def test_points_off_the_outline_and_edges_of_no_two_nodes_are_told(odd, due):
    declared = from_dict({"table": {"name": "town"}, "columns": PAIRS})
    assert misread(pd.DataFrame([HERE, HERE | {"one": "", "other": None}]), declared) == []
    (line,) = misread(pd.DataFrame([HERE, HERE | odd]), declared)
    assert line.startswith(f"column {due}")
