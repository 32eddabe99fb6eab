"""Frugal: how every mixture of products is fitted to the tape, however its components are made.

A maker turns parameters into the heights of K components (w = softmax) and their scores (K x S: the cells of all columns
side by side, p_kj = softmax within column j). Stack the p_kj of a component into one row of P. Then every one-way marginal
is in w P and every two-way one is a block of P^T diag(w) P: one matrix product, one compilation, whatever was measured.
A wider marginal costs a product of its own, and a compilation for each new set of them.

    loss = misfit / 2 + price * information
    misfit      = sum over measured cells of weight * (probability - noisy / n)^2,   weight = least variance / variance
    information = sum_k w_k sum_j KL(p_kj || mean over k), what the components know beyond the columns by themselves
    price       = ``FRUGAL`` * sigma / n, the standard error of one cell: what is learned must stand out from the noise.
                  It keeps the fit from learning noise, and pairs that nobody measured from drifting together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.measurement import Measurement
from understudy.schema.schema import Schema

FRUGAL = 1.3
TINY = 1e-9

Array = NDArray[np.float64]
Fit = tuple[Array, Array, Array]  # weights, the components' columns, the loss before each step
Spans = tuple[tuple[int, int], ...]
Make = Callable[[Any, Any, Any], tuple[Any, Any]]  # (jax, parameters, what stays fixed) -> heights, scores


@dataclass(frozen=True)
class Descent:
    """Adam for so many steps, its rate falling to zero along a cosine."""

    make: Make
    steps: int
    rate: float


@dataclass(frozen=True, eq=False)
class Targets:
    """What was measured, as frequencies, each with its weight: 1 where noise is least, 0 where unmeasured."""

    column: NDArray[np.int32]
    narrow: tuple[Array, Array, Array, Array]  # one-way and its weights, two-way and its weights
    spans: tuple[Spans, ...]  # where the columns of each wider marginal lie
    wide: tuple[tuple[Array, float], ...]
    price: float


def targets(measured: list[Measurement], schema: Schema, n: int) -> Targets:
    """The measurements of a tape; what was measured twice is averaged by its weights."""
    ends = np.cumsum(list(schema.domain.values()))
    place = {name: (int(end) - size, int(end)) for (name, size), end in zip(schema.domain.items(), ends, strict=True)}
    cells = int(ends[-1])
    ones, one_weights = np.zeros(cells), np.zeros(cells)
    twos, two_weights = np.zeros((cells, cells)), np.zeros((cells, cells))
    spans: list[Spans] = []
    wide: list[tuple[Array, float]] = []
    least = max(min(m.variance for m in measured), 1e-6)
    for m in measured:
        seen, weight = m.counts / n, least / max(m.variance, least)
        at = tuple(slice(*place[name]) for name in m.columns)
        if len(at) == 1:
            ones[at] += weight * seen
            one_weights[at] += weight
        elif len(at) == 2:
            twos[at] += weight * seen
            two_weights[at] += weight
        else:
            spans.append(tuple(place[name] for name in m.columns))
            wide.append((seen, weight))
    mean_ones, mean_twos = ones / np.maximum(one_weights, TINY), twos / np.maximum(two_weights, TINY)
    column = np.repeat(np.arange(len(schema.domain)), list(schema.domain.values())).astype(np.int32)
    narrow = mean_ones, one_weights, mean_twos, two_weights
    return Targets(column, narrow, tuple(spans), tuple(wide), FRUGAL * least**0.5 / n)


def descend(descent: Descent, start: Any, fixed: Any, goal: Targets) -> Fit:
    """The weights and the components' columns where the loss is least, as far as the steps lead; and the loss on the way."""
    columns = int(goal.column[-1]) + 1
    narrow = tuple(table.astype(np.float32) for table in goal.narrow)
    wide = tuple((table.astype(np.float32), np.float32(weight)) for table, weight in goal.wide)
    (heights, scores), losses = compiled(descent, columns, goal.spans)(
        start, fixed, goal.column, narrow, wide, np.float32(goal.price)
    )
    weights = np.exp(np.asarray(heights, dtype=np.float64) - np.max(heights))
    p = np.array(scores, dtype=np.float64)
    for j in range(columns):
        of_column = np.exp(p[:, goal.column == j] - p[:, goal.column == j].max(axis=1, keepdims=True))
        p[:, goal.column == j] = of_column / of_column.sum(axis=1, keepdims=True)
    return weights / weights.sum(), p, np.asarray(losses, dtype=np.float64)


@cache
def compiled(descent: Descent, columns: int, spans: tuple[Spans, ...]) -> Any:
    """The whole descent, compiled once for each shape."""
    jax = lazy.load()
    jnp, tree = jax.numpy, jax.tree

    def loss(parameters: Any, fixed: Any, column: Any, narrow: Any, wide: Any, price: Any) -> Any:
        heights, scores = descent.make(jax, parameters, fixed)
        w = jax.nn.softmax(heights)
        e = jnp.exp(scores.T - jax.ops.segment_max(scores.T, column, num_segments=columns)[column])
        p = (e / jax.ops.segment_sum(e, column, num_segments=columns)[column]).T
        one, two = w @ p, (p * w[:, None]).T @ p
        ones, one_weights, twos, two_weights = narrow
        misfit = jnp.sum(one_weights * (one - ones) ** 2) + jnp.sum(two_weights * (two - twos) ** 2)
        for places, (seen, weight) in zip(spans, wide, strict=True):
            table = w[:, None]
            for low, high in places[:-1]:
                table = (table[:, :, None] * p[:, None, low:high]).reshape(len(w), -1)
            low, high = places[-1]
            misfit += weight * jnp.sum((table.T @ p[:, low:high] - seen.reshape(-1, high - low)) ** 2)
        # sum_k w_k sum_j KL(p_kj, their mean over k): what the components know that the columns alone do not
        information = jnp.sum(w[:, None] * p * (jnp.log(p + TINY) - jnp.log(one + TINY)))
        return misfit / 2 + price * information

    def step(state: Any, t: Any, fixed: Any, data: Any) -> Any:
        parameters, mean, square = state
        value, gradient = jax.value_and_grad(loss)(parameters, fixed, *data)
        # Adam:  m = .9 m + .1 g,   v = .999 v + .001 g^2,   x -= rate m' / sqrt(v')
        mean = tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, square, gradient)
        rate = descent.rate * (1 + jnp.cos(jnp.pi * t / descent.steps)) / 2
        up, down = 1 - 0.9 ** (t + 1), 1 - 0.999 ** (t + 1)
        move = tree.map(lambda m, v: rate * (m / up) / (jnp.sqrt(v / down) + 1e-8), mean, square)
        return (tree.map(jnp.subtract, parameters, move), mean, square), value

    def whole(start: Any, fixed: Any, *data: Any) -> Any:
        state = (start, tree.map(jnp.zeros_like, start), tree.map(jnp.zeros_like, start))
        times = jnp.arange(descent.steps, dtype=jnp.float32)
        (parameters, _, _), losses = jax.lax.scan(lambda state, t: step(state, t, fixed, data), state, times)
        return descent.make(jax, parameters, fixed), losses

    return jax.jit(whole)
