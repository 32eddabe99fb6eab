"""One table through every source: the same codes, whatever carried it."""

import builtins
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from understudy.refusal import Misuse, Refusal, SchemaRefused, SourceRefused
from understudy.schema.column import Bad, Boolean, Identifier, Listed, Moment, Number
from understudy.schema.encode import codes
from understudy.schema.grid import Grid
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema, Unit
from understudy.source.source import read

CLINIC = from_dict(
    {
        "table": {"unit": "patient", "unit_column": "patient", "rows_per_unit": 2, "ignore": ["note"]},
        "columns": {
            "patient": {"kind": "identifier"},
            "zip": {"kind": "categorical", "values": ["00501", "10001"], "other": "elsewhere", "missing": [""]},
            "country": {"kind": "categorical", "values": ["NA", "DE"], "missing": [""]},
            "grade": {"kind": "ordinal", "values": [1, 2, 3], "missing": [""]},
            "age": {"kind": "integer", "min": 0, "max": 110, "step": 5, "missing": ["", "-9"]},
            "weight": {"kind": "real", "min": 0, "max": 200, "decimals": 1, "bins": 50, "missing": [""]},
            "smokes": {"kind": "boolean", "missing": [""]},
            "born": {"kind": "date", "min": "1900-01-01", "max": "2025-12-31", "missing": [""]},
            "seen": {"kind": "datetime", "min": "2020-01-01", "max": "2025-12-31", "unit": "hour", "missing": [""]},
        },
    }
)

TYPED = pa.table(
    {
        "note": ["x"] * 6,
        "seen": pa.array([dt.datetime(2021, 2, 3, 4, 5), None, dt.datetime(1999, 1, 1)] * 2, pa.timestamp("us")),
        "born": pa.array([dt.date(1950, 5, 6), dt.date(1880, 1, 1), None] * 2),
        "smokes": pa.array([True, False, None] * 2),
        "weight": pa.array([70.5, None, 1e300] * 2),
        "age": pa.array([42, -9, None, 0, 110, 2**40]),
        "grade": pa.array([1, None, 3, 2, 7, 1], pa.int8()),
        "country": pa.array(["NA", "DE", None, "NA", "FR", ""]),
        "zip": pa.array(["00501", "501", "10001", None, "00501", "x"]),
        "patient": pa.array(["b", "a", "b", "b", "c", None]),
    }
)


def as_csv(folder: Path) -> Any:
    def cell(value: object) -> str:
        return "" if value is None else f'"{value}"'

    rows = [TYPED.column_names, *zip(*TYPED.to_pydict().values(), strict=True)]
    (folder / "t.csv").write_text("\n".join(",".join(map(cell, row)) for row in rows))
    return folder / "t.csv"


def as_parquet(folder: Path) -> Any:
    pa.parquet.write_table(TYPED, folder / "t.parquet", row_group_size=2)
    return str(folder / "t.parquet")


def as_feather(folder: Path) -> Any:
    pa.feather.write_feather(TYPED, folder / "t.feather")
    return folder / "t.feather"


def as_stream(folder: Path) -> Any:
    with pa.ipc.new_stream(folder / "t.arrow", TYPED.schema) as stream:
        stream.write_table(TYPED, max_chunksize=2)
    return folder / "t.arrow"


def as_duckdb(folder: Path) -> Any:
    with duckdb.connect(str(folder / "t.duckdb")) as base:
        base.register("typed", TYPED)
        base.execute("CREATE TABLE visits AS FROM typed")
    return f"{folder / 't.duckdb'}::visits"


def as_query(folder: Path) -> Any:
    return as_duckdb(folder).replace("::visits", "::SELECT * EXCLUDE (note) FROM visits")


def as_object_frame(folder: Path) -> Any:
    frame = TYPED.to_pandas().astype(object)
    for name in TYPED.column_names:
        frame[name] = pd.Series(TYPED[name].to_pylist(), dtype=object)
    return frame


def dictionaries() -> pa.Table:
    """Each column in two chunks whose dictionaries differ."""
    parts = [[part.combine_chunks().dictionary_encode() for part in (c[:3], c[3:])] for c in TYPED.columns]
    return pa.table([pa.chunked_array(part) for part in parts], names=TYPED.column_names)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "parquet": as_parquet,
    "feather": as_feather,
    "arrow stream": as_stream,
    "duckdb table": as_duckdb,
    "duckdb query": as_query,
    "duckdb relation": lambda _: duckdb.from_arrow(TYPED),
    "pyarrow table": lambda _: TYPED,
    "pyarrow chunks": lambda _: pa.concat_tables([TYPED.slice(0, 1), TYPED.slice(1, 0), TYPED.slice(1)]),
    "pyarrow reader": lambda _: TYPED.to_reader(max_chunksize=2),
    "pyarrow batch": lambda _: TYPED.to_batches()[0],
    "pyarrow dictionaries": lambda _: dictionaries(),
    "pandas": lambda _: TYPED.to_pandas(),
    "pandas, indexed": lambda _: TYPED.to_pandas().set_index(pd.Index(list("uvwxyz"), name="index")),
    "pandas, arrow types": lambda _: TYPED.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas, objects": as_object_frame,
    "polars": lambda _: pl.from_arrow(TYPED),
    "polars, categorical": lambda _: pl.from_arrow(TYPED).with_columns(pl.col("zip", "patient").cast(pl.Categorical)),
    "narwhals": lambda _: nw.from_native(TYPED),
}


def coded(data: object, schema: Schema = CLINIC) -> dict[str, list[int]]:
    table = read(data, schema)
    assert table.column_names == [column.name for column in schema.modelled]
    return {column.name: codes(table[column.name], column).tolist() for column in schema.modelled}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_gives_the_codes_of_the_csv(name: str, tmp_path: Path) -> None:
    expected = coded(as_csv(tmp_path))
    assert expected["zip"] == [0, 2, 1, 0]  # the third row of patient b and the row without a patient are gone
    assert expected["age"] == [8, 23, 23, 22]
    assert coded(SOURCES[name](tmp_path)) == expected


ODD = [np.int64(1), np.bool_(True), float("inf"), Decimal("sNaN"), pd.NaT, pd.NA, np.array([1, 2]), pd.Timestamp(0)]
MIXED = [1, "1", True, None, float("nan"), 1.0, 2**70, dt.date(2020, 1, 1), [1], {"a": 1}, b"x", object(), *ODD]


def test_one_odd_cell_of_an_object_column_does_not_change_how_the_others_are_read() -> None:
    column = Listed("x", values=("1", "true"), other="other", missing=("",), bad=Bad.OTHER)
    yes = Boolean("y", true=("yes",), false=("no",), missing=("",))
    day = Moment("z", grid=Grid.even(18000, 19000, None), format="%d.%m.%Y", missing=("",))
    schema = Schema("t", Unit("row"), (column, yes, day))

    def read_cells(values: list[object]) -> list[tuple[int, ...]]:
        series = pd.Series(values, dtype=object)
        return list(zip(*coded(pd.DataFrame({"x": series, "y": series, "z": series}), schema).values(), strict=True))

    together = read_cells(MIXED)
    assert together == [read_cells([value])[0] for value in MIXED]
    assert [row[0] for row in together] == [0, 0, 1, 3, 3, 0, 2, 2, 3, 3, 3, 3, 0, 1, 2, 3, 3, 3, 3, 2]
    assert together[2][1] == 1
    assert together[7][2] == day.grid.cell(18262)


def test_nested_and_foreign_types_have_a_place_in_the_domain() -> None:
    columns = {
        "list": pa.array([[1], None, [2]]),
        "struct": pa.array([{"a": 1}, None, {"a": 2}]),
        "views": pa.array(["1", None, "x"], pa.string_view()),
        "runs": pa.RunEndEncodedArray.from_arrays([2, 3], pa.array(["1", None])),
        "bytes": pa.array([b"\xff", None, b"1"]),
        "uuid": pa.array([b"0" * 16, None, b"1" * 16], pa.uuid()),
        "nanoseconds": pa.array([1, None, 2**62], pa.timestamp("ns", "UTC")),
        "far": pa.array([2**62, None, 1], pa.timestamp("s")),
        "null": pa.nulls(3),
        "half": pa.array(np.array([1, np.nan, np.inf], np.float16)),
        "length": pa.array([dt.timedelta(1), None, dt.timedelta(2)]),
    }
    names = ("list", *(name for name in columns if name != "list"))
    schema = Schema("t", Unit("row"), tuple(Number(name, ("",), grid=Grid.even(0, 9, None)) for name in names))
    found = coded(pa.table(columns), schema)
    assert found["views"] == [1, 10, 10]
    assert found["list"] == [10, 10, 10]
    assert all(code < 11 for column in found.values() for code in column)


FLAWED = Schema("t", Unit("row"), (Listed("a", values=("x",)),))


@pytest.mark.parametrize(
    "name", ["t.parquet", "t.pq", "t.feather", "t.arrow", "t.ipc", "t.duckdb::visits", "t.duckdb::SELECT 1 AS a"]
)
@pytest.mark.parametrize("data", [b"", b"PAR1", b"ARROW1\0\0" + b"\xff" * 40, b"\xff" * 200, b"PAR1" * 30])
def test_a_corrupt_file_is_refused_without_a_word_of_it(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    Path(str(path).partition("::")[0]).write_bytes(data)
    if name.startswith("t.duckdb") and not data:
        pytest.skip("an empty file is an empty database")
    with pytest.raises(SourceRefused) as refusal:
        read(str(path), FLAWED)
    assert "\\x" not in str(refusal.value) and "offset" not in str(refusal.value)


def test_a_damaged_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pa.parquet.write_table(pa.table({"a": ["x" * 50] * 100}), path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    data[40:400] = b"\xff" * 360
    path.write_bytes(data)
    with pytest.raises(SourceRefused, match="not well-formed Parquet"):
        read(path, FLAWED)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_text_that_is_not_utf8_is_refused(kind: pa.DataType) -> None:
    broken = pa.array([b"\xff", b"x"], pa.large_binary() if kind == pa.large_string() else pa.binary()).view(kind)
    with pytest.raises(SourceRefused, match="does not convert to Arrow"):
        read(pa.table({"a": broken}), FLAWED)


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame])
def test_a_frame_must_have_the_declared_columns(make: Callable[[Any], Any]) -> None:
    with pytest.raises(SchemaRefused, match="no column 'a'"):
        read(make({"b": ["x"]}), FLAWED)
    with pytest.raises(SchemaRefused, match="columns that the schema does not declare"):
        read(make({"a": ["x"], "b": ["secret"]}), FLAWED)


def test_names_that_a_query_makes_of_cells_are_not_told(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as base:
        base.execute("CREATE TABLE p AS SELECT * FROM (VALUES ('ZQXJ', 1), ('b', 1)) AS v(x, a)")
    with pytest.raises(SchemaRefused) as said:
        read(f"{tmp_path}/t.duckdb::PIVOT p ON x USING count(*) GROUP BY a", FLAWED)
    assert "ZQXJ" not in str(said.value)


@pytest.mark.parametrize("kind", [object, "string[python]"])
def test_half_a_character_stops_no_other_row(kind: object) -> None:
    """A pandas cell may hold a surrogate, which is no text; and a category, values of any type."""
    whole = pd.DataFrame({"a": ["x", "y"]}, dtype=object)
    odd = pd.DataFrame({"a": ["x", "y", "\ud800"]}, dtype=object)
    assert read(odd.astype(kind), FLAWED)["a"].to_pylist() == [*read(whole.astype(kind), FLAWED)["a"].to_pylist(), None]
    assert read(pd.DataFrame({"a": pd.Categorical(["x", 1, None])}), FLAWED)["a"].to_pylist() == ["x", "1", None]


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaRefused, match="two columns of one name"):
        read(pa.table([pa.array(["x"])] * 2, names=["a", "a"]), FLAWED)
    with pytest.raises(SchemaRefused, match="two columns of one name"):
        read(pd.DataFrame([["x", "x"]], columns=["a", "a"]), FLAWED)


def test_names_with_dots_are_not_paths(tmp_path: Path) -> None:
    schema = Schema("t", Unit("row"), (Listed("a", values=("x",)), Listed("a.b", values=("y",))))
    pa.parquet.write_table(pa.table({"a.b": ["y"], "a": ["x"]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", schema).to_pydict() == {"a": ["x"], "a.b": ["y"]}


@pytest.mark.parametrize("data", ["rows.xlsx", Path("rows"), "rows.csv.gz", 42, None, [["x"]], {"a": ["x"]}])
def test_what_is_no_table_is_misuse(data: object) -> None:
    with pytest.raises(Misuse):
        read(data, FLAWED)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.arrow", "t.duckdb::t", "a\0b.csv"])
def test_a_file_that_is_not_there_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceRefused):
        read(f"{tmp_path}/{name}", FLAWED)


@pytest.mark.parametrize(
    "query",
    [
        "nothing",
        "SELECT * FROM 'other.csv'",
        "SELECT CAST(zip AS INTEGER) AS a FROM visits",
        "SELECT error('secret') AS a",
        "COPY visits TO 'other.csv'",
        "DROP TABLE visits",
        "INSTALL httpfs",
        "FROM FLAWED",
        "SELECT",
        "",
    ],
)
def test_a_query_that_fails_is_refused_in_constant_words(query: str, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a\nsecret\n")
    path = as_duckdb(tmp_path).replace("visits", query.replace("'other", f"'{tmp_path}/other"))
    with pytest.raises(SourceRefused) as refusal:
        read(path, FLAWED)
    assert str(refusal.value) == "the database does not answer the query; try it with duckdb itself"


def test_without_duckdb_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = builtins.__import__

    def without(name: str, *rest: Any, **words: Any) -> Any:
        if name == "duckdb":
            raise ImportError(name)
        return whole(name, *rest, **words)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(Misuse, match=r"pip install 'understudy\[sql\]'"):
        read("t.duckdb::t", FLAWED)


class Failing:
    """A frame that quotes a row as it fails."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise RuntimeError("cell 'secret' cannot be converted")


def test_a_foreign_frames_own_words_are_not_passed_on() -> None:
    with pytest.raises(SourceRefused) as refusal:
        read(Failing(), FLAWED)
    assert "secret" not in str(refusal.value)


NEIGHBOURS = {
    "ragged and not utf-8": (b"a\nx\n\xff\n", b"a\nx\nx,x\n"),
    "unclosed quote and NUL": (b'a\nx\n"\n', b"a\n\0\nx\n"),
    "bare CR and text behind a quote": (b"a\nx\rx\n", b'a\nx\n"x"x\n'),
    "far down and at once": (b"a\n" + b"x\n" * 10_000 + b'x"', b"a\nx,\n"),
}


@pytest.mark.parametrize("case", NEIGHBOURS)
def test_neighbours_that_fail_differently_are_refused_alike(case: str, tmp_path: Path) -> None:
    said = []
    for data in NEIGHBOURS[case]:
        (tmp_path / "t.csv").write_bytes(data)
        with pytest.raises(Refusal) as refusal:
            read(tmp_path / "t.csv", FLAWED)
        said.append((str(refusal.value), refusal.value.code, type(refusal.value)))
    assert said[0] == said[1]


def test_an_identifier_is_read_only_where_it_is_the_unit() -> None:
    schema = Schema("t", Unit("row"), (Identifier("id"), Listed("a", values=("x",))))
    assert read(pa.table({"a": ["x"], "id": ["1"]}), schema).column_names == ["a"]
