"""Conditional rows at the terminal: what was given stands in every row, and what cannot be is refused."""

import csv
import io

import pytest


def rows_of(said):
    return list(csv.DictReader(io.StringIO(said.out)))


def test_what_is_given_stands_in_every_row(say, bundle):
    rows = rows_of(say("sample B --rows 40 --given smokes=n --given age=42"))
    assert {(row["smokes"], row["age"]) for row in rows} == {("n", "42")} and len(rows) == 40
    assert len({row["age"] for row in rows_of(say("sample B --rows 40 --given smokes=n"))}) > 1


REFUSED = {
    "sample B --rows 5 --given smokes": (2, "COLUMN=VALUE"),
    "sample B --rows 5 --given smokes=y --given smokes=n": (2, "given twice"),
    "sample B --rows 5 --given smokes=maybe": (2, "not in the domain of column 'smokes'"),
    "sample B --rows 5 --given age=100": (2, "not in the domain of column 'age'"),
    "sample B --rows 5 --given id=p1": (2, "identifier"),
    "sample B --rows 5 --given height=1": (4, "no column 'height'"),
}


@pytest.mark.parametrize(("words", "code", "rule"), [(w, *r) for w, r in REFUSED.items()], ids=REFUSED)
def test_what_cannot_be_given_is_refused(say, bundle, words, code, rule):
    said = say(words)
    assert said.code == code and rule in said.err and said.out == ""
