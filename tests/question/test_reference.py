"""References: counted as anything else would count them, and no two that differ share a digest."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

from understudy.question.counting import counts
from understudy.question.reference import Reference
from understudy.refusal import Misuse

DOMAIN = {"a": 2, "b": 3, "c": 5}
CODES = {name: np.random.default_rng(i).integers(0, size, 200) for i, (name, size) in enumerate(DOMAIN.items())}


@pytest.mark.parametrize("columns", [("a",), ("c",), ("b", "a"), ("a", "b", "c"), ("c", "a")], ids="x".join)
def test_counts_are_those_of_a_counter(columns):
    seen = Counter(zip(*(CODES[name].tolist() for name in columns), strict=True))
    table = Reference.of_rows(CODES, DOMAIN)[columns]
    assert table.shape == tuple(DOMAIN[name] for name in columns)
    assert table.dtype == np.int64
    for cell in product(*(range(DOMAIN[name]) for name in columns)):
        assert table[cell] == seen[cell]


def test_counts_are_those_of_pandas():
    crossed = pd.crosstab(CODES["b"], CODES["c"])
    assert np.array_equal(counts([CODES["b"], CODES["c"]], (3, 5)), crossed.to_numpy())


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.int64])
def test_narrow_codes_do_not_overflow(dtype):
    codes = [np.array([199, 0, 199], dtype=dtype)] * 3
    table = counts(codes, (200, 200, 200))
    assert table.sum() == 3
    assert table[199, 199, 199] == 2


def test_no_rows_are_counted_as_zeros():
    nothing = np.array([], dtype=np.int64)
    assert Reference.of_rows({"a": nothing, "b": nothing}, DOMAIN)[("a", "b")].tolist() == [[0, 0, 0], [0, 0, 0]]


def changed(column, row, code):
    rows = CODES[column].copy()
    rows[row] = code
    return CODES | {column: rows}


OTHERS = {
    "another cell": (changed("a", 7, 1 - CODES["a"][7]), DOMAIN),
    "two rows exchanged": (CODES | {"c": CODES["c"][[1, 0, *range(2, 200)]]}, DOMAIN),
    "columns exchanged": (dict(reversed(CODES.items())), DOMAIN),
    "another name": ({"z": CODES["a"], "b": CODES["b"], "c": CODES["c"]}, DOMAIN | {"z": 2}),
    "a wider domain": (CODES, DOMAIN | {"b": 4}),
    "a row fewer": ({name: rows[:-1] for name, rows in CODES.items()}, DOMAIN),
    "rows moved from one column to the next": (
        {"a": CODES["a"][:-1], "b": np.append(CODES["a"][-1], CODES["b"])},
        DOMAIN,
    ),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_differs_has_another_digest(other):
    assert Reference.of_rows(*other).digest != Reference.of_rows(CODES, DOMAIN).digest


def test_the_width_of_the_codes_is_not_in_the_digest():
    narrow = {name: rows.astype(np.uint8) for name, rows in CODES.items()}
    assert Reference.of_rows(narrow, DOMAIN).digest == Reference.of_rows(CODES, DOMAIN).digest


def test_tables_that_differ_have_other_digests():
    table = np.arange(6).reshape(2, 3)
    every = [{("a", "b"): table}, {("a", "b"): table + 1}, {("b", "a"): table}, {("a", "b"): table.T}, {}]
    every.append({("a",): np.array([1]), ("b",): np.array([2])})
    every.append({("b",): np.array([2]), ("a",): np.array([1])})
    assert len({Reference.of_tables(tables).digest for tables in every}) == len(every)


@pytest.mark.parametrize("wrong", [np.zeros((4, 2, 3), dtype=np.int64), np.zeros(3, dtype=np.int64), np.zeros((2, 3))])
def test_a_table_is_laid_beside_one_of_its_shape_only(wrong):
    exact = np.ones((2, 3), dtype=np.int64)
    right = Reference.of_tables({("a", "b"): exact})
    assert right.beside(exact, ("a", "b")) is not None
    with pytest.raises(Misuse, match="a x b"):
        Reference.of_tables({("a", "b"): wrong}).beside(exact, ("a", "b"))
