"""Selection of cells: what an answer stands for, what the tape keeps of it, and what is refused."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import logsumexp

from understudy.privacy.charge import Measure, price
from understudy.question.mechanism import Exact, Gumbel
from understudy.question.queries import Box, HalfSpace
from understudy.question.reference import Reference
from understudy.question.select_cell import LISTED, SelectCell, read
from understudy.question.spec import from_spec, to_spec
from understudy.refusal import Misuse
from understudy.schema.column import Boolean, Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.vault import Vault

SCHEMA = Schema("small", Unit("person"), (Boolean("smokes"), Listed("ward", values=("n", "s", "w"))))
CLIQUES = (("ward",), ("smokes", "ward"))
QUERIES = (Box((("ward", 0, 1),)), HalfSpace((("smokes", 2), ("ward", -1)), 1))
EXPECTED = {
    ("ward",): np.array([2, 1, 0]),
    ("smokes", "ward"): np.array([[2, 0, 0], [0, 0, 1]]),
    LISTED: np.array([3, 1]),
}
TABLE = pa.table({"smokes": [True, False, True, True], "ward": ["n", "w", "s", "n"]})
CODES = {"smokes": np.array([1, 0, 1, 1]), "ward": np.array([0, 2, 1, 0])}


def asked(times: int = 1) -> SelectCell:
    return SelectCell(Gumbel(Fraction(2)), CLIQUES, QUERIES, Reference.of_tables(EXPECTED), times)


@pytest.mark.parametrize("times", [1, 5])
def test_every_place_has_the_score_of_the_query_that_it_stands_for(times: int) -> None:
    scores = Vault(TABLE, SCHEMA)._look(asked(times))
    expected = np.concatenate([table.ravel() for table in EXPECTED.values()])
    for place, score in enumerate(scores):
        found = read(place, CLIQUES, QUERIES, SCHEMA.domain)
        count = int(found.query.matches(CODES).sum())
        assert score == found.sign * (times * count - expected[place % len(expected)])
    assert len(scores) == 2 * len(expected) == 2 * (3 + 6 + 2)


def test_a_spec_tells_everything_but_the_reference() -> None:
    question = asked(7)
    again = from_spec(to_spec(question))
    assert again == question
    assert again.sensitivity(2, Relation.REPLACE_ONE) == question.sensitivity(2, Relation.REPLACE_ONE)


@pytest.mark.parametrize("times", [0, -1, 2**20 + 1, 1.0, True])
def test_an_unfit_number_of_times_is_refused(times: object) -> None:
    with pytest.raises(Misuse, match="times"):
        asked(times)  # type: ignore[arg-type]


def test_a_reference_that_would_overflow_is_refused() -> None:
    wide = EXPECTED | {("ward",): np.array([2**62, 0, 0])}
    question = SelectCell(Exact(), CLIQUES, QUERIES, Reference.of_tables(wide))
    with pytest.raises(Misuse, match="too large"):
        Vault(TABLE, SCHEMA)._look(question)


def test_the_vault_counts_once_and_nobody_can_write_into_what_it_keeps() -> None:
    vault, question = Vault(TABLE, SCHEMA), asked()
    first = vault._look(question)
    first[:] = 0
    assert vault._look(question).any()


# --- its price, enumerated: one marginal of two cells and one listed query, tables of a few rows ----------------------

TWO = Schema("two", Unit("person"), (Boolean("smokes"),))
YES = (Box((("smokes", 1, 1),)),)
HIGH_AND_LOW = Reference.of_tables({("smokes",): np.array([5, 0]), LISTED: np.array([4])})


def scores(smoking: int, others: int, times: int) -> np.ndarray:
    table = pa.table({"smokes": pa.array([True] * smoking + [False] * others, pa.bool_())})
    return Vault(table, TWO)._look(SelectCell(Exact(), (("smokes",),), YES, HIGH_AND_LOW, times))


def moves(rows: int, relation: Relation) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    small = [(a, b) for a in range(3) for b in range(3)]
    added = [(x, (x[0] + a, x[1] + b)) for x in small for a, b in small if 1 <= a + b <= rows]
    if relation is Relation.ADD_REMOVE:
        return added
    return [(one, other) for x, one in added for y, other in added if x == y]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_a_selection_stays_within_its_price_and_reaches_it(rows: int, relation: Relation, times: int) -> None:
    scale = Fraction(2)
    asked = SelectCell(Gumbel(scale), (("smokes",),), YES, HIGH_AND_LOW, times)
    epsilon = float(price(asked.mechanism, asked.sensitivity(rows, relation), relation, Measure.PURE).amount)
    widest = 0.0
    for one, other in moves(rows, relation):
        p, q = (scores(*table, times) / float(scale) for table in (one, other))
        p, q = p - logsumexp(p), q - logsumexp(q)
        widest = max(widest, float((p - q).max() - (p - q).min()))
        for a, b in ((p, q), (q, p)):
            assert float(np.exp(a) @ (a - b)) <= epsilon**2 / 8 + 1e-12
            assert logsumexp(8 * a - 7 * b) / 7 <= epsilon**2 + 1e-12
    assert widest == pytest.approx(epsilon)  # reached: so the price of monotone scores, half of it, would not do
