"""Simulated releases of one small table, of which only the certificate is drawn: how often each claim is untrue.

The table and the synthetic rows stay the same; the number of rows and both bounds are asked anew each time, by the very
questions, noise and formulas of a release. Used by the tests and by benchmarks/coverage.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
import pyarrow as pa
from scipy.stats import binomtest

from understudy.game.measurement import size
from understudy.noise.entropy import Entropy
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.purse import Purse
from understudy.publish.certificate import BETA, Certifier, Claims, claims
from understudy.question.count import Count
from understudy.question.mechanism import Exact
from understudy.question.workload import Workload
from understudy.schema.column import Identifier, Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.gate import draw_answer
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

N, M = 400, 60  # private rows, synthetic rows
NAMES = ("a", "b", "c", "d", "e")
ALARM = 1e-6


@dataclass(frozen=True)
class Case:
    """Under which terms the certificate is asked. Replace-one with one row a unit knows n; with two it does not."""

    relation: Relation
    known: bool
    pure: bool
    certificate: Fraction = Fraction(1)  # how much is spent on it, relative to a spending that leaves a fair error
    size: Fraction = Fraction(1)  # the same for the number of rows

    def __str__(self) -> str:
        words = ("n known" if self.known else "n noisy"), ("pure" if self.pure else "zCDP")
        return ", ".join((self.relation.value, *words))

    @cached_property
    def unit_rows(self) -> int:
        return 2 if self.relation is Relation.REPLACE_ONE and not self.known else 1

    @cached_property
    def schema(self) -> Schema:
        columns = tuple(Listed(name, values=("x", "y", "z")) for name in NAMES)
        unit = Unit("person", "who", rows=self.unit_rows)
        n = N if self.known and self.relation is Relation.ADD_REMOVE else None
        return Schema("coverage", unit, (Identifier("who"), *columns), relation=self.relation, n=n)

    def purse(self, part: Fraction) -> Purse:
        measure = Measure.PURE if self.pure else Measure.ZCDP
        amount = part if self.pure else Fraction(1, 36) * part
        return Purse(Charge(self.relation, measure, amount * self.unit_rows), self.unit_rows)

    @cached_property
    def workload(self) -> Workload:
        return Workload("2way", tuple(combinations(NAMES, 2)))

    @cached_property
    def vault(self) -> Vault:
        cells = {name: np.array(["x", "y", "z"])[codes] for name, codes in PRIVATE.items()}
        who = [f"p{i // self.unit_rows}" for i in range(N)]
        return Vault.over(pa.table({"who": who, **cells}), self.schema)

    def release(self, entropy: Entropy) -> Claims:
        """Ask for the number of rows and for the certificate, and read the claims."""
        tape = Tape({"release": "simulated"})
        if self.schema.n is None:
            count = self.purse(self.size).noisy(Count(Exact()))
            tape.append(count.spec(), {}, draw_answer(count, self.vault, entropy))
        gate = Asking(tape, self.vault, entropy)
        n = size(tape, self.schema)
        Certifier(self.schema, self.workload, self.purse(self.certificate)).ask(gate, SYNTHETIC, n)
        return claims(tape, self.schema, n)


@dataclass(frozen=True)
class Asking:
    """A gate without a ledger: it looks, adds noise, and writes the tape."""

    tape: Tape
    vault: Vault
    entropy: Entropy

    def ask(self, question):
        self.tape.append(question.spec(), {}, draw_answer(question, self.vault, self.entropy))


def skewed(rows: int, weights: tuple[float, float, float], seed: int) -> dict[str, np.ndarray]:
    """Columns that follow one another in part."""
    rng = np.random.default_rng(seed)
    first = rng.choice(3, size=rows, p=weights)
    return {name: np.where(rng.random(rows) < 0.5, first, rng.choice(3, size=rows, p=weights)) for name in NAMES}


PRIVATE = skewed(N, (0.6, 0.3, 0.1), seed=1)
SYNTHETIC = skewed(M, (0.2, 0.4, 0.4), seed=2)

CASES = [Case(relation, known, pure) for relation in Relation for known in (True, False) for pure in (False, True)]


def errors(clique: tuple[str, ...]) -> np.ndarray:
    """The difference of the frequencies, counted with nothing that the package counts with."""
    table = np.zeros((3, 3))
    for codes, rows, sign in ((PRIVATE, N, 1), (SYNTHETIC, M, -1)):
        for pair in zip(*(codes[name] for name in clique), strict=True):
            table[pair] += sign / rows
    return abs(table)


TRUTH = {clique: errors(clique) for clique in combinations(NAMES, 2)}
CELL = max(float(table.max()) for table in TRUTH.values())
EACH = {clique: float(table.sum()) / 2 for clique, table in TRUTH.items()}
MEAN = sum(EACH.values()) / len(EACH)


def missed(claim: Claims) -> dict[str, bool]:
    """Which claims are untrue; a rounding error is no miss."""
    return {
        "cell": claim.cell < CELL - 1e-12,
        "mean": claim.mean < MEAN - 1e-12,
        "each": any(claim.each[clique] < truth - 1e-12 for clique, truth in EACH.items()),
        "n": abs(claim.n - N) > claim.n_within,
    }


def misses(release: Callable[[], Claims], releases: int) -> dict[str, int]:
    """In how many releases each claim is untrue, and in how many any is."""
    found = [missed(release()) for _ in range(releases)]
    counted = {claim: sum(one[claim] for one in found) for claim in BETA}
    return counted | {"any": sum(any(one.values()) for one in found)}


def too_often(times: int, releases: int, beta: float) -> bool:
    """Whether so many misses refute a failure probability of at most beta, with a false alarm of one in a million."""
    return bool(binomtest(times, releases, beta, alternative="greater").pvalue < ALARM)
