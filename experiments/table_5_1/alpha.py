"""The corrected dual Frank-Wolfe as its temperature a goes to 0: it becomes multiplicative weights (MWEM without measurements).

    u <- (1 - gamma) u + eta s,    gamma = a eta,    p = softmax(u)          against          u <- u + eta s

Whole games over one table: the same rounds, eta and noise, only a differs, divided by 1, 10, 100, ...; the selections have the
law of the gate's, drawn so that games can be compared (`chosen`). The reference is written out below, and knows nothing of a.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np
import pyarrow as pa
from data import cells, rows_of, schema_of

from understudy.game.data.frank_wolfe import FrankWolfePlayer, softmax, spread
from understudy.game.data.table import Table
from understudy.game.pace import Pace
from understudy.game.player import Guess
from understudy.game.query.cells import Cells, signed_of
from understudy.noise.entropy import Seeded
from understudy.noise.scale import drawn
from understudy.privacy.accountant import Budget
from understudy.privacy.purse import Purse
from understudy.question.mechanism import Gumbel
from understudy.question.select_cell import SelectCell
from understudy.question.workload import read_workload
from understudy.schema.relation import Relation
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

D, K = 10, 3
DIVISORS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Cold(Pace):
    """A pace whose temperature is divided, everything else the same."""

    divisor: float = 1.0

    def temperature(self, n: int) -> float:
        return super().temperature(n) / self.divisor


class Weights:
    """MWEM without measurements: p <- p exp(eta s), released is the average."""

    def __init__(self, eta: float):
        self.eta, self.read, self.sum = eta, 0, np.zeros((2,) * D)
        self.p = np.full((2,) * D, 1 / 2**D)

    def fit(self, tape: Tape, schema) -> Guess:
        for entry in tape.of(SelectCell.kind)[self.read :]:
            signed, self.read = signed_of(entry, schema), self.read + 1
            self.sum += self.p
            self.p = self.p * np.exp(self.eta * signed.sign * spread(signed.query, schema))
            self.p /= self.p.sum()
        return Table(tuple(schema.domain), self.p)

    @property
    def average(self) -> np.ndarray:
        return self.sum / self.read


def game(data, schema, table: pa.Table, pace: Pace) -> Tape:
    """All selections of one game; each round's noise is that of its number, whoever plays."""
    vault, tape, workload = (
        Vault.over(table, schema),
        Tape({"release": "r", "coin": "0"}),
        read_workload("3way", schema),
    )
    query = Cells(schema, pace.purse, workload, pace.rounds)
    while isinstance(question := query.next(data.fit(tape, schema), tape), SelectCell):
        tape.append(question.spec(), {}, chosen(question, vault, len(tape)))
    return tape


def chosen(question: SelectCell, vault: Vault, round: int) -> int:
    """The law of a selection, by a Gumbel variable for each candidate: games whose scores are near choose alike."""
    assert isinstance(question.mechanism, Gumbel)
    scores = vault._look(question, Seeded(round))
    noise = np.random.default_rng(round).gumbel(size=scores.size)
    return int(np.argmax((scores - scores.max()) / drawn(question.mechanism.scale) + noise))


def limit(n: int) -> dict:
    """The worst cell of every game beside the reference's, and how many selections and how much mass they differ by."""
    rows, schema = rows_of(D, n), schema_of(D, n)
    table, queries = pa.Table.from_pandas(rows), cells(D, K)
    index = rows.to_numpy().astype(np.int64) @ (1 << np.arange(D)[::-1])
    truth = np.bincount(index, minlength=2**D).reshape((2,) * D) / n
    total = Budget(Fraction(1), Fraction("1e-6"), Relation.ADD_REMOVE).total()
    terms = (D * log(2), log(2 * len(queries)), Purse(total, 1), 2000)
    cliques = read_workload("3way", schema).cliques
    reference = Weights(Pace(*terms).eta(n))
    answers = [entry.answer for entry in game(reference, schema, table, Pace(*terms))]
    found = {"n": n, "rounds": len(answers), "mwem": worst(reference.average, truth), "divisors": []}
    for divisor in DIVISORS:
        pace = Cold(*terms, divisor=divisor)
        tape = game(FrankWolfePlayer(pace, cliques), schema, table, pace)
        mean, gap = averaged(tape, schema, pace, truth)
        same = sum(entry.answer == answer for entry, answer in zip(tape, answers, strict=True))
        apart = float(np.abs(mean - reference.average).sum() / 2)
        record = {"divisor": divisor, "a": pace.temperature(n), "worst": worst(mean, truth), "same": same}
        found["divisors"].append(record | {"variation": apart, "slack": gap})
    promised = Pace(*terms)
    return found | {"empirical": promised.promise(n, 0.05), "population": promised.population(n, 0.05)}


def averaged(tape: Tape, schema, pace: Pace, truth: np.ndarray) -> tuple[np.ndarray, float]:
    """The average of the iterates, and the least slack of the invariant over all of them:

    g(q_t) + a ln|X| - max over Q of |<q, p_D - p_t>|,     g(q) = max over s of <s - q, p_D - p(q)>
    """
    u, total, n = np.zeros((2,) * D), np.zeros((2,) * D), schema.n
    a, slack = pace.temperature(n), np.inf
    for entry in tape:
        p, signed = softmax(u), signed_of(entry, schema)
        # g + a ln|X| - max = a ln|X| - <q, p_D - p>, with q = a u: g is the largest of the signed errors less <q, p_D - p>
        slack = min(slack, a * D * log(2) - a * float((u * (truth - p)).sum()))
        total += p
        u = (1 - pace.gamma(n)) * u + pace.eta(n) * signed.sign * spread(signed.query, schema)
    return total / len(tape), slack


def worst(p: np.ndarray, truth: np.ndarray) -> float:
    """The worst 3-way cell."""
    off = p - truth
    sums = {columns: off.sum(axis=tuple(j for j in range(D) if j not in columns)) for columns, _ in cells(D, K)}
    return max(float(np.abs(table).max()) for table in sums.values())
