"""Measure: ask for a list of marginals once, and stop.

Regret bound: 0 for the marginals that it measures, none for others.
"""

from dataclasses import dataclass

from understudy.game.player import Columns, Guess, Step
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.vault.tape import Tape


@dataclass(frozen=True)
class Measure:
    """One noisy look at ``cliques`` with the whole purse."""

    cliques: tuple[Columns, ...]
    purse: Purse

    def script(self) -> tuple[Step, ...]:
        """One step."""
        return (Step("marginals", (self.question(),)),)

    def question(self) -> Marginals:
        """All of them, at the price of the whole purse."""
        return self.purse.noisy(Marginals(Exact(), self.cliques))

    def next(self, guess: Guess, tape: Tape) -> Marginals | None:
        """The marginals, if they are not on the tape yet."""
        return None if tape.of(Marginals.kind) else self.question()
