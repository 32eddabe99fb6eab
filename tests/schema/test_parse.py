"""Parsing is total, and every kind of cell goes where the schema says."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from any_schema import any_column, any_value
from hypothesis import given

from understudy.schema.column import Bad, Boolean, Identifier, Listed, Moment, Number
from understudy.schema.grid import Grid
from understudy.schema.kinds import column_from
from understudy.schema.parse import reader, text_reader, tick_reader


@given(any_column, any_value)
def test_every_value_has_a_cell(column, value):
    code = reader(column)(value)
    assert type(code) is int and 0 <= code < column.size


@given(any_column, any_value)
def test_readers_for_discovery_are_total(column, value):
    assert isinstance(text_reader(column)(value), str | None)
    assert isinstance(tick_reader(column)(value), int | None)


AGE = Number("age", grid=Grid.even(0, 99, None))
AGE_OR_NOT = Number("age", missing=("", "-9"), grid=Grid.even(0, 99, None))
STRICT = Number("age", missing=("",), bad=Bad.MISSING, grid=Grid.even(0, 99, None))
COST = Number("cost", missing=("",), grid=Grid.stepped(0, 100_000, 100), decimals=2, real=True)
ZIP = Listed("zip", values=("00501", "10001"), other="elsewhere", bad=Bad.OTHER)
OPEN_OR_MISSING = Listed("zip", ("",), Bad.MISSING, ("00501",), "elsewhere")
GRADE = Listed("grade", missing=("9",), values=(1, 2, 3), ordered=True)
SMOKES = Boolean("smokes", missing=("",), true=("yes",), false=("no",))
BORN = Moment("born", missing=("",), grid=Grid.stepped(0, 36_500, 1))
SWISS = Moment("born", missing=("",), grid=Grid.stepped(0, 36_500, 1), format="%d.%m.%Y")
VISIT = Moment("visit", ("",), Bad.CLAMP, Grid.stepped(0, 10**6, 1), "hour", "Europe/Zurich", None, True)
NEW_YEAR = 24 * 365  # hours from 1970 to 1971

CASES = {
    "an integer as text": (AGE, "42", 42),
    "an integer as a float of a frame": (AGE, 42.0, 42),
    "an integer as a decimal": (AGE, Decimal("42.00"), 42),
    "a fraction in an integer column is unreadable": (AGE_OR_NOT, 41.5, 100),
    "below the bounds is clamped": (AGE, "-7", 0),
    "an integer column reads no exponents": (AGE_OR_NOT, "1e1", 100),
    "a real far beyond the bounds is clamped": (COST, "99e999999", 1000),
    "a huge integer is clamped": (AGE, 10**5000, 99),
    "a huge integer is clamped in a nullable column": (AGE_OR_NOT, 10**5000, 99),
    "beyond the bounds is missing where the rule says so": (STRICT, "100", 100),
    "a missing code as text": (AGE_OR_NOT, "-9", 100),
    "a missing code as an integer": (AGE_OR_NOT, -9, 100),
    "a missing code as a float": (AGE_OR_NOT, -9.0, 100),
    "null is missing": (AGE_OR_NOT, None, 100),
    "not a number is missing": (AGE_OR_NOT, float("nan"), 100),
    "infinity is unreadable": (AGE_OR_NOT, float("inf"), 100),
    "unreadable without a missing cell is the first": (AGE, "forty", 0),
    "a list is unreadable": (AGE_OR_NOT, [1], 100),
    "a truth value is not a number": (AGE_OR_NOT, True, 100),
    "digits of other scripts are not numbers": (AGE_OR_NOT, "٣", 100),
    "a blank around a number is not a number": (AGE_OR_NOT, " 42", 100),
    "a real in its cell": (COST, "12.34", 12),
    "the float 0.29 is 29 ticks and not 28": (
        Number("x", grid=Grid.even(0, 99, None), decimals=2, real=True),
        0.29,
        29,
    ),
    "a leading zero is kept": (ZIP, "00501", 0),
    "a code without its leading zero is another code": (ZIP, "501", 2),
    "the text of other is other": (OPEN_OR_MISSING, "elsewhere", 1),
    "unlisted is missing where the rule says so": (OPEN_OR_MISSING, "99999", 2),
    "an integer value as text": (GRADE, "2", 1),
    "an integer value as a float": (GRADE, 2.0, 1),
    "an integer missing code": (GRADE, 9, 3),
    "a boolean as text": (SMOKES, "yes", 1),
    "a boolean as a boolean": (SMOKES, False, 0),
    "a numpy-like one in a boolean column": (Boolean("b"), 1, 1),
    "another text in a boolean column": (SMOKES, "maybe", 2),
    "a false is not the missing code 'false'": (Boolean("b", ("false",), true=("y",), false=("n",)), False, 0),
    "a date as text": (BORN, "1970-01-02", 1),
    "a date as a date": (BORN, date(1970, 1, 2), 1),
    "a moment in a date column is its day": (BORN, datetime(1970, 1, 2, 23, 59), 1),
    "midnight in Zurich stays on its day": (BORN, datetime(1970, 1, 2, tzinfo=timezone(timedelta(hours=1))), 1),
    "a day that does not exist": (BORN, "2020-02-30", 36_501),
    "a date in the declared format": (SWISS, "02.01.1970", 1),
    "a date in another format": (SWISS, "1970-01-02", 36_501),
    "a moment without offset is on the column's clock": (VISIT, "1971-01-01T00:30", NEW_YEAR),
    "a moment with offset is moved to the column's clock": (VISIT, datetime(1971, 1, 1, tzinfo=UTC), NEW_YEAR + 1),
    "the last moment of the calendar is clamped": (VISIT, "9999-12-31T23:59:59Z", 10**6),
    "the first moment of the calendar is clamped": (VISIT, "0001-01-01T00:00+10:00", 0),
}


@pytest.mark.parametrize(("column", "value", "code"), CASES.values(), ids=CASES)
def test_where_a_cell_goes(column, value, code):
    assert reader(column)(value) == code


def test_an_identifier_is_never_read():
    with pytest.raises(TypeError, match="not modelled"):
        reader(Identifier("id"))


def test_ticks_beyond_what_a_float_can_carry_are_held_at_the_limit():
    assert tick_reader(COST)("1e300") == 10**15 and tick_reader(AGE)(-(10**30)) == -(2**61)


def test_discovery_sees_no_missing_codes():
    assert tick_reader(AGE_OR_NOT)(-9) is None and tick_reader(AGE_OR_NOT)("41") == 41
    assert text_reader(GRADE)(9) is None and text_reader(GRADE)(2.0) == "2"


def test_one_column_from_words_reads_as_its_section_says():
    born = column_from("born", {"kind": "date", "min": "2000-01-01", "max": "2000-12-31", "bins": 366})
    assert reader(born)("2000-03-01") == 60
