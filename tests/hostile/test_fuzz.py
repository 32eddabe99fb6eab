"""Random schemas and random files: a table in the domain, or a refusal; never another exception, never slow."""

import string
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from understudy.refusal import Refusal
from understudy.schema.column import Bad, Boolean, Column, Identifier, Listed, Moment, Number
from understudy.schema.encode import codes
from understudy.schema.grid import Grid
from understudy.schema.schema import Csv, Schema, Unit
from understudy.source.complaint import complaints
from understudy.source.source import read

ODD_CELLS = ["", "NA", "00501", "1e400", "inf", "-nan", str(2**70), "1e999999", "2021-02-29", "2020-01-01T00:00+99:99"]
ODD_CELLS += ["9999-12-31T23:59:59.999999Z", "true", "yes", "\0", "\r", "\n", '"', '""', 'a"b', ",", ";", "\ufeff", "٧"]


@st.composite
def columns(draw: DrawFn, name: str) -> Column:
    """A column of any kind."""
    missing = draw(st.sampled_from([None, ("",), ("", "NA"), ("-9",)]))
    bad = draw(st.sampled_from([Bad.CLAMP, Bad.MISSING] if missing else [Bad.CLAMP]))
    low = draw(st.integers(-(10**9), 10**9))
    grid = Grid.even(low, low + draw(st.integers(0, 10**6)), draw(st.integers(1, 40)))
    zone = draw(st.sampled_from([None, "UTC", "Europe/Berlin"]))
    pattern = draw(st.sampled_from([None, "%d.%m.%Y", "%j", "%"]))
    return draw(
        st.sampled_from(
            [
                Listed(name, missing, bad, ("a", "b", "00501")),
                Listed(name, missing, Bad.OTHER, (1, 2, 3), 0, ordered=True),
                Boolean(name, missing, bad),
                Number(name, missing, bad, grid),
                Number(name, missing, bad, grid, decimals=draw(st.integers(0, 5)), real=True),
                Moment(name, missing, bad, grid, format=pattern),
                Moment(name, missing, bad, grid, unit="minute", timezone=zone, clock=True),
            ]
        )
    )


@st.composite
def schemas(draw: DrawFn) -> Schema:
    """A schema of one to four columns, with or without a unit, in any encoding."""
    names = draw(st.lists(st.sampled_from("pqrs"), min_size=1, max_size=4, unique=True))
    modelled = tuple(draw(columns(name)) for name in names)
    unit, extra = draw(st.sampled_from([(Unit("row"), ()), (Unit("person", "id", 2), (Identifier("id"),))]))
    encodings = ["utf-8", "utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-7", "shift_jis"]
    csv = Csv(draw(st.sampled_from(",;\t|")), draw(st.sampled_from(encodings)), draw(st.sampled_from("\"'")))
    return Schema("fuzz", unit, (*modelled, *extra), csv=csv, ignored=draw(st.sampled_from([(), ("note",)])))


def files(schema: Schema) -> SearchStrategy[bytes]:
    """Anything: random bytes, or a file that is nearly a table of the schema."""
    header = schema.csv.delimiter.join([column.name for column in schema.columns])
    words = st.one_of(st.sampled_from(ODD_CELLS), st.text(max_size=5), st.integers().map(str), st.dates().map(str))
    quoted = words.map(
        lambda word: schema.csv.quote + word.replace(schema.csv.quote, schema.csv.quote * 2) + schema.csv.quote
    )
    width = len(schema.columns)
    row = st.lists(st.one_of(words, quoted), min_size=width, max_size=width).map(schema.csv.delimiter.join)
    odd_row = st.one_of(row, row, row, st.text(string.printable, max_size=20))
    body = st.lists(odd_row, max_size=8).map("\n".join)
    nearly = body.map(lambda text: f"{header}\n{text}".encode(schema.csv.encoding, "replace"))
    return st.one_of(nearly, nearly, st.tuples(nearly, st.binary(max_size=4)).map(b"".join), st.binary(max_size=60))


def hold(data: bytes, schema: Schema, path: Path) -> None:
    """The law of the entrance, for one file."""
    path.write_bytes(data)
    begun = time.perf_counter()
    try:
        table = read(path, schema)
    except Refusal as refusal:
        table = None
        assert not any(len(word) > 3 and word in str(refusal) for word in ODD_CELLS)
    assert time.perf_counter() - begun < 2
    if path.suffix == ".csv":
        assert (table is None) == bool(complaints(path, schema))
    if table is not None:
        assert table.column_names == [column.name for column in schema.modelled]
        for column in schema.modelled:
            found = codes(table[column.name], column)
            assert len(found) == table.num_rows
            assert (found < column.size).all()


cases = schemas().flatmap(lambda schema: st.tuples(files(schema), st.just(schema)))
unhurried = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=300)


@unhurried
@given(case=cases)
def test_any_csv_is_a_table_in_the_domain_or_a_refusal(
    case: tuple[bytes, Schema], tmp_path_factory: pytest.TempPathFactory
) -> None:
    hold(*case, tmp_path_factory.getbasetemp() / "fuzz.csv")


@pytest.mark.full
@settings(unhurried, max_examples=10_000)
@given(case=cases)
def test_any_of_ten_thousand_csvs_is_a_table_in_the_domain_or_a_refusal(
    case: tuple[bytes, Schema], tmp_path_factory: pytest.TempPathFactory
) -> None:
    hold(*case, tmp_path_factory.getbasetemp() / "fuzz.csv")


def parquet(schema: Schema) -> SearchStrategy[bytes]:
    """A Parquet file of texts with a few bytes changed."""

    def damaged(cells: list[str], changes: list[tuple[int, int]]) -> bytes:
        sink = pa.BufferOutputStream()
        table = pa.table({column.name: pa.array(cells, pa.string()) for column in schema.columns})
        pa.parquet.write_table(table, sink, compression="none")
        data = bytearray(sink.getvalue().to_pybytes())
        for place, byte in changes:
            data[place % len(data)] = byte
        return bytes(data)

    changes = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=3)
    return st.builds(damaged, st.lists(st.sampled_from(ODD_CELLS), max_size=6), changes)


@settings(unhurried, max_examples=100)
@given(case=schemas().flatmap(lambda schema: st.tuples(parquet(schema), st.just(schema))))
def test_any_damaged_parquet_is_a_table_in_the_domain_or_a_refusal(
    case: tuple[bytes, Schema], tmp_path_factory: pytest.TempPathFactory
) -> None:
    hold(*case, tmp_path_factory.getbasetemp() / "fuzz.parquet")
