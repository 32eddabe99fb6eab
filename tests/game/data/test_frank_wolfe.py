"""The dual Frank-Wolfe: its invariant at every iterate, its limit, its three forms, and the promise made before the run."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pyarrow as pa
import pytest
from taped import margin, schema_of, variation

from understudy.game.data.frank_wolfe import FrankWolfePlayer, softmax, spread
from understudy.game.data.gibbs import effective, r_hat
from understudy.game.data.loglinear import LogLinear
from understudy.game.data.rows import Rows
from understudy.game.latest import latest
from understudy.game.pace import Pace
from understudy.game.query.cells import Cells, queries_of, signed_of
from understudy.noise.entropy import Seeded
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.question.queries import Box
from understudy.question.select_cell import SelectCell
from understudy.question.workload import Workload, ways
from understudy.schema.relation import Relation
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

SIZES = {"a": 2, "b": 3, "c": 2, "d": 2}
NAMES = list(SIZES)
SCHEMA = schema_of(SIZES)  # 20,000 rows, a public number
WORKLOAD = Workload("2way", ways(tuple(SIZES), 2))
QUERIES = queries_of(WORKLOAD, SCHEMA)
LOG_CELLS = log(24)
N = SCHEMA.n
assert N is not None


def truth(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).multinomial(N, np.random.default_rng(seed).dirichlet(np.full(24, 0.2))) / N


def pace(most: int, amount: str = "1/50") -> Pace:
    spend = Purse(Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(amount)), 1)
    return Pace(LOG_CELLS, log(2 * QUERIES), spend, most)


def table_of(p: np.ndarray) -> pa.Table:
    cells = np.repeat(np.arange(24), np.rint(N * p).astype(int))
    return pa.table(dict(zip(NAMES, np.unravel_index(cells, tuple(SIZES.values())), strict=True)))


def played(data: FrankWolfePlayer, p: np.ndarray, seed: int = 0) -> Tape:
    """One game, over a table of exactly these frequencies, without the payoff at its end."""
    vault, tape = Vault.over(table_of(p), SCHEMA), Tape({"release": "r", "coin": "0"})
    query = Cells(SCHEMA, data.pace.purse, WORKLOAD, data.pace.rounds)
    while isinstance(question := query.next(data.fit(tape, SCHEMA), tape), SelectCell):
        tape.append(question.spec(), {}, draw_answer(question, vault, Seeded(seed + len(tape))))
    return tape


def all_queries() -> np.ndarray:
    """Every signed query as a line over the 24 cells."""
    cells = [
        Box(tuple((name, code, code) for name, code in zip(clique, cell, strict=True)))
        for clique in WORKLOAD.cliques
        for cell in product(*(range(SIZES[name]) for name in clique))
    ]
    lines = np.array([np.broadcast_to(spread(q, SCHEMA), tuple(SIZES.values())).ravel() for q in cells])
    return np.concatenate([lines, -lines])


Q = all_queries()


def replayed(tape: Tape, data: FrankWolfePlayer):
    """Every state of the player along a tape: its exponent and what it shows."""
    told = Tape(dict(tape.header))
    yield data.fit(told, SCHEMA), data._exponent.copy()
    for entry in tape:
        told.append(entry.question, entry.charge, entry.answer)
        yield data.fit(told, SCHEMA), data._exponent.copy()


@pytest.mark.parametrize("seed", range(8))
def test_the_invariant_holds_at_every_iterate(seed: int) -> None:
    """max over Q of |<q, p_D - p_t>| <= g(q_t) + a ln|X|, whatever was selected."""
    p, steps = truth(seed), pace(most=60)
    tape = played(FrankWolfePlayer(steps, WORKLOAD.cliques), p, seed)
    a = steps.temperature(N)
    checked = 0
    for shown, exponent in replayed(tape, FrankWolfePlayer(steps, WORKLOAD.cliques)):
        p_t, q_t = softmax(exponent).ravel(), a * exponent.ravel()
        assert latest(shown).marginal(tuple(NAMES)).ravel() == pytest.approx(p_t, abs=1e-12)
        gap = float((Q @ (p - p_t)).max() - q_t @ (p - p_t))
        assert float(np.abs(Q @ (p - p_t)).max()) <= gap + a * LOG_CELLS + 1e-12
        # q_t stays in the hull of the signed queries: no coordinate leaves [-1, 1]
        assert np.abs(q_t).max() <= 1 + 1e-12
        checked += 1
    assert checked == 61


def test_a_start_that_is_not_zero_breaks_the_public_step() -> None:
    """The printed algorithm starts at some query: its dual gap may exceed a ln|X|, so a step made from that is too short."""
    p, a = truth(0), 0.05
    psi = [float(q @ p) - a * float(np.log(np.exp(q / a).sum())) for q in (np.zeros(24), *Q)]
    assert -psi[0] <= a * LOG_CELLS + 1e-12
    assert max(-value for value in psi) > 3 * a * LOG_CELLS


def test_the_limit_is_mwem_without_measurements() -> None:
    """As a goes to 0 the step's forgetting goes to 0, and what is left is multiplicative weights."""
    p, steps = truth(3), pace(most=40)
    tape = played(FrankWolfePlayer(steps, WORKLOAD.cliques), p)
    distances = []
    for divisor in (1, 10, 100, 10_000):
        cold = Cold(steps.log_cells, steps.log_queries, steps.purse, steps.most, divisor)
        found = FrankWolfePlayer(cold, WORKLOAD.cliques).fit(tape, SCHEMA)
        # the reference: p_(t+1) = p_t exp(eta s_t), normalised; the average of p_0 .. p_(T-1)
        weights, total = np.full(24, 1 / 24), np.zeros(24)
        for entry in tape:
            total += weights
            signed = signed_of(entry, SCHEMA)
            line = np.broadcast_to(spread(signed.query, SCHEMA), tuple(SIZES.values())).ravel()
            weights = weights * np.exp(steps.eta(N) * signed.sign * line)
            weights = weights / weights.sum()
        distances.append(variation(found.marginal(tuple(NAMES)).ravel(), total / len(tape)))
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-5 < distances[0]


class Cold(Pace):
    """A pace whose temperature is divided, everything else the same."""

    def __init__(self, log_cells: float, log_queries: float, purse: Purse, most: int, divisor: float):
        super().__init__(log_cells, log_queries, purse, most)
        object.__setattr__(self, "divisor", divisor)

    def temperature(self, n: int) -> float:
        return super().temperature(n) / self.divisor  # type: ignore[attr-defined]


def test_the_junction_tree_is_the_table() -> None:
    p, steps = truth(5), pace(most=25)
    tape = played(FrankWolfePlayer(steps, WORKLOAD.cliques), p)
    flat = FrankWolfePlayer(steps, WORKLOAD.cliques).fit(tape, SCHEMA)
    tree = FrankWolfePlayer(steps, WORKLOAD.cliques, table=0).fit(tape, SCHEMA)
    assert isinstance(tree, LogLinear) and len(tree.weights) == 25
    for clique in (*WORKLOAD.cliques, ("d", "a", "b"), tuple(NAMES)):
        assert tree.marginal(clique) == pytest.approx(flat.marginal(clique), abs=1e-10)
        assert latest(tree).marginal(clique) == pytest.approx(latest(flat).marginal(clique), abs=1e-10)


def test_gibbs_chains_follow_the_table() -> None:
    p, steps = truth(6), pace(most=30)
    tape = played(FrankWolfePlayer(steps, WORKLOAD.cliques), p)
    flat = FrankWolfePlayer(steps, WORKLOAD.cliques).fit(tape, SCHEMA)
    crowd = FrankWolfePlayer(steps, WORKLOAD.cliques, table=0, room=0).fit(tape, SCHEMA)
    assert isinstance(crowd, Rows)
    for clique in WORKLOAD.cliques:
        assert variation(crowd.marginal(clique), flat.marginal(clique)) < 0.02
        assert variation(latest(crowd).marginal(clique), latest(flat).marginal(clique)) < 0.04
    words, _ = crowd.model()
    assert words["chains"] == 4096 and words["rounds"] == 30
    assert 0.99 < words["r_hat"] < 1.1
    assert words["ess"] > 4096


def test_the_diagnostics_see_chains_that_do_not_move() -> None:
    rng = np.random.default_rng(0)
    free, stuck = rng.normal(size=(16, 500)), np.repeat(rng.normal(size=(1, 500)), 16, axis=0)
    stuck = stuck + 0.05 * rng.normal(size=(16, 500))
    assert r_hat(free) == pytest.approx(1, abs=0.05) and r_hat(stuck) > 5
    assert effective(free) > 6000 > 1500 > effective(stuck)


@pytest.mark.parametrize("seed", range(6))
def test_the_promise_made_before_the_run_is_kept(seed: int) -> None:
    p, steps = truth(seed), pace(most=200)
    guess = FrankWolfePlayer(steps, WORKLOAD.cliques).fit(
        played(FrankWolfePlayer(steps, WORKLOAD.cliques), p, seed), SCHEMA
    )
    far = max(
        float(np.abs(guess.marginal(c) - margin(p.reshape(2, 3, 2, 2), NAMES, c)).max()) for c in WORKLOAD.cliques
    )
    assert far <= steps.promise(N, 0.05) < steps.population(N, 0.05)
    assert far < 0.2 * steps.promise(N, 0.05)


def test_nothing_private_sets_the_pace() -> None:
    """a, T, gamma and the step are functions of the public size and of the declared facts: two tables, one pace."""
    one, other = (played(FrankWolfePlayer(pace(30), WORKLOAD.cliques), truth(seed)) for seed in (1, 2))
    scales = [{entry.question["mechanism"]["scale"] for entry in tape} for tape in (one, other)]
    assert scales[0] == scales[1] and len(scales[0]) == 1
    assert len(one) == len(other) == pace(30).rounds(N) == 30
