"""Listed queries and the workloads that carry them: what they match, what they may move, and what is refused."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from understudy.question.bound import WorstQuery
from understudy.question.mechanism import DiscreteGaussian
from understudy.question.queries import Box, HalfSpace, Query, conjunctions, prefixes, ranges
from understudy.question.spec import from_spec, to_spec
from understudy.question.workload import read_workload
from understudy.refusal import Infeasible, Misuse
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema

COLUMNS = {
    "age": {"kind": "integer", "min": 0, "max": 4, "missing": [""]},
    "sex": {"kind": "categorical", "values": ["f", "m"]},
    "grade": {"kind": "ordinal", "values": [1, 2, 3]},
    "dose": {"kind": "real", "decimals": 1, "discover": True, "bins": 4},
}
SCHEMA = from_dict({"table": {"name": "t", "unit": "person"}, "columns": COLUMNS})
CELLS = {"age": 6, "sex": 2, "grade": 3}
GRID = dict(zip(CELLS, np.array(list(product(*map(range, CELLS.values())))).T, strict=True))
QUERIES: tuple[Query, ...] = (
    Box((("age", 1, 3),)),
    Box((("age", 0, 2), ("sex", 1, 1))),
    HalfSpace((("age", 2), ("grade", -3)), -1),
)


class Codes:
    """Rows that are nothing but their codes."""

    def __init__(self, codes: dict[str, np.ndarray]):
        self.codes = codes

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    def matches(self, query: Query) -> int:
        return int(query.matches(self.codes).sum())


def sample(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    return {name: rng.integers(cells, size=n).astype(np.uint8) for name, cells in CELLS.items()}


def test_a_query_is_what_its_formula_says() -> None:
    rows = [dict(zip(GRID, row, strict=True)) for row in zip(*GRID.values(), strict=True)]
    expected = [
        [1 <= row["age"] <= 3 for row in rows],
        [row["age"] <= 2 and row["sex"] == 1 for row in rows],
        [2 * int(row["age"]) - 3 * int(row["grade"]) >= -1 for row in rows],
    ]
    unsigned = {name: codes.astype(np.uint8) for name, codes in GRID.items()}
    assert [query.matches(unsigned).tolist() for query in QUERIES] == expected


@pytest.mark.parametrize("cells", range(1, 7))
def test_ranges_and_prefixes_are_all_that_say_something(cells: int) -> None:
    codes = {"a": np.arange(cells)}
    for family in (prefixes, ranges):
        found = [tuple(query.matches(codes)) for query in family("a", cells)]
        assert len(set(found)) == len(found)
        assert not {(True,) * cells, (False,) * cells} & set(found)
    assert len(list(ranges("a", cells))) == cells * (cells + 1) // 2 - 1


@pytest.mark.parametrize("rows_a_unit", [1, 3])
@pytest.mark.parametrize("relation", Relation)
def test_no_neighbour_moves_the_worst_query_by_more_than_declared(relation: Relation, rows_a_unit: int) -> None:
    """Random tables and neighbours; and one that attains the declared move."""
    reached = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        m, n = int(rng.integers(1, 9)), int(rng.integers(0, 9))
        synthetic = Codes(sample(rng, m))
        expected = tuple(synthetic.matches(query) for query in QUERIES)
        asked = WorstQuery(DiscreteGaussian(Fraction(1)), QUERIES, expected, m, n)
        base, new, old = (sample(rng, k) for k in (int(rng.integers(0, 6)), rows_a_unit, rows_a_unit))
        if rng.random() < 0.5:  # a unit whose rows are all alike moves most
            new = {name: np.repeat(codes[:1], rows_a_unit) for name, codes in new.items()}
        one = base if relation is Relation.ADD_REMOVE else joined(base, old)
        moved = abs(int(asked.statistic(Codes(one))[0]) - int(asked.statistic(Codes(joined(base, new)))[0]))
        law = asked.sensitivity(rows_a_unit, relation)
        assert moved <= law.linf == law.l1 and law.l2sq == law.l1**2
        reached += moved == law.linf
    assert reached


def joined(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([a[name], b[name]]) for name in a}


def test_a_question_is_read_back_from_its_spec() -> None:
    asked = WorstQuery(DiscreteGaussian(Fraction(7, 2)), QUERIES, (1, 2, 3), 10, 12)
    assert from_spec(json.loads(json.dumps(to_spec(asked)))) == asked


def test_marginals_that_touch_a_target() -> None:
    found = read_workload("2way:grade", SCHEMA).cliques
    assert found == (("age", "grade"), ("sex", "grade"), ("grade", "dose"))
    assert read_workload("1way:sex", SCHEMA).cliques == (("sex",),)
    assert len(read_workload("4way:sex", SCHEMA).cliques) == 1


def written(words: object, folder: Path) -> str:
    (folder / "w.json").write_text(json.dumps(words))
    return str(folder / "w.json")


def test_a_file_lists_marginals_and_queries(tmp_path: Path) -> None:
    words = {
        "marginals": [["sex", "age"], ["age", "sex"]],
        "prefixes": ["grade"],
        "ranges": ["age"],
        "queries": [{"cells": {"age": [2, 5], "sex": [1, 1]}}, {"sum": {"age": 1, "grade": -2}, "at_least": 3}],
    }
    work = read_workload(written(words, tmp_path), SCHEMA)
    assert work.cliques == (("age", "sex"),)
    assert len(work.queries) == 2 + 14 + 2
    assert work.queries[-1] == HalfSpace((("age", 1), ("grade", -2)), 3)
    assert max(high for query in work.queries[2:16] for _, _, high in query.sides) == 4  # the missing cell is in none


def test_without_marginals_all_pairs_are_certified(tmp_path: Path) -> None:
    assert len(read_workload(written({"ranges": ["age"]}, tmp_path), SCHEMA).cliques) == 6


def test_marginals_have_weights(tmp_path: Path) -> None:
    words = [["age"], {"columns": ["grade", "sex"], "weight": 3}]
    work = read_workload(written(words, tmp_path), SCHEMA)
    assert (work.cliques, work.weights) == ((("age",), ("sex", "grade")), (1, 3))
    assert work.repeated == (("age",), *[("sex", "grade")] * 3)
    assert read_workload("1way", SCHEMA).repeated == read_workload("1way", SCHEMA).cliques


REFUSED = {
    "a weight of nothing": [{"columns": ["age"], "weight": 0}],
    "a weight beyond measure": [{"columns": ["age"], "weight": 10**9}],
    "a weight without columns": [{"weight": 2}],
    "a marginal of numbers": [[1, 2]],
    "an unknown key": {"marginal": [["age"]]},
    "nothing": {},
    "a name": "age",
    "marginals that are a text": {"marginals": "age"},
    "an empty marginal": [[]],
    "an unknown column": [["height"]],
    "a prefix of what has no order": {"prefixes": ["sex"]},
    "a range of what is not known yet": {"ranges": ["dose"]},
    "a cell that is not there": {"queries": [{"cells": {"sex": [0, 2]}}]},
    "a range that runs backwards": {"queries": [{"cells": {"age": [3, 2]}}]},
    "a query of what is not known yet": {"queries": [{"cells": {"dose": [0, 1]}}]},
    "a query of nothing": {"queries": [{"cells": {}}]},
    "a threshold of nothing": {"queries": [{"sum": {}, "at_least": 1}]},
    "a weight that is no integer": {"queries": [{"sum": {"age": 0.5}, "at_least": 1}]},
    "a weight that is a truth": {"queries": [{"sum": {"age": True}, "at_least": 1}]},
    "a huge weight": {"queries": [{"sum": {"age": 2**40}, "at_least": 1}]},
    "a query in words": {"queries": ["age > 3"]},
    "queries that are no list": {"queries": 3},
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=list(REFUSED))
def test_a_file_that_makes_no_sense_is_refused(words: object, tmp_path: Path) -> None:
    with pytest.raises(Misuse):
        read_workload(written(words, tmp_path), SCHEMA)


@pytest.mark.parametrize("words", ["0way", "6way", "2way:height", "way", "no such file"])
def test_words_that_name_no_workload_are_refused(words: str) -> None:
    with pytest.raises(Misuse):
        read_workload(words, SCHEMA)


def test_too_many_queries_are_refused(tmp_path: Path) -> None:
    wide = {"big": {"kind": "integer", "min": 0, "max": 999_999, "step": 1}}
    schema: Schema = from_dict({"table": {"name": "t", "unit": "person"}, "columns": wide})
    with pytest.raises(Infeasible):
        read_workload(written({"ranges": ["big"]}, tmp_path), schema)


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_monotone_conjunctions_are_relu_features_of_yes_or_no_columns(ways: int, tmp_path: Path) -> None:
    """Document 000: relu(sum of k columns - (k - 1)) is the conjunction; softplus, its smooth stand-in, is not."""
    names = tuple("abcd")
    rows = dict(zip(names, np.array(list(product((0, 1), repeat=4))).T, strict=True))
    found = list(conjunctions(names, ways))
    assert len(found) == len(set(found)) == [4, 6, 4][ways - 1]
    for query in found:
        sums = sum(rows[name] for name in query.columns) - (ways - 1)
        assert (query.matches(rows) == np.maximum(sums, 0)).all()
        assert (query.matches(rows) == HalfSpace(tuple((name, 1) for name in query.columns), ways).matches(rows)).all()
    columns = {name: {"kind": "boolean"} for name in names} | {"sex": COLUMNS["sex"]}
    schema = from_dict({"table": {"name": "t", "unit": "person"}, "columns": columns})
    assert read_workload(written({"conjunctions": ways}, tmp_path), schema).queries == tuple(found)


@pytest.mark.parametrize("ways", [0, 5, 2.0, True, "2"])
def test_conjunctions_of_columns_that_are_not_there_are_refused(ways: object, tmp_path: Path) -> None:
    schema = from_dict({"table": {"name": "t", "unit": "person"}, "columns": {c: {"kind": "boolean"} for c in "abcd"}})
    with pytest.raises(Misuse, match="boolean columns"):
        read_workload(written({"conjunctions": ways}, tmp_path), schema)
