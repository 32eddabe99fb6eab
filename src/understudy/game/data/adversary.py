"""Adversary: a generator and its critic, trained by the noisy gradients on the tape.

Each answer on the tape is one step of the critic; every ``turns`` of them, the generator takes one of its own.

    critic      g = clip * answer / (2^16 q nhat)  +  mean of the made rows' gradients, clipped alike;   Adam; restraint
    generator   Adam along the gradient of what it wants of the critic's scores, plus V / (|x - x'| / |z - z'| + 1/100)
    average     theta~ <- beta theta~ + (1 - beta) theta
    released    the mixture of ``LATE`` averages, taken at even times in the later half of the run
    rates       as given, and in the later half falling in a line to a twentieth; the critic has the first tenth for itself
    clip        C <- C exp( STEER (1/2 - share of rows within the clip) ),  the share as the answer's last number says it

x and x' are made of two z with the same classes: V > 0 keeps a generator of pictures from making one picture a class (mode
seeking, Mao et al. 2019), and needs no private row. Made rows are clipped as private ones are, though they need not be: where
both look the same, what pulls one way then weighs as much as what pulls the other, and the critic stays where it is. The
normaliser is public, q times the noisy number of rows; the true size of a sample is never known here. All of it is
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
from understudy.game.data.maker import Maker, Parameters, latent, made, untrained, with_prior
from understudy.game.data.normals import Normals
from understudy.game.data.prior import Prior, prior_of
from understudy.game.data.product import product_of
from understudy.game.measurement import size
from understudy.game.player import Forecast, coin_of
from understudy.game.query.critic_steps import CriticSteps
from understudy.question.critic import Critic, scores, unflat
from understudy.question.ghost import by_ghosts
from understudy.question.gradient_step import CLIP, COUNT, GradientStep
from understudy.schema.schema import Schema
from understudy.vault.stored import Stored
from understudy.vault.tape import Entry, Tape

STEER, FIRST_CLIP, CLIPS = 0.2, 1.0, (1 / 64, 64.0)
LATE, SLOWEST, FIRST = 8, 0.05, 0.1
NARROW = 0.01  # of a variety, so that none is not without end
FLOPS = 1.5e10  # a second, for the forecast


@dataclass(frozen=True)
class Regimen:
    """How both are trained: by which duel, how many critic steps a step of the generator, at which rates."""

    duel: str = "logistic"
    turns: int = 1
    critic_rate: float = 8e-4
    maker_rate: float = 2e-3
    batch: int = 256  # made rows a step
    memory: int = 20  # steps of the generator that the average remembers
    variety: float = 0.0  # V


@dataclass
class AdversaryPlayer:
    """Moves the critic along each answer on the tape, and lets the generator answer; from a prior, if there is one."""

    maker: Maker
    steps: CriticSteps
    regimen: Regimen = Regimen()
    prior: Prior | None = None
    _state: dict[str, Any] = field(default_factory=dict, repr=False)
    _late: list[Any] = field(default_factory=list, repr=False)
    _clip: float = FIRST_CLIP
    _done: int = 0
    _losses: list[float] = field(default_factory=list, repr=False)
    _shares: Floats = field(default_factory=lambda: np.ones(1), repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """So many passes of both networks at most, and what the prior takes."""
        tempo, weights = self.steps.tempo, self.steps.critic.parameters
        pixels = 1 if self.maker.picture is None else self.maker.picture[0] * self.maker.picture[1] // 8
        work = 8 * (tempo.batch + 2 * self.regimen.batch) * (weights + 2 * self.maker.raw) * pixels
        first = Forecast(0, 0) if self.prior is None else self.prior.data.forecast(schema)
        kept = min(tempo.most * weights * 4 / 1e6, 400) + weights * 1e-4
        return Forecast(600 + kept + first.megabytes, 10 + tempo.most * work / FLOPS + first.seconds)

    def fit(self, tape: Tape, schema: Schema) -> Generated | Normals:
        """What the prior makes of the tape until all of it is told; then the averaged generator so far, and its rival."""
        if not self._state and self.prior is not None:
            gaussians = self.prior.data.fit(tape, schema)
            assert isinstance(gaussians, Normals), "a prior is a mixture of Gaussians"
            if self.prior.query.next(gaussians, tape) is not None:
                return gaussians
            self._begin(tape, gaussians)
        elif not self._state:
            self._begin(tape, None)
        law, n = self._law(tape, schema), max(size(tape, schema), 1)
        for entry in tape.of(GradientStep.kind)[self._done :]:
            self._advance(entry, n, law)
        rival = Rival(self._state["critic"], self._clip)
        networks = tuple(self._late) if self._done == self.steps.looks(n) else (self._state["average"],)
        return Generated(self.maker, networks, law, schema, rival=rival, training=np.array(self._losses))

    def _begin(self, tape: Tape, gaussians: Normals | None) -> None:
        """Both networks untrained, by the tape's coin; the prior within the generator."""
        rng = coin_of(tape, "adversary")
        jax = lazy.load()
        maker: Parameters = {}
        if gaussians is None:
            maker = untrained(self.maker, rng)
        else:
            names = tuple(head.name for head in self.maker.heads)
            prior = prior_of(gaussians, names, self.maker.classes)
            self._shares, (components, latent, _) = gaussians.weights, prior["spread"].shape
            self.maker = with_prior(self.maker, latent, components)
            maker = untrained(self.maker, rng) | {"prior": prior}
        networks = {"critic": fresh(self.steps.critic, self.maker.classes, rng), "maker": maker}
        still = {name: jax.tree.map(np.zeros_like, network) for name, network in networks.items()}
        self._state = networks | {"average": maker, "mean": still, "square": still}
        self._word = np.uint32(rng.integers(2**32))

    def _law(self, tape: Tape, schema: Schema) -> Floats:
        """The shares of the prior's components, or of the classes as measured."""
        if self.prior is not None:
            return self._shares
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
        critic_step, maker_step = programs(self.maker, self.steps.critic, self.regimen)
        shares, t, looks = law.astype(np.float32), np.float32(self._done), self.steps.looks(n)
        word = np.array([self._word, self._done], dtype=np.uint32)
        pace = np.float32(min(1.0, 2 * (1 - self._done / looks) + SLOWEST))
        self._state = critic_step(self._state, private, np.float32(clip), shares, t, pace, word)
        if self._done >= FIRST * looks and (self._done + 1) % self.regimen.turns == 0:
            turn = np.float32(len(self._losses))
            self._state, loss = maker_step(self._state, shares, turn, pace, word)
            self._losses.append(float(loss))
        self._done += 1
        if self._done in late(looks):
            self._late.append(self._state["average"])
        # share within = (sum of +-1 / (q nhat) + 1) / 2
        within = min(max((float(answer[-1]) / (COUNT * expected) + 1) / 2, 0.0), 1.0)
        self._clip = float(min(max(clip * np.exp(STEER * (0.5 - within)), CLIPS[0]), CLIPS[1]))


def late(looks: int) -> set[int]:
    """The steps after which averages are kept."""
    return {looks - turn * max(looks // (2 * LATE), 1) for turn in range(LATE)}


def fresh(critic: Critic, classes: int, rng: np.random.Generator) -> Any:
    """Weights of the size that keeps variances, those of the classes larger; shifts of 0, factors of 1.

    A critic that hardly hears the class learns what pictures look like, and not of which class: on MNIST a logistic regression
    that learned from the generator's rows was right 36 % of the time at 1, 57 % at 6, and 67 % at 20 times the others' weights.
    """
    stress = np.ones((critic.inputs[0], 1), dtype=np.float32)
    # s^2 = 2 (other coordinates): a change of class is as loud as all others together
    stress[critic.inputs[0] - classes :] = (2 * (critic.inputs[0] - classes)) ** 0.5

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
    """Compiled: (state, private gradient, clip, law, t, pace, key) -> state; (state, law, t, pace, key) -> state, loss."""
    jax = lazy.load()
    jnp, duel = jax.numpy, DUELS[regimen.duel]
    beta = 1 - 1 / regimen.memory

    def keys(word: Any, side: int) -> Any:
        return jax.random.split(jax.random.fold_in(jax.random.fold_in(jax.random.key(word[0]), word[1]), side), 3)

    def critic_step(state: Any, private: Any, clip: Any, law: Any, t: Any, pace: Any, word: Any) -> Any:
        first, _, key = keys(word, 0)
        rows = made(jax, maker, state["maker"], law, latent(jax, maker, regimen.batch, first), key)
        # a made row's loss is a private one's at -D, and -D is D with the last layer's weights of the other sign
        there = jnp.ones(regimen.batch, dtype=bool)
        summed, _ = by_ghosts(jax, critic, duel.loss, opposed(state["critic"]), rows, there, clip)
        of_made = opposed(unflat(critic, summed / regimen.batch))
        gradient = jax.tree.map(lambda g, p: g + p, of_made, unflat(critic, private))
        moved = adam(jax, state, "critic", gradient, pace * regimen.critic_rate, t)
        return moved | {"critic": duel.restrain(jax, moved["critic"])}

    def maker_step(state: Any, law: Any, t: Any, pace: Any, word: Any) -> Any:
        first, second, key = keys(word, 1)
        z, other = latent(jax, maker, regimen.batch, first), latent(jax, maker, regimen.batch, second)

        def of_maker(parameters: Any) -> Any:
            rows = made(jax, maker, parameters, law, z, key)
            said = duel.want(jax, scores(jax, critic, state["critic"], rows)).mean()
            if not regimen.variety:
                return said, said
            apart = abs(rows - made(jax, maker, parameters, law, other, key))[:, : maker.raw].mean(1)
            # V / (|x - x'| / |z - z'| + 1/100)
            return said + regimen.variety * (1 / (apart / abs(z - other).mean(1) + NARROW)).mean(), said

        (_, said), gradient = jax.value_and_grad(of_maker, has_aux=True)(state["maker"])
        moved = adam(jax, state, "maker", gradient, pace * regimen.maker_rate, t)
        # the average of few steps is their mean
        kept = jnp.minimum(beta, t / (t + 1))
        average = jax.tree.map(lambda a, x: kept * a + (1 - kept) * x, state["average"], moved["maker"])
        return moved | {"average": average}, said

    return jax.jit(critic_step), jax.jit(maker_step)


def opposed(weights: Any) -> Any:
    """The weights of -D: those of D, the last layer's with the other sign."""
    *before, last = weights
    return (*before, tuple(-array for array in last))


def adam(jax: Any, state: Any, who: str, gradient: Any, rate: Any, t: Any) -> Any:
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
