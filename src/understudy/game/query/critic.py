"""Critic: the slope of a logistic critic on the private rows, round after round (oracle E).

    theta_(t+1) = theta_t + step ( slope on the private rows - slope on the proposal )

The slope on the private rows is asked for, with noise, at an equal part of the purse each round; all else is the data
player's (logistic_critic.py), whose guess carries theta. Regret: O(sqrt T) for the logistic game with exact slopes, plus
what the noise adds; none is claimed for marginals.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from understudy.game.data.generator import Proposals
from understudy.game.player import Columns, Guess, Step
from understudy.privacy.purse import Purse
from understudy.question.critic_gradient import LARGEST, UNIT, CriticGradient
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.vault.tape import Tape


@dataclass(frozen=True)
class Critic:
    """So many slopes over some marginals."""

    purse: Purse
    cliques: tuple[Columns, ...]
    rounds: int

    def script(self) -> tuple[Step, ...]:
        """Equal parts."""
        return (Step("slopes of the critic", (self.slope(Reference("not known yet")),) * self.rounds),)

    def next(self, guess: Guess, tape: Tape) -> CriticGradient | None:
        """The slope at the theta that the guess carries."""
        if len(tape.of(CriticGradient.kind)) == self.rounds:
            return None
        assert isinstance(guess, Proposals), "oracle E is played by a generator that carries its critic"
        whole = {c: np.rint(np.clip(guess.critic[c] * UNIT, -LARGEST, LARGEST)).astype(np.int64) for c in self.cliques}
        return self.slope(Reference.of_tables(whole))

    def slope(self, theta: Reference) -> CriticGradient:
        """One look."""
        return self.purse.share(Fraction(1, self.rounds)).noisy(CriticGradient(Exact(), self.cliques, theta))
