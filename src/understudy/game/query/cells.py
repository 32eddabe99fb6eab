"""Cells: again and again, the single query on which the latest guess is most wrong, chosen privately (oracle A).

    1  SelectCell, round after round, against nhat times the latest guess         19/20 of the purse, equal parts
    2  Payoff, once: what the played queries came to                               1/20

Nothing is measured on the way: the data player learns which query was chosen and with which sign. Regret bound (Theorem A, row
A): each selection is within s ln(2 K T / beta) of the best with Gumbel scale s and K queries; all T with probability 1 - beta.

The number of rounds is a function of public facts: of the public number of rows where the schema declares it, else of nhat. The
script tells the price for ``ASSUMED`` rows where nhat is not known yet; a run of other rounds costs the same in all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from understudy.game.latest import latest
from understudy.game.measurement import size
from understudy.game.player import Columns, Guess, Step
from understudy.game.value import expectations, rounded, value
from understudy.privacy.purse import Purse
from understudy.question.mechanism import Exact
from understudy.question.payoff import Payoff
from understudy.question.queries import Box, Query
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select_cell import SelectCell, Signed, read
from understudy.question.workload import Workload
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

PAYOFF = Fraction(1, 20)
ASSUMED = 1000

Rounds = Callable[[int], int]  # from the public number of rows


@dataclass
class Played:
    """The queries that were played so far, net of signs, and what the guesses promised of them."""

    weights: dict[Query, int] = field(default_factory=dict)
    promised: float = 0.0

    def add(self, signed: Signed, guess: Guess, schema: Schema, n: int) -> None:
        """One play: +-q against a guess."""
        self.weights[signed.query] = self.weights.get(signed.query, 0) + signed.sign
        self.promised += signed.sign * n * value(guess, signed.query, schema.domain)

    def question(self, rounds: int, player: str) -> Payoff:
        """The sum over the private rows."""
        kept = {query: weight for query, weight in self.weights.items() if weight} or dict(
            list(self.weights.items())[:1]
        )
        # promised is rounded down, so that the certificate errs upwards
        return Payoff(Exact(), tuple(kept), tuple(kept.values()), floor(self.promised), rounds, player)


@dataclass
class Cells:
    """Best responses, ``rounds`` of them, and at the end what they came to."""

    schema: Schema
    purse: Purse
    workload: Workload
    rounds: Rounds
    _played: Played = field(default_factory=Played, repr=False)
    _against: Guess | None = field(default=None, repr=False)

    def script(self) -> tuple[Step, ...]:
        """All rounds at their price."""
        n = ASSUMED if self.schema.n is None else self.schema.n
        looks = (self.choice(Reference("not known yet"), self.rounds(n)),) * self.rounds(n)
        return Step("choice of cells", looks), Step("what the choices came to", (self.payoff(self.any_plays(n), n),))

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The next choice against the latest guess; the payoff after the last one."""
        n, chosen = size(tape, self.schema), tape.of(SelectCell.kind)
        if tape.of(Payoff.kind):
            return None
        if self._against is not None:
            self._played.add(signed_of(chosen[-1], self.schema), self._against, self.schema, n)
        if len(chosen) == self.rounds(n):
            return self.payoff(self._played, n)
        self._against = latest(guess)
        expected = expectations(self._against, self.workload.cliques, self.workload.queries, self.schema.domain)
        return self.choice(rounded(expected, n), self.rounds(n))

    def choice(self, expected: Reference, rounds: int) -> SelectCell:
        """One selection among all cells, at a round's part of the purse."""
        ask = SelectCell(Exact(), self.workload.cliques, self.workload.queries, expected)
        return self.purse.share((1 - PAYOFF) / rounds).choosing(ask)

    def payoff(self, played: Played, n: int) -> Payoff:
        """What all choices came to."""
        return self.purse.share(PAYOFF).noisy(played.question(self.rounds(n), "best"))

    def any_plays(self, n: int) -> Played:
        """As many plays as there will be, of whatever query: the price does not depend on which."""
        name = next(iter(self.schema.domain))
        return Played({Box(((name, 0, 0),)): self.rounds(n)})


def signed_of(entry: Entry, schema: Schema) -> Signed:
    """The query that a selection came to."""
    from understudy.question.spec import query

    assert isinstance(entry.answer, int)
    asked = entry.question
    return read(entry.answer, asked["cliques"], [query(words) for words in asked["queries"]], schema.domain)


def queries_of(workload: Workload, schema: Schema) -> int:
    """K: how many queries a workload has, each sign counted once."""
    cliques: tuple[Columns, ...] = workload.cliques
    return sum(schema.cells(clique) for clique in cliques) + len(workload.queries)
