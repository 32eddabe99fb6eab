"""Twice: all columns, all pairs, and then once more the pairs that stand out most.

    1  Marginals over all columns                        share 1/20 of the purse
    2  Marginals over all pairs                          share 9/20
    3  Marginals over the clearest pairs                 share 1/2; ``LOOKS`` pairs for every column, or all there are
    clearness     (sum (y - e)^2 / v - m) / sqrt(2 m)

y are the noisy counts of step 2 over the cells that the noise lets us see (merging.py), m of them, v their variances, and
e what the columns by themselves would make of it: what noise alone comes to has mean 0 and deviation 1. That is told from the
tape, so the choice costs nothing, and how many are chosen is public.

Regret bound: 0 for the marginals that it measures, none for others.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.merging import Groups, gathered
from understudy.game.data.product import project
from understudy.game.measurement import Measurement, columns_of, measurements, size
from understudy.game.player import Columns, Guess, Step
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.workload import ways
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS, PAIRS = Fraction(1, 20), Fraction(9, 20)
LOOKS = 3


@dataclass(frozen=True)
class Twice:
    """Three looks; which pairs the last one is at follows from the first two."""

    schema: Schema
    purse: Purse

    def script(self) -> tuple[Step, ...]:
        """The three looks; which pairs are the clearest is not known yet, and does not matter to the price."""
        if len(self.schema.domain) == 1:
            return (Step("all columns", (self.columns(Fraction(1)),)),)
        pairs = self.pairs()
        largest = tuple(sorted(pairs, key=self.schema.cells, reverse=True)[: self.most])
        return (
            Step("all columns", (self.columns(COLUMNS),)),
            Step("all pairs", (self.marginals(PAIRS, pairs),)),
            Step("the clearest pairs", (self.marginals(1 - COLUMNS - PAIRS, largest),)),
        )

    def next(self, guess: Guess, tape: Tape) -> Marginals | None:
        """The look whose turn it is."""
        done = len(tape.of(Marginals.kind))
        if len(self.schema.domain) == 1:
            return None if done else self.columns(Fraction(1))
        if done == 0:
            return self.columns(COLUMNS)
        if done == 1:
            return self.marginals(PAIRS, self.pairs())
        return self.marginals(1 - COLUMNS - PAIRS, self.clearest(tape)) if done == 2 else None

    @property
    def most(self) -> int:
        """So many pairs are looked at twice, if there are as many."""
        return LOOKS * len(self.schema.domain)

    def pairs(self) -> tuple[Columns, ...]:
        """All pairs."""
        return ways(tuple(self.schema.domain), 2)

    def columns(self, share: Fraction) -> Marginals:
        """All one-way marginals."""
        return self.marginals(share, ways(tuple(self.schema.domain), 1))

    def marginals(self, share: Fraction, cliques: tuple[Columns, ...]) -> Marginals:
        """Some marginals, for a share of the purse."""
        return self.purse.share(share).noisy(Marginals(Exact(), cliques))

    def clearest(self, tape: Tape) -> tuple[Columns, ...]:
        """The pairs that stand out most, the clearest first."""
        measured, n = measurements(tape, self.schema), max(size(tape, self.schema), 1)
        alone = columns_of(measured, self.schema, n)
        groups = {name: Groups.of_counts(m.counts, m.variance) for name, m in alone.items()}
        product = {name: project(gathered(m.counts / n, [groups[name]])) for name, m in alone.items()}
        found = {m.columns: clearness(m, groups, product, n) for m in measured if len(m.columns) == 2}
        return tuple(sorted(found, key=lambda pair: -found[pair])[: self.most])


def clearness(m: Measurement, groups: dict[str, Groups], product: dict[str, NDArray[np.float64]], n: int) -> float:
    """How many deviations of noise a pair is away from the product of its columns."""
    merged, (first, second) = [groups[name] for name in m.columns], m.columns
    seen, expected = gathered(m.counts, merged), n * np.outer(product[first], product[second])
    variance = gathered(np.full(m.counts.shape, max(m.variance, 1.0)), merged)
    # (sum (y - e)^2 / v - m) / sqrt(2 m)
    return float((((seen - expected) ** 2 / variance).sum() - seen.size) / (2 * seen.size) ** 0.5)
