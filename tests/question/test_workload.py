"""Workloads: k-way marginals are all of them, in schema order; a file says what it says; what cannot be is refused."""

import json
import time
from itertools import combinations
from math import comb

import pytest

from understudy.question.workload import LARGEST, MANY, Workload, read_workload, ways
from understudy.refusal import Infeasible, Misuse
from understudy.schema.column import Boolean, Identifier, Number
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema, Unit


def schema_of(*names):
    return Schema("t", Unit("person"), (Identifier("key"), *(Boolean(name) for name in names)))


LETTERS = schema_of(*"abcde")


@pytest.mark.parametrize("k", range(1, 6))
def test_k_ways_are_all_of_them(k):
    cliques = read_workload(f"{k}way", LETTERS).cliques
    assert len(set(cliques)) == len(cliques) == comb(5, k)
    assert all(tuple(sorted(clique)) == clique and len(clique) == k for clique in cliques)


def test_more_ways_than_columns_are_all_columns_together():
    assert read_workload("4way", schema_of("a", "b")).cliques == (("a", "b"),)


def test_a_target_is_in_every_marginal():
    cliques = read_workload("3way:c", LETTERS).cliques
    assert set(cliques) == {clique for clique in combinations("abcde", 3) if "c" in clique}


def test_a_file_is_put_in_schema_order_and_counts_once(tmp_path):
    path = tmp_path / "w.json"
    path.write_text(json.dumps([["c", "a"], ["a", "c"], ["b"], ["a", "a"]]))
    assert read_workload(str(path), LETTERS).cliques == (("a", "c"), ("b",), ("a",))


WRONG = {
    "no such file": None,
    "no JSON": "[[",
    "no list": '"a"',
    "an empty list": "[]",
    "an empty marginal": "[[]]",
    "a number": "[[1]]",
    "a flat list": '["a"]',
    "an unknown column": '[["a", "age"]]',
    "an identifier": '[["key"]]',
    "an unknown word": '{"marginal": [["a"]]}',
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_file_that_is_none_is_refused(text, tmp_path):
    path = tmp_path / "w.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Misuse):
        read_workload(str(path), LETTERS)


@pytest.mark.parametrize("words", ["0way", "6way", "way", "2ways", "-1way", "2way:age", "\u00b2way"])
def test_words_that_are_no_workload_are_refused(words):
    with pytest.raises(Misuse):
        read_workload(words, LETTERS)


def test_too_many_marginals_are_refused_at_once():
    many = schema_of(*(f"c{i}" for i in range(400)))
    began = time.perf_counter()
    with pytest.raises(Infeasible, match=f"{comb(400, 5):,} marginals, more than {MANY:,}"):
        read_workload("5way", many)
    assert time.perf_counter() - began < 1


def test_a_marginal_that_is_too_large_is_named_with_its_cells():
    wide = Schema("t", Unit("p"), (Boolean("a"), Number("income", grid=Grid.even(0, 10**6 - 1, 10**6)), Boolean("b")))
    Workload("2way", ways(("a", "income", "b"), 2)).refuse_infeasible(wide)
    huge = Schema("t", Unit("p"), (*wide.columns, Number("debt", grid=Grid.even(0, 99, 100))))
    with pytest.raises(Infeasible, match=f"income x debt has 100,000,000 cells, more than {LARGEST:,}") as refused:
        Workload("2way", ways(("a", "income", "b", "debt"), 2)).refuse_infeasible(huge)
    assert "'income' (1,000,000 cells)" in refused.value.remedy
