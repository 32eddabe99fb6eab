"""Codes of an Arrow column are those of the reader, row by row, whatever the column's type and chunks."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from any_schema import any_column, looks_readable
from hypothesis import given
from hypothesis import strategies as st

from understudy.schema.column import Bad, Boolean, Listed, Moment, Number
from understudy.schema.encode import code_type, codes, distinct_values
from understudy.schema.grid import Grid
from understudy.schema.parse import reader

CELLS = {
    pa.string(): st.text() | looks_readable,
    pa.large_string(): looks_readable,
    pa.string_view(): looks_readable,
    pa.int8(): st.integers(-128, 127),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float64(): st.floats(),
    pa.bool_(): st.booleans(),
    pa.decimal128(9, 2): st.decimals(-(10**6), 10**6, places=2),
    pa.date32(): st.dates(),
    pa.timestamp("us"): st.datetimes(),
    pa.timestamp("ms", "Europe/Zurich"): st.datetimes(
        datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)
    ).map(lambda moment: moment.replace(microsecond=0)),
    pa.duration("us"): st.timedeltas(timedelta(-999), timedelta(999)),
    pa.binary(): st.binary(),
    pa.list_(pa.int64()): st.lists(st.integers(0, 9)),
    pa.struct([("a", pa.string())]): st.fixed_dictionaries({"a": st.text(max_size=2)}),
    pa.dictionary(pa.int32(), pa.string()): looks_readable,
    pa.null(): st.none(),
}


@st.composite
def arrow_columns(draw):
    """A chunked Arrow column of any of the types, with nulls."""
    kind = draw(st.sampled_from(list(CELLS)))
    chunks = draw(st.lists(st.lists(st.none() | CELLS[kind], max_size=6), max_size=3))
    return pa.chunked_array([pa.array(chunk, type=kind) for chunk in chunks], type=kind)


@given(arrow_columns(), any_column)
def test_codes_are_the_readers_row_by_row(array, column):
    found = codes(array, column)
    assert found.dtype == code_type(column.size)
    assert found.tolist() == [reader(column)(value) for value in array.to_pylist()]


BORN = Moment("born", ("",), Bad.MISSING, Grid.stepped(0, 36_500, 1))
HOUR = Moment("visit", ("",), Bad.MISSING, Grid.stepped(0, 999, 1), "hour", None, None, True)
LETTERS = Listed("letter", ("",), Bad.OTHER, tuple(str(i) for i in range(200)), "other")


def narrow(texts):
    """A dictionary array whose indices have eight bits."""
    return pa.DictionaryArray.from_arrays(pa.array(range(len(texts)), type=pa.int8()), pa.array(texts))


def many(count):
    return [str(i) for i in range(count)]


CASES = {
    "no chunks": (pa.chunked_array([], pa.string()), LETTERS, []),
    "no rows": (pa.chunked_array([pa.array([], pa.string())]), LETTERS, []),
    "no rows of a dictionary": (pa.chunked_array([], pa.dictionary(pa.int8(), pa.string())), LETTERS, []),
    "only nulls": (pa.chunked_array([pa.nulls(2)]), LETTERS, [201, 201]),
    "a dictionary that fills its narrow indices": (pa.chunked_array([narrow(many(128))]), LETTERS, list(range(128))),
    "dictionaries that disagree": (pa.chunked_array([narrow(["1", "2"]), narrow(["2", "x"])]), LETTERS, [1, 2, 2, 200]),
    "dictionaries too large together for their indices": (
        pa.chunked_array([narrow(many(128)), narrow([str(i) for i in range(100, 200)])]),
        LETTERS,
        [*range(128), *range(100, 200)],
    ),
    "a null inside a dictionary": (
        pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["7", None]))]),
        LETTERS,
        [7, 201, 201],
    ),
    "nanoseconds": (pa.chunked_array([pa.array([3600 * 10**9 + 1, None], pa.timestamp("ns"))]), HOUR, [1, 1000]),
    "nanoseconds in Zurich": (
        pa.chunked_array([pa.array([3600 * 10**9 + 1], pa.timestamp("ns", "Europe/Zurich"))]),
        Moment("visit", ("",), Bad.MISSING, Grid.stepped(0, 999, 1), "hour", "Europe/Zurich", None, True),
        [2],
    ),
    "a year beyond the calendar is unreadable": (
        pa.chunked_array([pa.array([2**50], pa.timestamp("s"))]),
        HOUR,
        [1000],
    ),
    "a day beyond the calendar is unreadable": (pa.chunked_array([pa.array([2**30], pa.date32())]), BORN, [36_501]),
    "a decimal of 32 bits, which Arrow cannot yet count": (
        pa.chunked_array([pa.array([1, 2], pa.decimal32(3, 0))]),
        Number("n", grid=Grid.even(0, 9, None)),
        [1, 2],
    ),
    "not a number in a column that is not nullable": (
        pa.chunked_array([pa.array([float("nan"), 3.0])]),
        Number("n", grid=Grid.even(0, 9, None)),
        [0, 3],
    ),
    "booleans": (pa.chunked_array([[True, None, False]]), Boolean("b", ("",)), [1, 2, 0]),
    "dates": (pa.chunked_array([[date(1970, 1, 3)]]), BORN, [2]),
}


@pytest.mark.parametrize(("array", "column", "expected"), CASES.values(), ids=CASES)
def test_awkward_columns(array, column, expected):
    assert codes(array, column).tolist() == expected


def test_each_distinct_value_is_read_once():
    distinct, index = distinct_values(pa.chunked_array([["a", "b"], ["b", None]]))
    assert distinct == ["a", "b"] and index.tolist() == [0, 1, 1, 2]


@pytest.mark.parametrize(("size", "bits"), [(1, 8), (256, 8), (257, 16), (65_536, 16), (65_537, 32)])
def test_codes_take_the_fewest_bits(size, bits):
    assert code_type(size) == np.dtype(f"uint{bits}")
