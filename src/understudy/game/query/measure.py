"""Measure: ask for lists of marginals once, in stages, and stop.

Regret bound: 0 for the marginals that it measures, none for others.
"""

from dataclasses import dataclass
from fractions import Fraction

from understudy.game.player import Columns, Guess, Step
from understudy.privacy.purse import Purse
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.workload import ways
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COLUMNS = Fraction(1, 20)


@dataclass(frozen=True)
class Stage:
    """Marginals that are asked together, and their share of the purse."""

    what: str
    cliques: tuple[Columns, ...]
    share: Fraction = Fraction(1)


@dataclass(frozen=True)
class Measure:
    """One noisy look a stage."""

    stages: tuple[Stage, ...]
    purse: Purse

    def script(self) -> tuple[Step, ...]:
        """The stages, one after another."""
        return tuple(Step(stage.what, (self.question(stage),)) for stage in self.stages)

    def question(self, stage: Stage) -> Marginals:
        """All marginals of a stage, at the price of its share."""
        return self.purse.share(stage.share).noisy(Marginals(Exact(), stage.cliques))

    def next(self, guess: Guess, tape: Tape) -> Marginals | None:
        """The first stage that is not on the tape yet."""
        done = len(tape.of(Marginals.kind))
        return self.question(self.stages[done]) if done < len(self.stages) else None


def columns_and_pairs(schema: Schema, purse: Purse) -> Measure:
    """All columns for a twentieth of the purse, then all pairs for the rest."""
    names = tuple(schema.domain)
    if len(names) == 1:
        return Measure((Stage("all columns", ways(names, 1)),), purse)
    columns, pairs = Stage("all columns", ways(names, 1), COLUMNS), Stage("all pairs", ways(names, 2), 1 - COLUMNS)
    return Measure((columns, pairs), purse)
