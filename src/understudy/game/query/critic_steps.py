"""Critic steps: noisy gradients of a neural critic over Poisson samples, again and again (oracle F).

    GradientStep, T times, at the weights and the clip that the guess carries

The critic, the optimiser and the generator are the data player's (adversary.py): all of it is post-processing. A neural critic
has no regret bound; what is reached is certified afterwards.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from understudy.game.data.generated import Generated
from understudy.game.data.maker import Maker
from understudy.game.measurement import size
from understudy.game.player import Guess, Step
from understudy.game.tempo import Tempo, priced
from understudy.privacy.purse import Purse
from understudy.question.critic import Critic
from understudy.question.gradient_step import GradientStep, Weights
from understudy.question.mechanism import Exact
from understudy.question.question import Question
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

ASSUMED = 50_000  # rows, where their number is private: for the plan alone


@dataclass(frozen=True)
class CriticSteps:
    """A tempo's steps, of equal noise."""

    schema: Schema
    purse: Purse
    maker: Maker
    critic: Critic
    loss: str
    tempo: Tempo
    by_cells: bool = False

    def script(self) -> tuple[Step, ...]:
        """All looks, for the declared number of rows, or an assumed one."""
        n = ASSUMED if self.schema.n is None else self.schema.n
        return (Step("steps of the critic", (self.step(n, Weights("not known yet"), 1.0, 0),) * self.looks(n)),)

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The step at the guess's critic."""
        assert isinstance(guess, Generated) and guess.rival is not None, (
            "critic steps are played by a generator's critic"
        )
        done, n = len(tape.of(GradientStep.kind)), size(tape, self.schema)
        if done == self.looks(n):
            return None
        return self.step(n, Weights.of(guess.rival.weights), guess.rival.clip, done)

    def progress(self, tape: Tape) -> tuple[int, int]:
        """Steps that were taken, and T."""
        return len(tape.of(GradientStep.kind)), self.looks(size(tape, self.schema))

    def looks(self, n: int) -> int:
        """T."""
        return self.tempo.looks(n, self.purse, self.critic.parameters)

    def step(self, n: int, weights: Weights, clip: float, place: int) -> GradientStep:
        """One look, at the noise that all of them share."""
        columns = self.maker.columns
        sizes = tuple(self.schema.domain[name] for name in columns) if self.by_cells else ()
        asked = GradientStep(Exact(), columns, sizes, self.critic, self.loss, Fraction(1), Weights(""), 0)
        noise = priced(self.purse, asked, self.tempo.rate(n), self.looks(n)).mechanism
        return replace(asked, mechanism=noise, clip=exact_clip(clip), weights=weights, step=place)


def exact_clip(clip: float) -> Fraction:
    """A clip as the fraction that the tape holds."""
    return Fraction(max(round(clip * 2**20), 1), 2**20)
