"""Adaptive: again and again, choose the marginal on which the guess is worst, and measure it (MWEM, AIM).

    1  Marginals over all columns                                      share 1/5 of the purse
    2  rounds, each of some portions of the rest, a tenth of them for the choice:
       Select     score = weight * (l1 error - noise to come)          over the workload's downward closure
       Marginals  over the chosen one

The noise to come is ``SHY`` sqrt(2/pi) sigma times the cells that the guess sees: an error that a measurement would not
lower is none. Candidates are limited by a public rule: the guess's tree with the candidate has at most the part of
``room`` that the budget so far is of the whole. Where a measurement moved the guess by less than its own noise, the next
round has twice the portions; a round that would leave less than itself takes everything that is left.

The rest is cut into ``portions`` equal ones, and a round of k costs at most k times a round of one. So the script, which is
as many rounds of one portion, is the whole price told before, and no run comes to more. Regret bound (Theorem A, row A'),
against candidates that there was room for, in scores: the sum over rounds of s ln(candidates T / beta) with probability
1 - beta, s the Gumbel scale; in weighted errors, the largest bias of each round more. Against others: none.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from understudy.game.measurement import size, variance_of
from understudy.game.player import Columns, Guess, Step
from understudy.game.query.closure import Tree, expected, tree
from understudy.privacy.charge import Measure
from understudy.privacy.purse import Purse, root_below
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact, Gumbel
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

COLUMNS, CHOICE = Fraction(1, 5), Fraction(1, 10)
SHY = 0.8

NOTHING = Reference("not known yet")


@dataclass
class Adaptive:
    """Rounds of choice and measurement, until the purse is empty. ``rounds`` are the portions of those that began."""

    schema: Schema
    purse: Purse
    candidates: dict[Columns, int]
    portions: int
    room: int
    _rounds: list[int] = field(default_factory=list, repr=False)
    _before: dict[Columns, NDArray[np.int64]] = field(default_factory=dict, repr=False)

    def script(self) -> tuple[Step, ...]:
        """All rounds as if each had one portion; a round of more takes the place of as many."""
        largest = max(self.candidates, key=self.schema.cells)
        choice = self.choice(self.candidates, NOTHING, dict.fromkeys(self.candidates, 0), 1)
        return (
            Step("all columns", (self.columns(),)),
            Step("choice of marginals", (choice,) * self.portions),
            Step("chosen marginals", (self.marginal(largest, 1),) * self.portions),
        )

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The columns, then a choice and its measurement in turn."""
        looks, choices = tape.of(Marginals.kind), [chosen(entry) for entry in tape.of(Select.kind)]
        if not looks:
            return self.columns()
        if len(choices) == len(looks):
            return self.marginal(choices[-1], self._rounds[-1])
        guess, n = tree(guess), size(tape, self.schema)
        k = self.portions_next(guess, n, choices)
        if k == 0:
            return None
        self._rounds.append(k)
        return self.choose(guess, n, choices)

    def portions_next(self, guess: Tree, n: int, choices: list[Columns]) -> int:
        """What the next round gets: as much as the last one, twice as much after an idle one, or all that is left."""
        left = self.portions - sum(self._rounds)
        if not choices:
            return min(1, left)
        last, k = choices[-1], self._rounds[-1]
        moved = abs(n * guess.marginal(last) - self._before[last]).sum()
        k = 2 * k if moved < noise(self.marginal(last, k), guess.cells(last)) else k
        return left if left < 2 * k else k

    def choose(self, guess: Tree, n: int, before: list[Columns]) -> Select:
        """One choice among the marginals that there is room for."""
        k = self._rounds[-1]
        room = max(self.room * sum(self._rounds) / self.portions, guess.tree_cells(before))
        fitting = {c: w for c, w in self.candidates.items() if fits(guess, before, c, room)}
        # bias = weight * noise to come
        biases = {c: round(w * SHY * noise(self.marginal(c, k), guess.cells(c))) for c, w in fitting.items()}
        self._before = expected(guess, fitting, n)
        return self.choice(fitting, Reference.of_tables(self._before), biases, k)

    def columns(self) -> Marginals:
        """All one-way marginals."""
        return self.purse.share(COLUMNS).noisy(Marginals(Exact(), tuple((name,) for name in self.schema.domain)))

    def choice(self, weights: dict[Columns, int], expected: Reference, biases: dict[Columns, int], k: int) -> Select:
        """A selection that costs at most k times what it costs with one portion."""
        ask = Select(Exact(), tuple(weights), expected, tuple(weights.values()), tuple(biases.values()))
        one = self.portion.share(CHOICE).choosing(ask)
        assert isinstance(one.mechanism, Gumbel)
        pure = self.purse.amount.measure is Measure.PURE
        return replace(one, mechanism=Gumbel(one.mechanism.scale / (k if pure else root_below(Fraction(k)))))

    def marginal(self, columns: Columns, k: int) -> Marginals:
        """One marginal, at k times what it costs with one portion."""
        return self.portion.share((1 - CHOICE) * k).noisy(Marginals(Exact(), (columns,)))

    @property
    def portion(self) -> Purse:
        """The least that a round costs."""
        return self.purse.share((1 - COLUMNS) / self.portions)


def noise(asked: Marginals, cells: int) -> float:
    """The l1 error that is to be expected of a measurement: sqrt(2 / pi) sigma in each cell."""
    return sqrt(2 / pi * variance_of(asked.spec()["mechanism"])) * cells


def fits(guess: Tree, before: list[Columns], candidate: Columns, room: float) -> bool:
    """Whether there is room for a candidate; a part of what was measured takes none."""
    if any(set(candidate) <= set(clique) for clique in before):
        return True
    return guess.cells(candidate) <= room and guess.tree_cells([*before, candidate]) <= room


def chosen(entry: Entry) -> Columns:
    """What a selection came to."""
    assert isinstance(entry.answer, int)
    return tuple(entry.question["candidates"][entry.answer])
