"""In turn: opening looks, then the steps of a critic.

    look    what the opening asks, until it has no more to ask
    step    GradientStep, T times, from the guess that carries a critic

Both are given their own part of the purse. Regret bound: that of the steps, none.
"""

from dataclasses import dataclass

from understudy.game.player import Guess, QueryPlayer, Step
from understudy.game.query.critic_steps import CriticSteps
from understudy.question.question import Question
from understudy.vault.tape import Tape


@dataclass(frozen=True)
class InTurn:
    """The opening, then the steps."""

    opening: QueryPlayer
    steps: CriticSteps

    def script(self) -> tuple[Step, ...]:
        """All looks of both."""
        return (*self.opening.script(), *self.steps.script())

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The opening's next question, or else the next step."""
        asked = self.opening.next(guess, tape)
        return self.steps.next(guess, tape) if asked is None else asked

    def progress(self, tape: Tape) -> tuple[int, int]:
        """Steps that were taken, and T."""
        return self.steps.progress(tape)
