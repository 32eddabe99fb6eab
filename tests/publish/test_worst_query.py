"""The claim on listed queries: it is there where there are queries, it covers, and it is about the released rows."""

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from covering import NAMES, PRIVATE, SYNTHETIC, Case, too_often

import understudy
from understudy.noise.entropy import Seeded
from understudy.publish.bundle import pretty, read_bundle
from understudy.publish.certificate import BETA, CONFIDENCE, WORST
from understudy.publish.verify import refuse_other_rows
from understudy.question.queries import Box, HalfSpace
from understudy.question.workload import Workload
from understudy.refusal import Tampered
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation
from understudy.vault.tape import Tape

RELEASES = 600
QUERIES = (
    *(Box(((name, 0, 1),)) for name in NAMES),
    Box((("a", 0, 0), ("b", 1, 2), ("e", 0, 1))),
    HalfSpace((("a", 1), ("c", -1)), 1),
    HalfSpace(tuple((name, 1) for name in NAMES), 5),
)
TRUTH = max(abs(q.matches(PRIVATE).mean() - q.matches(SYNTHETIC).mean()) for q in QUERIES)


@dataclass(frozen=True)
class WithQueries(Case):
    """The same simulated release, whose workload lists queries."""

    @cached_property
    def workload(self) -> Workload:
        return replace(super().workload, queries=QUERIES)


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("relation", Relation)
def test_the_claim_is_not_untrue_too_often(relation: Relation, known: bool, pure: bool) -> None:
    entropy, case = Seeded(5), WithQueries(relation, known=known, pure=pure)
    claims = [case.release(entropy) for _ in range(RELEASES)]
    assert not too_often(sum(claim.query < TRUTH - 1e-12 for claim in claims), RELEASES, WORST)
    assert np.mean([claim.query for claim in claims]) < 1


def test_the_betas_still_add_up() -> None:
    assert 2 * WORST + sum(beta for claim, beta in BETA.items() if claim != "cell") == pytest.approx(1 - CONFIDENCE)


COLUMNS = {name: {"kind": "ordinal", "values": [0, 1, 2]} for name in NAMES}
SCHEMA = from_dict({"table": {"name": "t", "unit": "person"}, "columns": COLUMNS})
WORDS = {
    "prefixes": ["a"],
    "queries": [{"cells": {"a": [0, 0], "b": [1, 2]}}, {"sum": {"a": 1, "c": -1}, "at_least": 1}],
}


def released(folder: Path) -> Path:
    (folder / "w.json").write_text(json.dumps(WORDS))
    spend = {"epsilon": 2, "delta": "1e-6", "recipe": "independent", "workload": str(folder / "w.json")}
    understudy.rehearse(pa.table(PRIVATE), SCHEMA, seed=1, out=folder / "out", **spend)
    return folder / "out"


def test_a_release_certifies_its_listed_queries(tmp_path: Path) -> None:
    made = understudy.verify(released(tmp_path))
    rows = {name: made.table[name].to_numpy() for name in NAMES}
    queries = (
        Box((("a", 0, 0),)),
        Box((("a", 0, 1),)),
        Box((("a", 0, 0), ("b", 1, 2))),
        HalfSpace((("a", 1), ("c", -1)), 1),
    )
    true = max(abs(q.matches(PRIVATE).mean() - q.matches(rows).mean()) for q in queries)
    assert true <= made.certificate["claims"]["worst_query_error"] < 1
    assert made.certificate["workload"]["queries"] == len(queries)
    assert "4 listed queries" in (tmp_path / "out" / "README.md").read_text()


def test_without_queries_nothing_is_spent_on_them() -> None:
    claim = Case(Relation.ADD_REMOVE, known=True, pure=False).release(Seeded(1))
    assert claim.query is None
    assert "worst_query_error" not in claim.to_json()


def test_queries_that_were_certified_for_other_rows_are_found(tmp_path: Path) -> None:
    made = read_bundle(released(tmp_path))
    (entry,) = made.tape.of("worst_query")
    expected = [count + 1 for count in entry.question["expected"]]
    tape = Tape(made.tape.header)
    for e in made.tape:
        tape.append(e.question | ({"expected": expected} if e is entry else {}), e.charge, e.answer)
    with pytest.raises(Tampered, match="other rows"):
        refuse_other_rows(replace(made, tape=tape))
    assert pretty(made.certificate)
