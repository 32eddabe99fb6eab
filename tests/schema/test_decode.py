"""What is decoded is of exactly the declared type, and is read back as the same cell."""

from datetime import datetime

import numpy as np
import pyarrow as pa
import pytest
from any_schema import any_column
from hypothesis import given
from hypothesis import strategies as st

from understudy.schema.column import Boolean, Identifier, Listed, Moment, Number, Pending
from understudy.schema.decode import arrow_type, decode, identifiers
from understudy.schema.grid import Grid
from understudy.schema.kinds import column_from
from understudy.schema.parse import reader

RNG = np.random.default_rng(0)


@given(any_column, st.integers(0, 2**32))
def test_every_cell_is_read_back_as_itself(column, seed):
    codes = np.tile(np.arange(column.size), 3)
    values = decode(codes, column, np.random.default_rng(seed))
    assert values.type == arrow_type(column)
    assert [reader(column)(value) for value in values.to_pylist()] == codes.tolist()


@given(any_column.filter(lambda c: isinstance(c, Number) or (isinstance(c, Moment) and c.format is None)))
def test_numbers_and_moments_are_read_back_from_their_text(column):
    codes = np.arange(column.values_size)
    values = decode(codes, column, RNG).to_pylist()
    assert [reader(column)(str(value)) for value in values] == codes.tolist()


@given(any_column)
def test_no_rows_have_a_type_too(column):
    assert decode(np.zeros(0, dtype=np.uint8), column, RNG).type == arrow_type(column)


ONE = Grid((0,), 0)
TYPES = {
    "texts": (Listed("c", ("",), values=("00501", "b")), pa.string(), ["00501", "b", None]),
    "integers of a list": (Listed("c", ("",), values=(3, 1), other=9), pa.int64(), [3, 1, 9, None]),
    "integers with nulls stay integers": (Number("c", ("",), grid=ONE), pa.int64(), [0, None]),
    "reals": (Number("c", ("",), grid=Grid((25,), 25), decimals=2, real=True), pa.float64(), [0.25, None]),
    "booleans": (Boolean("c", ("",)), pa.bool_(), [False, True, None]),
    "dates": (Moment("c", ("",), grid=ONE), pa.date32(), [datetime(1970, 1, 1).date(), None]),
    "moments": (Moment("c", grid=ONE, unit="hour", clock=True), pa.timestamp("s"), [datetime(1970, 1, 1)]),
}


@pytest.mark.parametrize(("column", "kind", "values"), TYPES.values(), ids=TYPES)
def test_types(column, kind, values):
    decoded = decode(np.arange(column.size, dtype=np.uint8), column, RNG)
    assert decoded.type == kind and decoded.to_pylist() == values


def zurich(unit, low, high, step):
    words = {"kind": "datetime", "timezone": "Europe/Zurich", "unit": unit, "min": low, "max": high, "step": step}
    return column_from("visit", words)


def test_a_moment_keeps_its_timezone_and_its_clock():
    column = zurich("hour", "2024-07-01T00:00", "2024-07-01T23:00", 1)
    values = decode(np.array([10]), column, RNG)
    assert values.type == pa.timestamp("s", "Europe/Zurich")
    assert values.to_pylist()[0].isoformat() == "2024-07-01T10:00:00+02:00"


def test_days_with_a_change_of_clock_are_read_back():
    column = zurich("minute", "2024-03-01T00:00", "2024-11-30T23:59", 1440)
    codes = np.repeat(np.arange(column.size), 50)
    assert [reader(column)(v) for v in decode(codes, column, RNG).to_pylist()] == codes.tolist()


def test_a_clock_time_that_spring_skips_is_the_first_that_exists():
    column = zurich("hour", "2024-03-31T00:00", "2024-03-31T23:00", 1)
    codes = np.arange(24)
    back = [reader(column)(value) for value in decode(codes, column, RNG).to_pylist()]
    assert back == [0, 1, 3, *range(3, 24)]


def test_an_hour_that_autumn_repeats_is_read_back():
    column = zurich("hour", "2024-10-27T00:00", "2024-10-27T23:00", 1)
    codes = np.arange(24)
    assert [reader(column)(value) for value in decode(codes, column, RNG).to_pylist()] == codes.tolist()


KEYS = {
    "text with prefix and width": (Identifier("id", prefix="P", width=4), ["P0001", "P0002"]),
    "plain text": (Identifier("id"), ["1", "2"]),
    "integers": (Identifier("id", text=False), [1, 2]),
}


@pytest.mark.parametrize(("column", "keys"), KEYS.values(), ids=KEYS)
def test_keys_are_made_anew(column, keys):
    made = identifiers(2, column)
    assert made.to_pylist() == keys and made.type == arrow_type(column)


@pytest.mark.parametrize("column", [Identifier("id"), Pending("later")], ids=["an identifier", "a pending column"])
def test_what_has_no_cells_is_not_decoded(column):
    with pytest.raises(TypeError):
        decode(np.zeros(1, dtype=np.uint8), column, RNG)
