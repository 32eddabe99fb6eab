"""The direct certificate: how far the released rows are from the private ones, at most, with probability 1 - beta.

The rows T (m of them) are frozen first; then the gate answers `question/bound.py` about them, in units of 1/m row:

    M   = F(S) + Z            the noisy answer;   Z one-sided:  P[-Z > t] <= beta   (the noise is symmetric)
    U   = M + t               hence  P[F(S) > U] <= beta
    E   with P[|n - nhat| > E] <= beta_n,  0 where n is public

From counts to frequencies (n unknown, nhat public):  for any cell and any marginal

    |c/n - c'/m| = |m c - n c'| / (n m) <= (|m c - nhat c'| + |n - nhat| c') / (n m) <= (U / m + E c'/m) / (nhat - E)

and c'/m <= 1 for a cell, and sums to 1 over a marginal (of which total variation is one half). So with probability at
least 1 - (the sum of the betas):

    (a) every cell of every marginal of the workload is within  (U_cell / m + E) / (nhat - E)
    (b) the mean total variation over the workload is at most   (mean U_i / m + E) / (2 (nhat - E)),  its own noise averaged
    (c) the total variation of every marginal i is at most      (U_i / m + E) / (2 (nhat - E)),  for all i at once
    (d) where the workload lists queries, each of them is within  (U_query / m + E) / (nhat - E), as a cell is: c'/m <= 1

A bound above 1 says nothing and is written as 1. Coverage is tested by simulation (tests/publish/test_coverage.py).
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from understudy.game.player import Codes, Columns, Step
from understudy.noise import discrete_gaussian, discrete_laplace
from understudy.privacy.purse import Purse
from understudy.question.bound import Variations, WorstCell, WorstQuery
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Mechanism
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.spec import mechanism as mechanism_of
from understudy.question.workload import Workload
from understudy.schema.schema import Schema
from understudy.vault.gate import Gate
from understudy.vault.tape import Entry, Tape

CELL, VARIATION = Fraction(2, 5), Fraction(3, 5)  # how the certificate's purse is split
QUERY = Fraction(1, 5)  # what listed queries take of it first
BETA = {"cell": 0.02, "mean": 0.01, "each": 0.01, "n": 0.01}  # together 0.05: all claims hold with probability 95 %
WORST = BETA["cell"] / 2  # for the worst cell and for the worst query each, where there are queries
CONFIDENCE = 1 - sum(BETA.values())


@dataclass(frozen=True)
class Certifier:
    """The questions that a certificate asks."""

    schema: Schema
    workload: Workload
    purse: Purse

    def script(self, rows: int) -> tuple[Step, ...]:
        """Their price; what the rows will be does not matter to it."""
        unknown = (0,) * len(self.workload.queries)
        return (Step("certificate", self.questions(Reference("not known yet"), rows, 0, unknown)),)

    def questions(
        self, synthetic: Reference, rows: int, n: int, expected: tuple[int, ...] = ()
    ) -> tuple[Question, ...]:
        """Worst cell, each marginal's variation, and the worst listed query, for these frozen rows and its counts in them."""
        cliques, queries = self.workload.cliques, self.workload.queries
        purse = self.purse.share(1 - QUERY) if queries else self.purse
        worst = purse.share(CELL).noisy(WorstCell(Exact(), cliques, synthetic, rows, n))
        each = purse.share(VARIATION).noisy(Variations(Exact(), cliques, synthetic, rows, n))
        if not queries:
            return worst, each
        return worst, each, self.purse.share(QUERY).noisy(WorstQuery(Exact(), queries, expected, rows, n))

    def ask(self, gate: Gate, codes: Codes, n: int) -> None:
        """Put the answers on the tape."""
        rows = len(next(iter(codes.values())))
        expected = tuple(int(query.matches(codes).sum()) for query in self.workload.queries)
        for question in self.questions(Reference.of_rows(codes, self.schema.domain), rows, n, expected):
            gate.ask(question)


@dataclass(frozen=True)
class Claims:
    """What the tape's answers prove about the rows, each bound a frequency between 0 and 1."""

    cell: float
    query: float | None
    mean: float
    each: dict[Columns, float] = field(repr=False)
    n: int
    n_within: int

    def to_json(self) -> dict[str, Any]:
        """The claims as the certificate writes them."""
        return {
            "confidence": round(CONFIDENCE, 10),
            "worst_cell_error": self.cell,
            **({} if self.query is None else {"worst_query_error": self.query}),
            "mean_total_variation": self.mean,
            "total_variation": [{"columns": list(c), "bound": bound} for c, bound in self.each.items()],
            "rows_in_private_table": {"estimate": self.n, "within": self.n_within},
        }


def claims(tape: Tape, schema: Schema, n: int) -> Claims:
    """Read the bounds off the tape. A function of the tape alone, so that anybody can repeat it."""
    worst, each = only(tape, WorstCell.kind), only(tape, Variations.kind)
    rows = int(worst.question["synthetic_rows"])
    off = size_error(tape, schema)
    listed = tape.of(WorstQuery.kind)
    beta = WORST if listed else BETA["cell"]
    cliques = [tuple(clique) for clique in each.question["cliques"]]
    of_each = upper_bound(each, BETA["each"] / len(cliques))
    sums = sum(answer_of(each).tolist()) + mean_margin(each, BETA["mean"])  # Python's integers: an int64 could wrap
    return Claims(
        cell=frequency(upper_bound(worst, beta)[0], rows, n, off),
        query=frequency(upper_bound(only(tape, WorstQuery.kind), beta)[0], rows, n, off) if listed else None,
        mean=variation(max(sums, 0) / len(cliques), rows, n, off),
        each={c: variation(bound, rows, n, off) for c, bound in zip(cliques, of_each, strict=True)},
        n=n,
        n_within=off,
    )


def frequency(bound: float, rows: int, n: int, off: int) -> float:
    """(U / m + E) / (nhat - E), and 1 where that says nothing."""
    return min(1.0, (bound / rows + off) / (n - off)) if n > off else 1.0


def variation(bound: float, rows: int, n: int, off: int) -> float:
    """Half of it: a total variation distance."""
    return min(1.0, (bound / rows + off) / (2 * (n - off))) if n > off else 1.0


def only(tape: Tape, kind: str) -> Entry:
    """The one answer of a kind."""
    (entry,) = tape.of(kind)
    return entry


def answer_of(entry: Entry) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The answer as an array."""
    assert isinstance(entry.answer, np.ndarray)
    return entry.answer


def upper_bound(entry: Entry, beta: float) -> list[int]:
    """M + t for each answer, never below 0 (the error is not)."""
    t = noise_quantile(mechanism_of(entry.question["mechanism"]), beta)
    return [max(int(m) + t, 0) for m in answer_of(entry)]


def noise_quantile(mechanism: Mechanism, beta: float) -> int:
    """The least t that we can prove to have P[Z > t] <= beta."""
    match mechanism:
        case DiscreteGaussian(sigma2):
            return discrete_gaussian.upper(sigma2, beta)
        case DiscreteLaplace(scale):
            return discrete_laplace.upper(scale, beta)
        case Exact():
            return 0
    raise TypeError(f"{type(mechanism).__name__} adds no noise to a number")


def mean_margin(entry: Entry, beta: float) -> int:
    """What the sum of w independent noises exceeds with probability at most beta.

    An integer: another machine's last digit of a logarithm must not change a certificate.
    """
    w = len(answer_of(entry))
    match mechanism_of(entry.question["mechanism"]):
        case DiscreteGaussian(sigma2):
            return discrete_gaussian.upper_of_sum(sigma2, w, beta)
        case DiscreteLaplace(scale):
            return discrete_laplace.upper_of_sum(scale, w, beta)
        case Exact():
            return 0
        case other:
            raise TypeError(f"{type(other).__name__} adds no noise to a number")


def size_error(tape: Tape, schema: Schema) -> int:
    """E with P[|n - nhat| > E] <= beta_n; 0 where n is public."""
    if schema.n is not None:
        return 0
    return noise_quantile(mechanism_of(only(tape, "count").question["mechanism"]), BETA["n"] / 2)
