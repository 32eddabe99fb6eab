"""Bout: one step of a critic and one of a generator, compiled. Everything here is public.

    critic      g = private mean of clipped gradients  +  mean of the made rows' gradients, clipped alike;   Adam; restraint
    generator   Adam along the gradient of what it wants of the critic's scores, plus V / (|x - x'| / |z - z'| + 1/100)
    average     theta~ <- beta theta~ + (1 - beta) theta

x and x' are made of two z with the same classes: V > 0 keeps a generator of pictures from making one picture a class (mode
seeking, Mao et al. 2019), and needs no private row. Made rows are clipped as private ones are, though they need not be: where
both look the same, what pulls one way then weighs as much as what pulls the other, and the critic stays where it is.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from understudy.game import jax as lazy
from understudy.game.data.duel import DUELS
from understudy.game.data.maker import Maker, latent, made
from understudy.question.critic import Critic, scores, unflat
from understudy.question.ghost import by_ghosts

NARROW = 0.01  # of a variety, so that none is not without end


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
    stress: float = 6.0  # how much louder the class is than one number, to the critic


@cache
def programs(maker: Maker, critic: Critic, regimen: Regimen) -> tuple[Any, Any]:
    """Compiled: (state, gradient, law, (clip, t, pace), word) -> state;   (state, law, (t, pace), word) -> state, loss."""
    jax = lazy.load()
    jnp, duel = jax.numpy, DUELS[regimen.duel]
    beta = 1 - 1 / regimen.memory

    def keys(word: Any, side: int) -> Any:
        return jax.random.split(jax.random.fold_in(jax.random.fold_in(jax.random.key(word[0]), word[1]), side), 3)

    def critic_step(state: Any, private: Any, law: Any, numbers: Any, word: Any) -> Any:
        clip, t, pace = numbers
        first, _, key = keys(word, 0)
        rows = made(jax, maker, state["maker"], law, latent(jax, maker, regimen.batch, first), key)
        # a made row's loss is a private one's at -D, and -D is D with the last layer's weights of the other sign
        there = jnp.ones(regimen.batch, dtype=bool)
        summed, _ = by_ghosts(jax, critic, duel.loss, opposed(state["critic"]), rows, there, clip)
        of_made = opposed(unflat(critic, summed / regimen.batch))
        gradient = jax.tree.map(lambda g, p: g + p, of_made, unflat(critic, private))
        moved = adam(jax, state, "critic", gradient, pace * regimen.critic_rate, t)
        return moved | {"critic": duel.restrain(jax, moved["critic"])}

    def maker_step(state: Any, law: Any, numbers: Any, word: Any) -> Any:
        t, pace = numbers
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
