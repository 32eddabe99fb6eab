"""Adversary: a generator and its critic, trained by the noisy gradients on the tape.

Each answer on the tape is one step of the critic; every ``turns`` of them, the generator takes one of its own.

    critic      g = clip * answer / (2^16 q nhat)  +  gradient of the mean loss of made rows (public, exact);   Adam; restraint
    generator   Adam along the gradient of what it wants of the critic's scores
    average     theta~ <- beta theta~ + (1 - beta) theta,  which is what is released
    clip        C <- C exp( STEER (1/2 - share of rows within the clip) ),  the share as the answer's last number says it

The normaliser is public, q times the noisy number of rows; the true size of a sample is never known here. All of it is
post-processing of the tape: momentum, averages and restarts cost nothing, and a run that is taken up plays it again.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from understudy.game import jax as lazy
from understudy.game.data.duel import DUELS
from understudy.game.data.generated import Floats, Generated, Rival
from understudy.game.data.maker import STRESS, Maker, made, untrained
from understudy.game.data.product import product_of
from understudy.game.measurement import size
from understudy.game.player import Forecast, coin_of
from understudy.game.tempo import Tempo
from understudy.question.critic import Critic, losses, scores, unflat
from understudy.question.gradient_step import CLIP, COUNT, GradientStep
from understudy.schema.schema import Schema
from understudy.vault.stored import Stored
from understudy.vault.tape import Entry, Tape

STEER, FIRST_CLIP, CLIPS = 0.2, 1.0, (1 / 64, 64.0)
FLOPS = 1.5e10  # a second, for the forecast


@dataclass(frozen=True)
class Regimen:
    """How both are trained: by which duel, how many critic steps a step of the generator, at which rates."""

    duel: str = "logistic"
    turns: int = 1
    critic_rate: float = 1e-3
    maker_rate: float = 1e-3
    batch: int = 256  # made rows a step
    memory: int = 32  # steps of the generator that the average remembers


@dataclass
class AdversaryPlayer:
    """Moves the critic along each answer on the tape, and lets the generator answer."""

    maker: Maker
    critic: Critic
    tempo: Tempo
    regimen: Regimen = Regimen()
    _state: dict[str, Any] = field(default_factory=dict, repr=False)
    _clip: float = FIRST_CLIP
    _done: int = 0
    _losses: list[float] = field(default_factory=list, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """So many passes of both networks at most."""
        pixels = 1 if self.maker.picture is None else self.maker.picture[0] * self.maker.picture[1] // 8
        work = 8 * (self.tempo.batch + 2 * self.regimen.batch) * (self.critic.parameters + 2 * self.maker.raw) * pixels
        kept = self.tempo.most * self.critic.parameters * 4 / 1e6
        return Forecast(600 + min(kept, 400) + self.critic.parameters * 1e-4, 10 + self.tempo.most * work / FLOPS)

    def fit(self, tape: Tape, schema: Schema) -> Generated:
        """The averaged generator so far, and its rival."""
        if not self._state:
            self._begin(tape)
        law = self._law(tape, schema)
        for entry in tape.of(GradientStep.kind)[self._done :]:
            self._advance(entry, max(size(tape, schema), 1), law)
        average = self._state["average"]
        rival = Rival(self._state["critic"], self._clip)
        return Generated(self.maker, average, law, schema, rival=rival, training=np.array(self._losses))

    def _begin(self, tape: Tape) -> None:
        """Both networks untrained, by the tape's coin."""
        rng = coin_of(tape, "adversary")
        jax = lazy.load()
        networks = {"critic": fresh(self.critic, self.maker.classes, rng), "maker": untrained(self.maker, rng)}
        still = {name: jax.tree.map(np.zeros_like, network) for name, network in networks.items()}
        self._state = networks | {"average": networks["maker"], "mean": still, "square": still}
        self._word = np.uint32(rng.integers(2**32))

    def _law(self, tape: Tape, schema: Schema) -> Floats:
        """The shares of the classes, as measured."""
        if self.maker.label is None:
            return np.ones(1)
        return product_of(tape, schema).columns[self.maker.label.name]

    def _advance(self, entry: Entry, n: int, law: Floats) -> None:
        """One step of the critic, and at its turn one of the generator."""
        assert isinstance(entry.answer, Stored)
        answer, question = entry.answer.read(), entry.question
        expected = float(Fraction(question["mechanism"]["rate"])) * n
        clip = float(Fraction(question["clip"]))
        # g = clip answer / (2^16 q nhat)
        private = (answer[:-1] * (clip / (CLIP * expected))).astype(np.float32)
        critic_step, maker_step = programs(self.maker, self.critic, self.regimen)
        shares, t = law.astype(np.float32), np.float32(self._done)
        word = np.array([self._word, self._done], dtype=np.uint32)
        self._state = critic_step(self._state, private, shares, t, word)
        if (self._done + 1) % self.regimen.turns == 0:
            turn = np.float32(self._done // self.regimen.turns)
            self._state, loss = maker_step(self._state, shares, turn, word)
            self._losses.append(float(loss))
        self._done += 1
        # share within = (sum of +-1 / (q nhat) + 1) / 2
        within = min(max((float(answer[-1]) / (COUNT * expected) + 1) / 2, 0.0), 1.0)
        self._clip = float(min(max(clip * np.exp(STEER * (0.5 - within)), CLIPS[0]), CLIPS[1]))


def fresh(critic: Critic, classes: int, rng: np.random.Generator) -> Any:
    """Weights of the size that keeps variances, those of the classes larger; shifts of 0, factors of 1."""
    stress = np.ones((critic.inputs[0], 1), dtype=np.float32)
    stress[critic.inputs[0] - classes :] = STRESS

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


@cache
def programs(maker: Maker, critic: Critic, regimen: Regimen) -> tuple[Any, Any]:
    """The two steps, compiled once: (state, private gradient, law, t, key) -> state; (state, law, t, key) -> state, loss."""
    jax = lazy.load()
    duel = DUELS[regimen.duel]
    beta = 1 - 1 / regimen.memory

    def drawn(parameters: Any, law: Any, word: Any, side: int) -> Any:
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(word[0]), word[1]), side)
        return made(jax, maker, parameters, law, regimen.batch, key)

    def critic_step(state: Any, private: Any, law: Any, t: Any, word: Any) -> Any:
        rows = jax.lax.stop_gradient(drawn(state["maker"], law, word, 0))

        def of_made(weights: Any) -> Any:
            return losses(jax, duel.loss, -scores(jax, critic, weights, rows)).mean()

        gradient = jax.tree.map(lambda g, p: g + p, jax.grad(of_made)(state["critic"]), unflat(critic, private))
        moved = adam(jax, state, "critic", gradient, regimen.critic_rate, t)
        return moved | {"critic": duel.restrain(jax, moved["critic"])}

    def maker_step(state: Any, law: Any, t: Any, word: Any) -> Any:
        def of_maker(parameters: Any) -> Any:
            rows = drawn(parameters, law, word, 1)
            return duel.want(jax, scores(jax, critic, state["critic"], rows)).mean()

        loss, gradient = jax.value_and_grad(of_maker)(state["maker"])
        moved = adam(jax, state, "maker", gradient, regimen.maker_rate, t)
        # the average of few steps is their mean
        kept = jax.numpy.minimum(beta, t / (t + 1))
        average = jax.tree.map(lambda a, x: kept * a + (1 - kept) * x, state["average"], moved["maker"])
        return moved | {"average": average}, loss

    return jax.jit(critic_step), jax.jit(maker_step)


def adam(jax: Any, state: Any, who: str, gradient: Any, rate: float, t: Any) -> Any:
    """m = .5 m + .5 g,   v = .99 v + .01 g^2,   x -= rate m' / sqrt(v')."""
    jnp, tree = jax.numpy, jax.tree
    mean = tree.map(lambda m, g: 0.5 * m + 0.5 * g, state["mean"][who], gradient)
    square = tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state["square"][who], gradient)
    up, down = 1 - 0.5 ** (t + 1), 1 - 0.99 ** (t + 1)
    moved = tree.map(lambda x, m, v: x - rate * (m / up) / (jnp.sqrt(v / down) + 1e-8), state[who], mean, square)
    return state | {
        who: moved,
        "mean": state["mean"] | {who: mean},
        "square": state["square"] | {who: square},
    }
