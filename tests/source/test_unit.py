"""Contribution bounding: the law, and keys of every type."""

import time
from collections import Counter
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.refusal import SourceRefused
from understudy.schema.column import Identifier, Listed, Number
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema, Unit
from understudy.source.source import read
from understudy.source.unit import bound

CELL = Number("cell", grid=Grid.even(0, 99, None))


def visits(rows: int) -> Schema:
    return Schema("visits", Unit("patient", "id", rows), (Identifier("id"), CELL))


def kept(keys: pa.Array, rows: int = 1) -> list[int]:
    """The row numbers that remain."""
    table = pa.table({"id": keys, "cell": np.arange(len(keys))})
    return bound(table, visits(rows)).column("cell").to_pylist()


records = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 3)), max_size=30)


@given(records, st.integers(1, 3), st.sampled_from("abcde"))
def test_neighbouring_tables_differ_in_at_most_rows_rows_of_that_unit(
    rows: list[tuple[str, int]], most: int, unit: str
) -> None:
    schema = Schema("visits", Unit("patient", "id", most), (Listed("id", values=tuple("abcde")), CELL))

    def bounded(part: list[tuple[str, int]]) -> list[tuple[str, int]]:
        table = pa.table({"id": pa.array([key for key, _ in part], pa.string()), "cell": [cell for _, cell in part]})
        return [tuple(row.values()) for row in bound(table, schema).to_pylist()]

    more, fewer = bounded(rows), bounded([row for row in rows if row[0] != unit])
    assert [row for row in more if row[0] != unit] == fewer
    assert max(Counter(key for key, _ in more).values(), default=0) <= most
    own = [row for row in rows if row[0] == unit]
    assert [row for row in more if row[0] == unit] == own[:most]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (pa.array(["501", "00501", "501", "501 "]), [0, 1, 3]),
        (pa.array([501, 501, 7, None], pa.int64()), [0, 2]),
        (pa.array([Decimal("1.0"), Decimal("1.00"), None]), [0]),
        (pa.array(["", None, "x", ""]), [2]),
        (pa.array(["x", "y", "x"], pa.large_string()), [0, 1]),
        (pa.array([b"\xff", b"", b"\xff", b"x"]), [0, 3]),
        (pa.array([b"ab", b"cd", b"ab"], pa.binary(2)), [0, 1]),
        (pa.array([b"0" * 16, b"1" * 16, b"0" * 16], pa.uuid()), [0, 1]),
        (pa.array([True, False, True, None]), [0, 1]),
        (pa.nulls(3), []),
        (pa.DictionaryArray.from_arrays([0, 1, 2, None, 3], ["x", "x", "y", ""]), [0, 2]),
        (pa.array([], pa.string()), []),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_units_are_compared_by_the_value_of_their_type(keys: pa.Array, expected: list[int]) -> None:
    assert kept(keys) == expected


def test_chunks_with_different_dictionaries_share_their_units() -> None:
    chunks = [pa.array(part).dictionary_encode() for part in (["b", "a"], ["a", "b", "c"])]
    table = pa.table({"id": pa.chunked_array(chunks), "cell": range(5)})
    assert bound(table, visits(1)).column("cell").to_pylist() == [0, 1, 4]


def test_a_table_without_chunks_stays_empty() -> None:
    table = pa.table({"id": pa.chunked_array([], pa.string()), "cell": pa.chunked_array([], pa.int64())})
    assert bound(table, visits(2)).num_rows == 0


def test_declared_missing_codes_name_nobody() -> None:
    unit = Listed("ward", values=("a", "b"), missing=("?",))
    schema = Schema("wards", Unit("ward", "ward"), (unit, CELL))
    table = pa.table({"ward": ["?", "a", "", "b", None], "cell": range(5)})
    assert bound(table, schema).to_pydict() == {"ward": ["a", "b"], "cell": [1, 3]}


def test_missing_codes_of_a_numeric_unit_are_compared_as_text() -> None:
    unit = Number("house", missing=("-9",), grid=Grid.even(0, 9, None))
    schema = Schema("houses", Unit("house", "house"), (unit, CELL))
    for kind in (pa.int16(), pa.int64()):
        table = pa.table({"house": pa.array([-9, 3, -9, 3], kind), "cell": range(4)})
        assert bound(table, schema).column("cell").to_pylist() == [1]


def test_what_stands_for_unknown_is_declared_of_any_unit_column() -> None:
    """Undeclared, those who are unknown are one unit, and a neighbour takes another's place in it: the second row's."""
    table = pa.table({"id": ["NA", "NA", "7", "0"], "cell": range(4)})
    for missing, kept in [((), [0, 2, 3]), (("NA", "0"), [2])]:
        schema = Schema("visits", Unit("patient", "id", 1, missing), (Identifier("id"), CELL))
        assert bound(table, schema).column("cell").to_pylist() == kept


def test_an_ignored_unit_column_is_used_and_dropped() -> None:
    schema = Schema("visits", Unit("patient", "id", 2), (CELL,), ignored=("id",))
    table = pa.table({"id": ["a", "a", "a", "b"], "cell": range(4)})
    assert bound(table, schema).to_pydict() == {"cell": [0, 1, 3]}


def test_without_a_unit_column_every_row_is_its_own() -> None:
    schema = Schema("people", Unit("person"), (CELL,))
    assert bound(pa.table({"cell": [1, 1, 1]}), schema).num_rows == 3


NAMELESS = [pa.list_(pa.int64()), pa.float64(), pa.float16(), pa.dictionary(pa.int8(), pa.float32())]
NAMING = [pa.timestamp("s"), pa.decimal128(9, 2), pa.null(), pa.date32(), pa.bool_(), pa.binary(3), pa.uuid()]


@pytest.mark.parametrize("rows", [0, 1])
def test_a_key_that_names_nobody_is_refused_by_its_type(rows: int) -> None:
    """Whatever the rows are: a table and its neighbour of none are refused alike, or neither is."""
    for kind in NAMELESS:
        with pytest.raises(SourceRefused, match="'id' has a type that cannot name a unit"):
            kept(pa.nulls(rows, kind))
    for kind in NAMING:
        assert kept(pa.nulls(rows, kind)) == []


def test_among_objects_a_rounded_number_names_nobody() -> None:
    """Two people whose keys were rounded together would share their rows: one who comes takes the other's place."""
    import pandas as pd

    keys = [7, 7.0, "7", 0.5, 2.0**53, 2.0**53 + 1, 2**53 + 1, np.float32(3), float("nan"), None]
    for kind in (object, "category"):
        frame = pd.DataFrame({"id": pd.Series(keys, dtype=object).astype(kind), "cell": range(len(keys))})
        assert read(frame, visits(1)).column("cell").to_pylist() == [0, 6]


def test_two_hundred_thousand_rows_take_well_under_a_second() -> None:
    numbers = np.random.default_rng(0).integers(0, 50_000, 200_000)
    for keys in (pa.array(numbers), pa.array([f"P{number:06d}" for number in numbers])):
        begun = time.perf_counter()
        assert len(kept(keys, 2)) == np.minimum(np.bincount(numbers), 2).sum()
        assert time.perf_counter() - begun < 1
