"""Duels: what critic and generator want of each other. D is the critic's score, x a private row, y a made one.

| duel        | the critic lowers                    | the generator lowers | and after each step        |
|-------------|--------------------------------------|----------------------|----------------------------|
| vanilla     | ln(1 + e^-D(x)) + ln(1 + e^D(y))     | -ln(1 + e^D(y))      |                            |
| logistic    | the same                             | ln(1 + e^-D(y))      |                            |
| hinge       | max(0, 1 - D(x)) + max(0, 1 + D(y))  | -D(y)                |                            |
| wasserstein | D(y) - D(x)                          | -D(y)                | weights cut to +-1/20      |
| spectral    | the same                             | -D(y)                | matrices to norm 1 at most |

Vanilla is the game as it was first printed, whose generator learns nothing from a critic that is sure; logistic is its repair.
What is done to the weights after a step is done to public numbers, and costs nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CUT, TURNS = 0.05, 10  # where weights are cut; turns of the power iteration

Restraint = Callable[[Any, Any], Any]  # (jax, weights of the critic) -> weights
Want = Callable[[Any, Any], Any]  # (jax, scores of made rows) -> losses of the generator


def free(jax: Any, weights: Any) -> Any:
    """The weights as they are."""
    return weights


def cut(jax: Any, weights: Any) -> Any:
    """Every weight within the cut."""
    return jax.tree.map(lambda array: jax.numpy.clip(array, -CUT, CUT), weights)


def spectral(jax: Any, weights: Any) -> Any:
    """Every matrix over its largest singular value, where that is above 1; found by power iteration."""
    jnp = jax.numpy

    def tamed(matrix: Any) -> Any:
        if matrix.ndim < 2:
            return matrix
        v = jnp.ones(matrix.shape[1], dtype=matrix.dtype)
        for _ in range(TURNS):
            v = matrix.T @ (matrix @ v)
            v = v / (jnp.linalg.norm(v) + 1e-12)
        return matrix / jnp.maximum(1, jnp.linalg.norm(matrix @ v))

    return jax.tree.map(tamed, weights)


def sure(jax: Any, scores: Any) -> Any:
    """-ln(1 + e^D): to be taken for private less surely."""
    return -jax.nn.softplus(scores)


def believed(jax: Any, scores: Any) -> Any:
    """ln(1 + e^-D): to be taken for private."""
    return jax.nn.softplus(-scores)


def high(jax: Any, scores: Any) -> Any:
    """-D: to be scored high."""
    return -scores


@dataclass(frozen=True)
class Duel:
    """The critic's loss by its name (question/critic.py), the generator's, and the critic's restraint."""

    loss: str
    want: Want
    restrain: Restraint


DUELS = {
    "vanilla": Duel("logistic", sure, free),
    "logistic": Duel("logistic", believed, free),
    "hinge": Duel("hinge", high, free),
    "wasserstein": Duel("wasserstein", high, cut),
    "spectral": Duel("wasserstein", high, spectral),
}
