"""Ties: what another query player asks of the cells, then the degrees of the nodes that edges join.

    1  all that ``first`` asks
    2  Degrees   of each column of edges, in equal parts of the purse

Regret bound: that of ``first``; the degrees are beyond the cells, and no certificate speaks of them.
"""

from dataclasses import dataclass
from fractions import Fraction

from understudy.game.player import Guess, QueryPlayer, Step
from understudy.privacy.purse import Purse
from understudy.question.degrees import Degrees
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.schema.pair import Edge
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape


@dataclass(frozen=True)
class Ties:
    """A query player, and the degrees after it."""

    first: QueryPlayer
    edges: tuple[Edge, ...]
    purse: Purse

    def degrees(self, column: Edge) -> Degrees:
        """The degrees of the nodes of one column."""
        sizes = tuple(int(size) for size in column.joins.sizes)
        return self.purse.share(Fraction(1, len(self.edges))).noisy(Degrees(Exact(), column.name, sizes))

    def script(self) -> tuple[Step, ...]:
        """The other's script, then the degrees."""
        asked = tuple(self.degrees(column) for column in self.edges)
        return self.first.script() + ((Step("degrees", asked),) if asked else ())

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """What the other asks next; when it has done, the first column whose degrees are not on the tape."""
        if (question := self.first.next(guess, tape)) is not None:
            return question
        waiting = self.edges[len(tape.of(Degrees.kind)) :]
        return self.degrees(waiting[0]) if waiting else None


def edges_of(schema: Schema) -> tuple[Edge, ...]:
    """The columns of edges."""
    return tuple(column for column in schema.modelled if isinstance(column, Edge))
