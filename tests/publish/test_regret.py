"""The regret certificate beside the direct one: what the measurements themselves prove about the rows."""

from fractions import Fraction

import numpy as np
import pytest
from covering import NAMES, PRIVATE, Case, N, too_often

from understudy.game.data.product import product_of
from understudy.noise.entropy import Seeded
from understudy.publish.regret import CONFIDENCE, MISS, regret, selection_regret
from understudy.question.count import Count
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact, Gumbel
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.workload import ways
from understudy.schema.relation import Relation
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Entry, Tape

RELEASES = 400
ROWS = 200


def played(case: Case, entropy: Seeded) -> tuple[dict, float]:
    """One game of oracle C in two looks; rows that follow the noise as closely as a product can; the true worst error."""
    tape = Tape({"release": "simulated", "coin": "0"})
    if case.schema.n is None:
        count = case.purse(Fraction(1)).noisy(Count(Exact()))
        tape.append(count.spec(), {}, draw_answer(count, case.vault, entropy))
    for k in (1, 2):
        look = case.purse(Fraction(4)).noisy(Marginals(Exact(), ways(NAMES, k)))
        tape.append(look.spec(), {}, draw_answer(look, case.vault, entropy))
    rows = product_of(tape, case.schema).rows(ROWS, np.random.default_rng(0))
    codes = {name: rows[name] for name in NAMES}
    true = max(abs(table(PRIVATE, pair) / N - table(codes, pair) / ROWS).max() for pair in ways(NAMES, 2))
    return regret(tape, case.schema, codes, direct=0.25), float(true)


def table(codes: dict, pair: tuple[str, str]) -> np.ndarray:
    """A contingency table, counted with nothing that the package counts with."""
    counted = np.zeros((3, 3))
    np.add.at(counted, tuple(codes[name] for name in pair), 1)
    return counted


@pytest.mark.parametrize(
    "case", [Case(r, known, pure) for r in Relation for known in (True, False) for pure in (True, False)]
)
def test_the_bound_on_measured_cells_is_not_untrue_too_often(case: Case) -> None:
    entropy = Seeded(3)
    found = [played(case, entropy) for _ in range(RELEASES)]
    missed = sum(words["worst_measured_cell_error"] < true - 1e-12 for words, true in found)
    assert not too_often(missed, RELEASES, 1 - CONFIDENCE)
    words, true = found[0]
    assert true < words["worst_measured_cell_error"] < 1
    assert words["times_the_direct_bound"] == words["worst_measured_cell_error"] / 0.25
    assert words["measured_marginals"] == len(NAMES) + len(ways(NAMES, 2))
    assert words["selection_regret"] is None


def test_the_looks_share_beta() -> None:
    assert sum(MISS / (look * (look + 1)) for look in range(1, 10_000)) < MISS


def test_a_tape_that_measured_nothing_proves_nothing() -> None:
    case = Case(Relation.ADD_REMOVE, known=True, pure=False)
    words = regret(Tape({"release": "r", "coin": "0"}), case.schema, {"a": np.zeros(3, dtype=int)}, direct=0.1)
    assert words["worst_measured_cell_error"] == 1


def test_the_best_of_a_selection_is_missed_by_more_than_the_bound_as_rarely_as_it_says() -> None:
    """R = s ln(K T / beta) a round, against simulated selections from scores that are all alike, the worst case."""
    rng, scale, candidates, rounds, n = np.random.default_rng(1), 7, 40, 5, 1000
    asked = Select(Gumbel(Fraction(scale)), tuple((f"c{i}",) for i in range(candidates)), Reference("none"))
    bound = selection_regret([Entry(t, asked.spec(), {}, 0) for t in range(rounds)], n)
    missed = 0
    for _ in range(2000):
        scores = rng.integers(0, 60, size=(rounds, candidates))
        picked = (scores + rng.gumbel(scale=scale, size=scores.shape)).argmax(axis=1)
        lost = (scores.max(axis=1) - scores[np.arange(rounds), picked]).sum()
        missed += lost / (2 * rounds * n) > bound
    assert missed <= 2000 * (1 - CONFIDENCE)
    assert selection_regret([], n) is None
