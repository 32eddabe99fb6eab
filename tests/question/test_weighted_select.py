"""Weighted selection and noisy errors, on every table of a small world: what is declared is what is reached."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import logsumexp

from understudy.privacy.charge import Measure, price
from understudy.question.errors import Errors
from understudy.question.mechanism import Exact, Gumbel
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.sensitivity import Sensitivity
from understudy.question.spec import from_spec, to_spec
from understudy.refusal import Misuse, Tampered
from understudy.schema.column import Boolean, Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.vault import Vault

WARDS = ("n", "s")
SCHEMA = Schema("small", Unit("person"), (Boolean("smokes"), Listed("ward", values=WARDS)))
ROWS = tuple(product((True, False), WARDS))
CLIQUES = (("smokes",), ("ward",), ("smokes", "ward"))
# one reference expects more of a cell than there is, one less, one about as much: so that errors rise and fall
EXPECTED = (
    {("smokes",): np.array([0, 9]), ("ward",): np.array([9, 0]), ("smokes", "ward"): np.array([[9, 0], [0, 0]])},
    {c: np.zeros([2] * len(c), dtype=np.int64) for c in CLIQUES},
    {c: np.ones([2] * len(c), dtype=np.int64) for c in CLIQUES},
)
WEIGHTS, BIASES = (3, 1, -2), (5, -7, 0)
MOST = 4

Table = tuple[int, ...]


def references() -> list[Reference]:
    return [Reference.of_tables(tables) for tables in EXPECTED]


KINDS: dict[str, list[Question]] = {
    "weighted select": [Select(Exact(), CLIQUES, r, WEIGHTS, BIASES) for r in references()],
    "biased select": [Select(Exact(), CLIQUES, r, (), BIASES) for r in references()],
    "errors": [Errors(Exact(), CLIQUES, r) for r in references()],
}
EVERYWHERE = [(kind, rows, relation) for kind in KINDS for rows in (1, 2) for relation in Relation]
NAMES = [f"{kind}, {rows} rows a unit, {relation.value}" for kind, rows, relation in EVERYWHERE]

everywhere = pytest.mark.parametrize(("kind", "rows", "relation"), EVERYWHERE, ids=NAMES)


def tables(most: int) -> list[Table]:
    return [rows for n in range(most + 1) for rows in combinations_with_replacement(range(len(ROWS)), n)]


def neighbours(rows: int, relation: Relation) -> Iterator[tuple[Table, Table]]:
    units = [unit for unit in tables(rows) if unit]
    for rest in tables(MOST - rows):
        grown = [tuple(sorted(rest + unit)) for unit in units]
        yield from ((rest, table) for table in grown) if relation is Relation.ADD_REMOVE else product(grown, grown)


def answers(question: Question) -> dict[Table, tuple[int, ...]]:
    found = {}
    for table in tables(MOST):
        smokes, ward = [ROWS[row][0] for row in table], [ROWS[row][1] for row in table]
        arrow = pa.table({"smokes": pa.array(smokes, pa.bool_()), "ward": pa.array(ward, pa.string())})
        found[table] = tuple(Vault(arrow, SCHEMA)._look(question).tolist())
    return found


ANSWERS = {kind: [answers(question) for question in questions] for kind, questions in KINDS.items()}


def both(kind: str, rows: int, relation: Relation) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    return {(found[a], found[b]) for a, b in neighbours(rows, relation) for found in ANSWERS[kind]}


def moved(kind: str, rows: int, relation: Relation) -> Sensitivity:
    moves = abs(np.array([np.subtract(a, b) for a, b in both(kind, rows, relation)]))
    return Sensitivity(int(moves.sum(1).max()), int((moves**2).sum(1).max()), int(moves.max()))


def declared(kind: str, rows: int, relation: Relation) -> Sensitivity:
    return KINDS[kind][0].sensitivity(rows, relation)


@everywhere
def test_no_unit_moves_more_than_declared_and_one_moves_as_much(kind: str, rows: int, relation: Relation) -> None:
    assert moved(kind, rows, relation) == declared(kind, rows, relation)


def test_a_declaration_without_the_weights_is_rejected() -> None:
    """The test above sees it when weights are left out, or when replace-one is taken for add-remove."""
    plain = Select(Exact(), CLIQUES, references()[0]).sensitivity(1, Relation.ADD_REMOVE)
    truth = moved("weighted select", 1, Relation.ADD_REMOVE)
    assert truth.linf == 3 * plain.linf and truth.l1 == 2 * plain.l1
    assert moved("weighted select", 1, Relation.REPLACE_ONE).linf > truth.linf


@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("kind", ["weighted select", "biased select"])
def test_a_selection_stays_within_its_price(kind: str, rows: int, relation: Relation) -> None:
    """Pure: every ratio of probabilities is at most e^eps. zCDP: every divergence is at most alpha eps^2 / 8."""
    scale = Fraction(5)
    epsilon = float(price(Gumbel(scale), declared(kind, rows, relation), relation, Measure.PURE).amount)
    rho = float(price(Gumbel(scale), declared(kind, rows, relation), relation, Measure.ZCDP).amount)
    assert rho == pytest.approx(epsilon**2 / 8)
    widest = 0.0
    for a, b in both(kind, rows, relation):
        p, q = (np.array(scores) / float(scale) for scores in (a, b))
        p, q = p - logsumexp(p), q - logsumexp(q)
        widest = max(widest, float(np.ptp(p - q)))
        assert abs(p - q).max() <= epsilon + 1e-12
        for alpha in (2, 8):
            assert logsumexp(alpha * p + (1 - alpha) * q) / (alpha - 1) <= alpha * rho + 1e-12
    assert widest > epsilon / 2  # half the price would not do


def test_scores_are_the_weighted_errors_less_the_bias() -> None:
    table = pa.table({"smokes": [True, True, False], "ward": ["n", "s", "s"]})
    (score,) = (Vault(table, SCHEMA)._look(KINDS["weighted select"][1]).tolist() for _ in range(1))
    assert score == [3 * 3 - 5, 1 * 3 + 7, -2 * 3 - 0]


def test_weights_and_biases_are_on_the_tape() -> None:
    for question in (*KINDS["weighted select"], *KINDS["errors"]):
        spec = to_spec(question)
        assert from_spec(spec) == question
        assert from_spec(spec).sensitivity(2, Relation.REPLACE_ONE) == question.sensitivity(2, Relation.REPLACE_ONE)
    old = {
        k: v for k, v in to_spec(Select(Exact(), CLIQUES, references()[0])).items() if k not in ("weights", "biases")
    }
    assert from_spec(old) == Select(Exact(), CLIQUES, references()[0])


@pytest.mark.parametrize("weights", [(1, 2), (1, 2, 3, 4), (1, 2, 2**20 + 1), (1, 2, 0.5), (1, 2, True)], ids=str)
def test_unfit_weights_are_refused_before_anything_is_looked_at(weights: tuple[int, ...]) -> None:
    with pytest.raises(Misuse):
        Select(Exact(), CLIQUES, references()[0], weights)
    with pytest.raises(Misuse):
        Select(Exact(), CLIQUES, references()[0], (), (2**62, *weights))


def test_a_tape_with_unreadable_weights_is_refused() -> None:
    spec = to_spec(KINDS["weighted select"][0]) | {"weights": ["heavy", 1, 1]}
    with pytest.raises(Tampered):
        from_spec(spec)
