"""Weights: queries drawn from multiplicative weights over all of them (oracle B), some drawn anew and some kept.

    round t    draws from P_t[q] proportional to exp( eta sum over i <= t of [ c_q(S) / nhat - q(g_i) ] ),
               each a SelectCell with times = t, scale s = nhat / eta, reference nhat sum of q(g_i)

A draw of round t costs eps_t = 2 t R / s, so T rounds of f draws cost rho = f R^2 T (T + 1)(2 T + 1) / (12 s^2), or in pure
epsilon f R T (T + 1) / s: s follows from the purse, T and f alone. g_t stands before its draws are made, and the weights
already know it (the leader that looks ahead): the regret of the laws P_t is at most ln K / eta for K signed queries, and
that of the draws sqrt(2 T ln(1 / beta) / f) more (Theorem A, row B; publish/mixture.py).

Document 003 has exp(-eta V) here, which draws the queries that are answered best; `audit/saboteur/mw_sign.py`.

``draws`` are wanted a round, ``fresh`` of them drawn anew; the others are kept from the round before, chosen by the tape's
coin, which costs nothing. Where draws are kept no regret is claimed and no payoff asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.game.latest import latest
from understudy.game.measurement import size
from understudy.game.player import Columns, Guess, Step, coin_of
from understudy.game.query.cells import ASSUMED, PAYOFF, Played, signed_of
from understudy.game.value import expectations, rounded
from understudy.privacy.charge import Measure
from understudy.privacy.purse import Purse, root_below
from understudy.question.mechanism import Exact, Gumbel
from understudy.question.payoff import Payoff
from understudy.question.queries import Box
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select_cell import SelectCell, Signed
from understudy.question.workload import Workload
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

Expected = dict[Columns, NDArray[np.float64]]


@dataclass(frozen=True)
class Draws:
    """T rounds of so many draws, ``fresh`` of them new in each."""

    rounds: int
    draws: int
    fresh: int


@dataclass
class Weights:
    """Draws from exponential weights, and at the end what they came to."""

    schema: Schema
    purse: Purse
    workload: Workload
    draws: Callable[[int], Draws]  # from the public number of rows
    certified: bool = True
    _sum: Expected = field(default_factory=dict, repr=False)
    _against: Guess | None = field(default=None, repr=False)
    _rounds: int = field(default=0, repr=False)
    _played: Played = field(default_factory=Played, repr=False)

    def script(self) -> tuple[Step, ...]:
        """All draws at their price."""
        n = ASSUMED if self.schema.n is None else self.schema.n
        plan, unknown = self.draws(n), Reference("not known yet")
        looks = tuple(self.draw(unknown, t, plan) for t in range(1, plan.rounds + 1) for _ in range(plan.fresh))
        told = (Step("draws of cells", looks),)
        if not self.certified:
            return told
        any_plays = Played({Box(((next(iter(self.schema.domain)), 0, 0),)): plan.rounds * plan.fresh})
        return (*told, Step("what the draws came to", (self.payoff(any_plays, plan),)))

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The next draw; a round begins with the latest guess."""
        n, entries = size(tape, self.schema), tape.of(SelectCell.kind)
        plan = self.draws(n)
        if tape.of(Payoff.kind):
            return None
        if self._against is not None and entries and self.certified:
            self._played.add(signed_of(entries[-1], self.schema), self._against, self.schema, n)
        if len(entries) == plan.rounds * plan.fresh:
            return self.payoff(self._played, plan) if self.certified else None
        t = len(entries) // plan.fresh + 1
        if t > self._rounds:
            self._against, self._rounds = latest(guess), t
            found = expectations(self._against, self.workload.cliques, self.workload.queries, self.schema.domain)
            self._sum = {name: table + self._sum[name] for name, table in found.items()} if self._sum else found
        return self.draw(rounded(self._sum, n), t, plan)

    def draw(self, expected: Reference, t: int, plan: Draws) -> SelectCell:
        """One draw of round t."""
        ask = SelectCell(Exact(), self.workload.cliques, self.workload.queries, expected, t)
        return replace(ask, mechanism=Gumbel(self.scale(plan)))

    def scale(self, plan: Draws) -> Fraction:
        """s = nhat / eta, the least that the purse pays for."""
        share = self.purse.share(1 - PAYOFF if self.certified else Fraction(1))
        ask = SelectCell(Exact(), self.workload.cliques, self.workload.queries, Reference("not known yet"))
        one, t = share.choosing(ask).mechanism, plan.rounds
        assert isinstance(one, Gumbel)
        if share.amount.measure is Measure.PURE:
            # the sum of t over all draws is f T (T + 1) / 2
            return one.scale * plan.fresh * t * (t + 1) / 2
        # the sum of t^2 over all draws is f T (T + 1)(2 T + 1) / 6
        return one.scale / root_below(Fraction(6, plan.fresh * t * (t + 1) * (2 * t + 1)))

    def payoff(self, played: Played, plan: Draws) -> Payoff:
        """What all draws came to: f times as many plays as rounds."""
        return self.purse.share(PAYOFF).noisy(played.question(plan.rounds * plan.fresh, "weights"))


@dataclass
class Drawn:
    """The draws of every round that is complete on a tape, kept ones first; read once."""

    rounds: list[list[Signed]] = field(default_factory=list)

    def follow(self, tape: Tape, schema: Schema, plan: Draws) -> None:
        """Read on."""
        entries = tape.of(SelectCell.kind)
        for t in range(len(self.rounds), len(entries) // plan.fresh):
            new = [signed_of(entry, schema) for entry in entries[t * plan.fresh : (t + 1) * plan.fresh]]
            before = self.rounds[-1] if self.rounds else []
            chosen = coin_of(tape, f"kept in round {t}").permutation(len(before))[: plan.draws - plan.fresh]
            self.rounds.append([before[int(i)] for i in chosen] + new)
