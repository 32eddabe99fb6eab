"""Vote: one row changes one teacher. Every small table, every neighbour, and a plain loop as the second opinion."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest

import understudy
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.question.vote import CANDIDATES, Vote, copies, shards
from understudy.refusal import Misuse
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation

KINDS = list(product(range(2), range(3)))
MOST = 4


@dataclass
class Rows:
    """Sealed rows of two columns."""

    cells: np.ndarray

    def codes(self, column: str) -> np.ndarray:
        return self.cells[:, "ab".index(column)]


def question(candidates: list[tuple[int, int]], teachers: int) -> Vote:
    table = np.array(candidates, dtype=np.int64)
    return Vote(Exact(), ("a", "b"), Reference.of_tables({CANDIDATES: table}), len(candidates), teachers)


def tables(most: int) -> list[tuple[int, ...]]:
    return [rows for n in range(most + 1) for rows in combinations_with_replacement(range(len(KINDS)), n)]


def answer(asked: Vote, rows: tuple[int, ...]) -> np.ndarray:
    return asked.statistic(Rows(np.array([KINDS[row] for row in rows], dtype=np.int64).reshape(-1, 2)))


@pytest.mark.parametrize("candidates", [[(0, 0), (0, 0)], [(0, 0), (1, 2), (0, 1)]], ids=["alike", "apart"])
@pytest.mark.parametrize("teachers", [2, 3])
@pytest.mark.parametrize("most", [1, 2])
def test_no_unit_moves_more_than_declared_and_one_moves_as_much(candidates, teachers: int, most: int) -> None:
    asked = question(candidates, teachers)
    found = {rows: answer(asked, rows) for rows in tables(MOST)}
    grown = {rest: [tuple(sorted(rest + unit)) for unit in tables(most)[1:]] for rest in found}
    near = {rest: [found[table] for table in tables if table in found] for rest, tables in grown.items()}
    added = [found[rest] - other for rest, others in near.items() for other in others]
    exchanged = [one - other for others in near.values() for one, other in product(others, others)]
    for relation, moves in ((Relation.ADD_REMOVE, added), (Relation.REPLACE_ONE, exchanged)):
        said, size = asked.sensitivity(most, relation), abs(np.array(moves))
        truth = size.sum(axis=1).max(), (size**2).sum(axis=1).max(), size.max()
        assert all(moved <= most_said for moved, most_said in zip(truth, (said.l1, said.l2sq, said.linf), strict=True))
        if relation is Relation.ADD_REMOVE and len(set(candidates)) == 1 and teachers >= most + 1:
            assert truth == (said.l1, said.l2sq, said.linf)


def test_votes_are_those_of_a_plain_loop_whatever_the_order() -> None:
    rng = np.random.default_rng(1)
    cells = rng.integers(3, size=(200, 2))
    candidates = list(product(range(3), range(3)))
    asked = question(candidates, 7)
    shard = shards(cells, 7)

    def alike(z, x) -> float:
        agree = sum(int(a == b) for a, b in zip(z, x, strict=True))
        return agree * (agree + 1) / 2

    due = []
    for x in candidates:
        usual = Fraction(int(sum(alike(other, x) for other in candidates)), len(candidates))
        mine = [[int(alike(z, x)) for z, s in zip(cells, shard, strict=True) if s == teacher] for teacher in range(7)]
        due.append(sum(bool(own) and Fraction(sum(own), len(own)) >= usual for own in mine))
    assert asked.statistic(Rows(cells)).tolist() == due
    for _ in range(3):
        assert asked.statistic(Rows(rng.permutation(cells))).tolist() == due
    assert 0 < min(due) < max(due) <= 7  # the teachers do not all say the same


def test_copies_are_counted_and_dealt_to_different_teachers() -> None:
    cells = np.array([[1, 1], [0, 2], [1, 1], [1, 1], [0, 2]])
    assert copies(cells).tolist() == [1, 1, 2, 3, 2]
    assert len(set(shards(np.ones((500, 2), dtype=np.int64), 10).tolist())) == 10


@pytest.mark.parametrize(("n", "teachers"), [(0, 3), (2, 0), (2, 2**16 + 1)])
def test_a_vote_of_nobody_is_refused(n: int, teachers: int) -> None:
    with pytest.raises(Misuse):
        Vote(Exact(), ("a",), Reference("public"), n, teachers)


def test_candidates_that_are_not_as_many_are_refused() -> None:
    asked = Vote(Exact(), ("a", "b"), question([(0, 0)], 2).reference, 2, 2)
    with pytest.raises(Misuse):
        answer(asked, (0, 1))


def test_the_student_learns_what_columns_have_to_do_with_each_other() -> None:
    """Two columns that are always alike: their product is right half of the time, the student nearly always."""
    rng = np.random.default_rng(2)
    side = np.where(rng.random(20_000) < 0.5, "x", "y")
    schema = from_dict(
        {"table": {"unit": "person"}, "columns": {c: {"kind": "categorical", "values": ["x", "y"]} for c in "ab"}}
    )
    table = pd.DataFrame({"a": side, "b": side})
    made = understudy.rehearse(table, schema, seed=1, epsilon=1, delta="1e-6", recipe="pategan").table.to_pandas()
    assert (made["a"] == made["b"]).mean() > 0.8
