"""A draft holds names, kinds and TODOs, and no cell of the table unless its column was declared public."""

import csv
import tomllib
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import understudy
from understudy.refusal import Misuse, SchemaRefused, SourceRefused
from understudy.schema.draft import draft, is_key
from understudy.schema.look import text_kind
from understudy.schema.read import from_dict

COLUMNS = {  # every cell is a mark that a draft's own words do not contain
    "patient_id": ["Q7731", "Q7732"],
    "age": ["731", "-8642"],
    "cost": ["97.31", "8642.5"],
    "born": ["1931-07-31", "1986-04-20"],
    "seen": ["1997-03-11T07:31", "1986-04-20T08:42"],
    "smokes": ["Yes", "No"],
    "zip": ["07731", "08642"],
    "note": ["secret-mark", "other-mark"],
    "empty": ["", ""],
}
KINDS = ["identifier", "integer", "real", "date", "datetime", "boolean", *["categorical"] * 3]


def csv_file(folder, columns=COLUMNS, delimiter=",", encoding="utf-8"):
    path = folder / "table.csv"
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def kinds(text):
    return {name: words["kind"] for name, words in tomllib.loads(text)["columns"].items()}


def test_no_cell_is_in_the_draft_and_every_kind_is_proposed(tmp_path):
    text = draft(csv_file(tmp_path))
    assert not [cell for cells in COLUMNS.values() for cell in cells if cell and cell in text]
    assert kinds(text) == dict(zip(COLUMNS, KINDS, strict=True))
    assert "LOOKED AT THE TABLE" in text
    assert text.count("# TODO") == len(COLUMNS)  # one a column but for the identifier, and one for the unit


def test_two_tables_of_the_same_kinds_have_the_same_draft(tmp_path):
    first = draft(csv_file(tmp_path))
    others = {name: cells[:1] * 3 for name, cells in COLUMNS.items()}
    assert draft(csv_file(tmp_path, others)) == first


@given(st.lists(st.text("αβγδεζη", min_size=3), min_size=1))
def test_texts_never_leak(tmp_path_factory, texts):
    text = draft(csv_file(tmp_path_factory.mktemp("draft"), {"note": texts}))
    assert not set(text) & set("αβγδεζη")


def test_a_draft_is_refused_until_every_todo_is_done(tmp_path):
    text = draft(csv_file(tmp_path))
    steps = {
        "age": ('kind = "integer"', "min = 0\nmax = 9"),
        "cost": ('kind = "real"', "discover = true"),
        "born": ('kind = "date"', "discover = true"),
        "seen": ('kind = "datetime"', "discover = true"),
        "smokes": ("true = []\nfalse = []", 'true = ["y"]\nfalse = ["n"]'),
        "zip": ('"zip"]\nkind = "categorical"', 'values = ["a"]'),
        "note": ('"note"]\nkind = "categorical"', "discover = true"),
        "empty": ('"empty"]\nkind = "categorical"', "discover = true"),
    }
    for name, (place, done) in steps.items():
        with pytest.raises(SchemaRefused) as refused:
            from_dict(tomllib.loads(text))
        assert refused.value.rule.startswith(f"column '{name}'") and refused.value.remedy
        assert text.count(place) == 1
        text = text.replace(place, done if name == "smokes" else f"{place}\n{done}")
    with pytest.raises(SchemaRefused, match="rows_per_unit is below 1; declare the most rows"):
        from_dict(tomllib.loads(text))
    text = text.replace("rows_per_unit = 0", 'unit_column = "patient_id"\nrows_per_unit = 2')
    assert len(from_dict(tomllib.loads(text)).modelled) == len(steps)


def test_public_columns_are_copied_and_no_others(tmp_path):
    path = csv_file(tmp_path)
    text = draft(path, public=("age", "cost", "born", "seen", "smokes", "zip"))
    words = tomllib.loads(text)["columns"]
    assert (words["age"]["min"], words["age"]["max"]) == (-8642, 731)
    assert (words["cost"]["min"], words["cost"]["max"], words["cost"]["decimals"]) == (97.31, 8642.5, 2)
    assert (words["born"]["min"], words["born"]["max"]) == ("1931-07-31", "1986-04-20")
    assert (words["smokes"]["true"], words["smokes"]["false"]) == (["Yes"], ["No"])
    assert words["zip"]["values"] == ["07731", "08642"]
    assert "mark" not in text and "Q77" not in text
    assert text.count("the owner declared this column public") == 6


def test_a_public_column_is_judged_by_all_its_cells(tmp_path):
    path = csv_file(tmp_path, {"size": ["1"] * 1500 + ["1.25", "NA", ""]})
    words = tomllib.loads(draft(path, public=("size",)))["columns"]["size"]
    assert words == {"kind": "real", "missing": [""], "decimals": 2, "min": 1, "max": 1.25}


def test_a_public_column_must_be_there(tmp_path):
    with pytest.raises(Misuse, match="'weight'"):
        draft(csv_file(tmp_path), public=("weight",))


TYPED = pa.table(
    {
        "patient_id": pa.array([7731]),
        "age": pa.array([731], pa.int16()),
        "cost": pa.array([97.31]),
        "price": pa.array([Decimal("97.31")]),
        "born": pa.array([date(1931, 7, 31)]),
        "seen": pa.array([datetime(1997, 3, 11, 7, 31)], pa.timestamp("ns", "Europe/Zurich")),
        "smokes": pa.array([True]),
        "zip": pa.array(["07731"]).dictionary_encode(),
        "tags": pa.array([["secret-mark"]]),
    }
)


def typed_file(folder, suffix):
    path = folder / f"table.{suffix}"
    if suffix == "arrow":
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TYPED.schema) as writer:
            writer.write_table(TYPED)
    else:
        pq.write_table(TYPED, path)
    return path


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_types_of_a_typed_file_are_taken_from_its_schema(suffix, tmp_path):
    text = draft(typed_file(tmp_path, suffix))
    parsed = tomllib.loads(text)
    proposed = ["identifier", "integer", "real", "real", "date", "datetime", "boolean", "categorical"]
    assert list(kinds(text).values()) == proposed
    assert parsed["table"]["ignore"] == ["tags"] and parsed["columns"]["seen"]["timezone"] == "Europe/Zurich"
    assert not any(mark in text for mark in ("731", "97", "1931", "mark"))


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_public_columns_of_a_typed_file_are_copied(suffix, tmp_path):
    words = tomllib.loads(draft(typed_file(tmp_path, suffix), public=("age", "price", "seen", "zip", "smokes")))[
        "columns"
    ]
    assert (words["age"]["min"], words["age"]["max"], words["price"]["decimals"]) == (731, 731, 2)
    assert words["zip"]["values"] == ["07731"] and words["seen"]["min"] == "1997-03-11T08:31:00+01:00"
    assert words["smokes"] == {"kind": "boolean", "missing": [""]}  # a typed boolean needs no texts


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_guessed_from_the_header(delimiter, tmp_path):
    path = csv_file(tmp_path, {"age": ["7,5;1|2"], "sex, or gender": ["f"], "zip": ["1"]}, delimiter, "utf-8-sig")
    text = draft(path)
    assert tomllib.loads(text)["csv"]["delimiter"] == delimiter
    assert list(kinds(text)) == ["age", "sex, or gender", "zip"]


HEADERS = {"a number": b"age,42\n1,2\n", "a date": b"age,2020-01-31\n1,2\n", "a name twice": b"a,a\n1,2\n"}
HEADERS |= {"an empty name": b"a,\n1,2\n", "nothing": b""}


@pytest.mark.parametrize("content", HEADERS.values(), ids=HEADERS)
def test_a_first_line_that_looks_like_a_row_is_refused_unquoted(content, tmp_path):
    (path := tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(SchemaRefused, match="is not a header") as refused:
        draft(path)
    assert "42" not in str(refused.value) and "2020" not in str(refused.value)


UNREADABLE = {
    "t.csv": b"a\n\xff\xfe\n",
    "huge.csv": b'a\n"' + b"x" * 200_000,
    "t.parquet": b"PAR1",
    "t.arrow": b"ARROW1",
}


@pytest.mark.parametrize(("name", "content"), UNREADABLE.items(), ids=UNREADABLE)
def test_an_unreadable_file_is_refused(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceRefused):
        draft(tmp_path / name)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.arrow"])
def test_an_absent_file_is_refused(name, tmp_path):
    with pytest.raises(SourceRefused, match="check the path"):
        draft(tmp_path / name)


@pytest.mark.parametrize("name", ["t.xlsx", "t", "base.duckdb::visits"])
def test_a_file_of_another_kind_is_not_taken_for_a_csv(name, tmp_path):
    (tmp_path / name).write_text("age,sex\n41,f\n")
    with pytest.raises(Misuse, match="no kind of file"):
        draft(tmp_path / name)


def test_the_price_in_a_draft_is_the_price_in_a_plan(tmp_path):
    assert "discovery takes a tenth of the release's budget" in draft(csv_file(tmp_path))
    columns = {name: {"kind": "integer", "discover": True} for name in ("age", "height")}
    plan = understudy.plan(from_dict({"table": {}, "columns": columns}), epsilon=1, delta="1e-6", rows=10)
    found = [plan.price(step.questions).amount for step in plan.discovery.script()]
    assert sum(found) / plan.total.amount == Fraction(1, 10)


KEYS = {"id": True, "patient_id": True, "patientId": True, "caseID": True, "Case ID": True, "key": True, "uuid": True}
KEYS |= {"paid": False, "COVID": False, "grid": False, "identity": False, "age": False, "keyboard": False}


@pytest.mark.parametrize(("name", "key"), KEYS.items(), ids=KEYS)
def test_keys_are_known_by_name(name, key):
    assert is_key(name) is key


TEXTS = {
    "codes with leading zeros": ({"00501", "10001"}, "categorical"),
    "zero is a number": ({"0", "12"}, "integer"),
    "zero point five is a number": ({"0.5", "1"}, "real"),
    "numbers with NA": ({"1", "NA", ""}, "integer"),
    "one text among numbers": ({"1", "x"}, "categorical"),
    "dates and moments": ({"2020-01-31", "2020-01-31T10:00"}, "datetime"),
    "nothing": ({"", "NA"}, "categorical"),
}


@pytest.mark.parametrize(("cells", "kind"), TEXTS.values(), ids=TEXTS)
def test_the_narrowest_kind_is_proposed(cells, kind):
    assert text_kind(cells) == kind
