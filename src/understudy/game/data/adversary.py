"""Adversary: a generator and its critic, trained by the noisy gradients on the tape.

Each answer on the tape is one step of the critic; every ``turns`` of them, the generator takes one of its own.

    critic      bout.py, its private part  clip * answer / (2^16 q nhat)
    generator   bout.py, with the average of it
    released    the mixture of ``LATE`` averages, taken at even times in the later half of the run
    rates       as given, and in the later half falling in a line to a twentieth; the critic has the first tenth for itself
    clip        C <- C exp( STEER (1/2 - share of rows within the clip) ),  the share as the answer's last number says it

Where a guess is there before (prior.py: ``Opening``), Gaussians become a part of the generator, and any other is a school: both
networks are trained on its rows first, which are public. The normaliser is public, q times the noisy number of rows; the true
size of a sample is never known here. All of it is post-processing of the tape: momentum, averages and restarts cost nothing,
and a run that is taken up plays it again.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.bout import Regimen, programs
from understudy.game.data.generated import Floats, Generated, Rival
from understudy.game.data.maker import FAINT, Maker, Parameters, untrained, with_prior
from understudy.game.data.normals import Normals
from understudy.game.data.prior import Opening, prior_of
from understudy.game.data.product import product_of
from understudy.game.measurement import size
from understudy.game.player import Forecast, Guess, coin_of
from understudy.game.query.critic_steps import CriticSteps
from understudy.question.critic import Critic
from understudy.question.ghost import clipped_sum
from understudy.question.gradient_step import CLIP, COUNT, GradientStep
from understudy.schema.schema import Schema
from understudy.vault.stored import Stored
from understudy.vault.tape import Entry, Tape

STEER, FIRST_CLIP, CLIPS = 0.2, 1.0, (1 / 64, 64.0)
LATE, SLOWEST, FIRST = 8, 0.05, 0.1
LESSONS, PUPILS = 300, 8192  # steps of a school, and rows in it
RARE = 1e-4  # no cell begins rarer
FLOPS = 1.5e10  # a second, for the forecast


@dataclass
class AdversaryPlayer:
    """Moves the critic along each answer on the tape, and lets the generator answer; from a prior, if there is one."""

    maker: Maker
    steps: CriticSteps
    regimen: Regimen = Regimen()
    opening: Opening | None = None
    _state: dict[str, Any] = field(default_factory=dict, repr=False)
    _late: list[Any] = field(default_factory=list, repr=False)
    _clip: float = FIRST_CLIP
    _done: int = 0
    _turns: tuple[int, int] = (0, 0)  # of the critic and of the generator, in school and after it
    _losses: list[float] = field(default_factory=list, repr=False)
    _shares: Floats = field(default_factory=lambda: np.ones(1), repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """So many passes of both networks at most, and what the prior takes."""
        tempo, weights = self.steps.tempo, self.steps.critic.parameters
        pixels = 1 if self.maker.picture is None else self.maker.picture[0] * self.maker.picture[1] // 8
        work = 8 * (tempo.batch + 2 * self.regimen.batch) * (weights + 2 * self.maker.raw) * pixels
        first = Forecast(0, 0) if self.opening is None else self.opening.data.forecast(schema)
        kept = min(tempo.most * weights * 4 / 1e6, 400) + weights * 1e-4
        return Forecast(600 + kept + first.megabytes, 10 + tempo.most * work / FLOPS + first.seconds)

    def fit(self, tape: Tape, schema: Schema) -> Guess:
        """The opening's guess until all of it is asked; then the averaged generator so far, and its rival."""
        taken = tape.of(GradientStep.kind)
        if not (self._state and taken):  # until a step is on the tape there may be columns to begin from
            guess = None if self.opening is None else self.opening.data.fit(tape, schema)
            if guess is not None and self.opening is not None and self.opening.query.next(guess, tape) is not None:
                return guess
            self._begin(tape, schema, guess)
            if guess is not None and not isinstance(guess, Normals):
                rng = coin_of(tape, "school")
                self._attend(school(guess, self.maker, rng), rng, self._law(tape, schema))
        law, n = self._law(tape, schema), max(size(tape, schema), 1)
        for entry in taken[self._done :]:
            self._advance(entry, n, law)
        rival = Rival(self._state["critic"], self._clip)
        networks = tuple(self._late) if self._done == self.steps.looks(n) else (self._state["average"],)
        return Generated(self.maker, networks, law, schema, rival=rival, training=np.array(self._losses))

    def _begin(self, tape: Tape, schema: Schema, guess: Guess | None) -> None:
        """Both networks untrained, by the tape's coin; Gaussians within the generator."""
        rng = coin_of(tape, "adversary")
        jax = lazy.load()
        if isinstance(guess, Normals):
            names = tuple(head.name for head in self.maker.heads)
            prior = prior_of(guess, names, self.maker.classes)
            self._shares, (components, latent, _) = guess.weights, prior["spread"].shape
            self.maker = with_prior(self.maker, latent, components)
            maker = untrained(self.maker, rng) | {"prior": prior}
        else:
            maker = at_the_columns(untrained(self.maker, rng), self.maker, tape, schema)
        networks = {"critic": fresh(self.steps.critic, self.maker.classes, self.regimen.stress, rng), "maker": maker}
        still = {name: jax.tree.map(np.zeros_like, network) for name, network in networks.items()}
        self._state = networks | {"average": maker, "mean": still, "square": still}
        self._word, self._turns, self._clip = np.uint32(rng.integers(2**32)), (0, 0), FIRST_CLIP

    def _law(self, tape: Tape, schema: Schema) -> Floats:
        """The shares of the prior's components, or of the classes as measured."""
        if self.maker.components:
            return self._shares
        if self.maker.label is None:
            return np.ones(1)
        return product_of(tape, schema).columns[self.maker.label.name]

    def _attend(self, rows: NDArray[np.float32], rng: np.random.Generator, law: Floats) -> None:
        """School: the same two steps, on public rows and without noise."""
        for _ in range(LESSONS):
            seen = rows[rng.integers(len(rows), size=self.regimen.batch)]
            summed, within = clipped_sum(self.steps.critic, self.steps.loss, self._state["critic"], seen, self._clip)
            self._criticise((summed / len(seen)).astype(np.float32), self._clip, law, 1.0)
            self._answer(law, 1.0)
            self._clip = steered(self._clip, within / len(seen))

    def _advance(self, entry: Entry, n: int, law: Floats) -> None:
        """One step of the critic, and at its turn one of the generator."""
        assert isinstance(entry.answer, Stored)
        answer, question = entry.answer.read(), entry.question
        expected = float(Fraction(question["mechanism"]["rate"])) * n
        clip, looks = float(Fraction(question["clip"])), self.steps.looks(n)
        pace = min(1.0, 2 * (1 - self._done / looks) + SLOWEST)
        # g = clip answer / (2^16 q nhat)
        self._criticise((answer[:-1] * (clip / (CLIP * expected))).astype(np.float32), clip, law, pace)
        if self._done >= FIRST * looks and (self._done + 1) % self.regimen.turns == 0:
            self._losses.append(self._answer(law, pace))
        self._done += 1
        if self._done in late(looks):
            self._late.append(self._state["average"])
        # share within = (sum of +-1 / (q nhat) + 1) / 2
        self._clip = steered(clip, min(max((float(answer[-1]) / (COUNT * expected) + 1) / 2, 0.0), 1.0))

    def _criticise(self, private: NDArray[np.float32], clip: float, law: Floats, pace: float) -> None:
        """One step of the critic, along a mean of clipped gradients and against made rows."""
        step, turn = programs(self.maker, self.steps.critic, self.regimen)[0], self._turns[0]
        word, numbers = np.array([self._word, turn], dtype=np.uint32), np.array([clip, turn, pace], dtype=np.float32)
        self._state = step(self._state, private, law.astype(np.float32), numbers, word)
        self._turns = turn + 1, self._turns[1]

    def _answer(self, law: Floats, pace: float) -> float:
        """One step of the generator; its loss before it."""
        step, (turn, own) = programs(self.maker, self.steps.critic, self.regimen)[1], self._turns
        word, numbers = np.array([self._word, turn], dtype=np.uint32), np.array([own, pace], dtype=np.float32)
        self._state, loss = step(self._state, law.astype(np.float32), numbers, word)
        self._turns = turn, own + 1
        return float(loss)


def steered(clip: float, within: float) -> float:
    """The next clip, by the share of rows within this one."""
    return float(min(max(clip * np.exp(STEER * (0.5 - within)), CLIPS[0]), CLIPS[1]))


def school(guess: Guess, maker: Maker, rng: np.random.Generator) -> NDArray[np.float32]:
    """Public rows of a guess as a critic sees them, every column by its cells."""
    codes = guess.rows(PUPILS, rng)
    widths = [(head.name, head.width) for head in (*maker.heads, *(() if maker.label is None else (maker.label,)))]
    return np.concatenate([np.eye(width, dtype=np.float32)[codes[name]] for name, width in widths], axis=1)


def at_the_columns(parameters: Parameters, maker: Maker, tape: Tape, schema: Schema) -> Parameters:
    """A generator of cells that begins near the product of the columns as the tape knows them; any other as it is."""
    if not maker.heads or any(head.kind != "cells" for head in maker.heads):
        return parameters
    shares, (wide, _) = product_of(tape, schema).columns, parameters["last"]
    logs = np.log(np.concatenate([np.maximum(shares[head.name], RARE) for head in maker.heads]))
    return parameters | {"last": (FAINT * wide, logs.astype(np.float32))}


def late(looks: int) -> set[int]:
    """The steps after which averages are kept."""
    return {looks - turn * max(looks // (2 * LATE), 1) for turn in range(LATE)}


def fresh(critic: Critic, classes: int, loud: float, rng: np.random.Generator) -> Any:
    """Weights of the size that keeps variances, those of the classes so much larger; shifts of 0, factors of 1."""
    stress = np.ones((critic.inputs[0], 1), dtype=np.float32)
    stress[critic.inputs[0] - classes :] = loud

    def arrays(shapes: Any) -> tuple[Any, ...]:
        if not shapes:
            return ()
        first, second = shapes
        if len(first) == 1:
            return np.ones(first, dtype=np.float32), np.zeros(second, dtype=np.float32)
        weights = rng.normal(scale=(2 / first[0]) ** 0.5, size=first).astype(np.float32)
        weights = weights * stress if first[0] == len(stress) else weights
        return weights, np.zeros(second, dtype=np.float32)

    return tuple(arrays(layer) for layer in critic.shapes)
