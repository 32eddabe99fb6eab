"""Votes: the columns once, then, round after round, what the teachers say to candidates of the last proposal.

    1  Marginals over all columns                      share 1/5 of the purse
    2  Vote on ``CANDIDATES`` candidates, each round   an equal part of the rest

The noise on a vote does not fall with the rows, but the number of teachers grows with them: one for about ``SHARD`` rows, a
public number, since the number of rows is on the tape. Regret bound: none.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from understudy.game.latest import latest
from understudy.game.measurement import size
from understudy.game.player import Guess, Step, coin_of
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.vote import CANDIDATES as NAMED
from understudy.question.vote import MOST_TEACHERS, Ints, Vote
from understudy.question.workload import ways
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS = Fraction(1, 5)
CANDIDATES, SHARD = 32, 25


@dataclass(frozen=True)
class Votes:
    """One look at all columns, and so many rounds of votes."""

    schema: Schema
    purse: Purse
    rounds: int

    def script(self) -> tuple[Step, ...]:
        """The columns, then equal parts; how many teachers there are does not matter to the price."""
        vote = self.vote(Reference("not known yet"), 1)
        return (Step("all columns", (self.columns(),)), Step("votes of the teachers", (vote,) * self.rounds))

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The columns, then a vote a round."""
        if not tape.of(Marginals.kind):
            return self.columns()
        done = len(tape.of(Vote.kind))
        if done == self.rounds:
            return None
        candidates = candidates_of(guess, tape, self.schema, done)
        return self.vote(Reference.of_tables({NAMED: candidates}), teachers_for(size(tape, self.schema)))

    def columns(self) -> Marginals:
        """All one-way marginals."""
        return self.purse.share(COLUMNS).noisy(Marginals(Exact(), ways(tuple(self.schema.domain), 1)))

    def vote(self, reference: Reference, teachers: int) -> Vote:
        """One look."""
        part = self.purse.share((1 - COLUMNS) / self.rounds)
        return part.noisy(Vote(Exact(), tuple(self.schema.domain), reference, CANDIDATES, teachers))


def teachers_for(n: int) -> int:
    """One for so many rows."""
    return min(max(n // SHARD, 1), MOST_TEACHERS)


def candidates_of(guess: Guess, tape: Tape, schema: Schema, place: int) -> Ints:
    """Rows of the last proposal, drawn by the tape's coin: whoever has the tape has them."""
    rows = latest(guess).rows(CANDIDATES, coin_of(tape, f"candidates {place}"))
    return np.stack([np.asarray(rows[name], dtype=np.int64) for name in schema.domain], axis=1)
