"""Mixture: a weighted mixture of product distributions, fitted to the noisy one- and two-way marginals on the tape.

    p(x) = sum_k w_k prod_j p_kj(x_j),      w = softmax(u),   p_kj = softmax(l_kj)

Stack the p_kj of a component into one row of P (K rows, S = all cells of all columns). Then every one-way marginal is
in w P and every two-way marginal is a block of P^T diag(w) P: one matrix product, one compilation, whatever was measured.

    loss = misfit / 2 + price * information
    misfit      = sum over measured cells of weight * (probability - noisy / n)^2,   weight = least variance / variance
    information = sum_k w_k sum_j KL(p_kj || mean over k), what the components know beyond the columns by themselves
    price       = ``FRUGAL`` * sigma / n, the standard error of one cell: what is learned must stand out from the noise.
                  It keeps the fit from learning noise, and pairs that nobody measured from drifting together.

The fit starts at the product of the columns, blurred by public randomness. A component's rows are drawn with a comb
(`systematic`), so that releasing n rows adds almost nothing to the error of its one-way marginals.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.product import product_of, systematic
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, coin_of, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COMPONENTS = 256
STEPS, RATE = 600, 0.2
BLUR = 1.0
FRUGAL = 1.3
TINY = 1e-9
WIDEST = 4000  # cells of all columns together

Array = NDArray[np.float64]
Fit = tuple[Array, Array]


@GUESSES.add("mixture")
@dataclass(frozen=True, eq=False)
class Mixture:
    """Component weights (K) and, for each column, the components' distributions (K x cells)."""

    weights: Array
    columns: dict[str, Array]

    kind: ClassVar[str] = "mixture"

    def marginal(self, columns: Columns) -> Array:
        """sum_k w_k of the outer products of the components' columns."""
        table = self.weights[:, None]
        for name in columns[:-1]:
            table = (table[:, :, None] * self.columns[name][:, None, :]).reshape(len(self.weights), -1)
        shape = tuple(self.columns[name].shape[1] for name in columns)
        return np.asarray(table.T @ self.columns[columns[-1]]).reshape(shape)

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows: the components by a comb over their weights, each column of a component by a comb over its cells."""
        sizes = np.bincount(systematic(self.weights, n, rng), minlength=len(self.weights))
        order = rng.permutation(n)
        rows: Codes = {}
        for name, by_component in self.columns.items():
            drawn = [rng.permutation(systematic(p, int(m), rng)) for p, m in zip(by_component, sizes, strict=True)]
            rows[name] = np.concatenate(drawn)[order]
        return rows

    def model(self) -> Model:
        return {}, {"weights": self.weights} | {f"column.{name}": p for name, p in self.columns.items()}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, Array], schema: Schema) -> "Mixture":
        """The guess of a model file."""
        return Mixture(arrays["weights"], {name: arrays[f"column.{name}"] for name in schema.domain})


@dataclass
class MixturePlayer:
    """Fits a mixture to the tape; between measurements the guess stays as it is."""

    components: int = COMPONENTS
    _fitted: tuple[int, Mixture] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Tables of S x S cells, and three products of K x S x S numbers a step."""
        refuse_wide(schema, WIDEST)
        cells = sum(schema.domain.values())
        return Forecast(megabytes=400 + 80 * cells**2 / 1e6, seconds=3 + STEPS * 6 * self.components * cells**2 / 3e10)

    def fit(self, tape: Tape, schema: Schema) -> Mixture:
        """The mixture of the tape so far."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            self._fitted = looks, self._fit(tape, schema)
        return self._fitted[1]

    def _fit(self, tape: Tape, schema: Schema) -> Mixture:
        start = product_of(tape, schema)
        measured = measurements(tape, schema)
        if all(len(m.columns) == 1 for m in measured):
            return Mixture(np.ones(1), {name: p[None, :] for name, p in start.columns.items()})
        rng = coin_of(tape, "mixture")
        logits = np.concatenate([np.log(np.maximum(p, 1e-6)) for p in start.columns.values()])
        blurred = logits + rng.normal(scale=BLUR, size=(self.components, len(logits)))
        column = np.repeat(np.arange(len(schema.domain)), list(schema.domain.values())).astype(np.int32)
        n = max(size(tape, schema), 1)
        price = FRUGAL * least_variance(measured) ** 0.5 / n
        weights, p = descend(blurred.astype(np.float32), column, targets(measured, schema, n), price)
        ends = np.cumsum(list(schema.domain.values()))[:-1]
        return Mixture(weights, dict(zip(schema.domain, np.split(p, ends, axis=1), strict=True)))


def targets(measured: list[Measurement], schema: Schema, n: int) -> tuple[Array, Array, Array, Array]:
    """The noisy one- and two-way frequencies, each with its weight: 1 where noise is least, 0 where unmeasured."""
    ends = np.cumsum(list(schema.domain.values()))
    place = {name: slice(end - size, end) for (name, size), end in zip(schema.domain.items(), ends, strict=True)}
    cells = int(ends[-1])
    ones, one_weights = np.zeros(cells), np.zeros(cells)
    twos, two_weights = np.zeros((cells, cells)), np.zeros((cells, cells))
    least = least_variance(measured)
    for m in measured:
        seen, weight = m.counts / n, least / max(m.variance, least)
        if len(m.columns) == 1:
            at = place[m.columns[0]]
            ones[at], one_weights[at] = seen, weight
        else:
            block = place[m.columns[0]], place[m.columns[1]]
            twos[block], two_weights[block] = seen, weight
    return ones, one_weights, twos, two_weights


def least_variance(measured: list[Measurement]) -> float:
    """The variance of the best measured cells."""
    return max(min(m.variance for m in measured), 1e-6)


def descend(logits: NDArray[np.float32], column: NDArray[np.int32], tables: tuple[Array, ...], price: float) -> Fit:
    """Adam on the loss, its rate falling to zero along a cosine; the weights and the components' columns."""
    columns = int(column[-1]) + 1
    heights, scores = compiled(columns)(
        logits, column, *(table.astype(np.float32) for table in tables), np.float32(price)
    )
    weights = np.exp(np.asarray(heights, dtype=np.float64) - np.max(heights))
    p = np.exp(np.asarray(scores, dtype=np.float64) - np.max(scores, axis=1, keepdims=True))
    for j in range(columns):
        p[:, column == j] /= p[:, column == j].sum(axis=1, keepdims=True)
    return weights / weights.sum(), p


@cache
def compiled(columns: int) -> Any:
    """The whole descent, compiled once for each shape."""
    jax = lazy.load()
    jnp, tree = jax.numpy, jax.tree

    def loss(parameters: Any, column: Any, ones: Any, one_weights: Any, twos: Any, two_weights: Any, price: Any) -> Any:
        heights, scores = parameters
        w = jax.nn.softmax(heights)
        e = jnp.exp(scores.T - jax.ops.segment_max(scores.T, column, num_segments=columns)[column])
        p = (e / jax.ops.segment_sum(e, column, num_segments=columns)[column]).T
        one, two = w @ p, (p * w[:, None]).T @ p
        misfit = jnp.sum(one_weights * (one - ones) ** 2) + jnp.sum(two_weights * (two - twos) ** 2)
        # sum_k w_k sum_j KL(p_kj, their mean over k): what the components know that the columns alone do not
        information = jnp.sum(w[:, None] * p * (jnp.log(p + TINY) - jnp.log(one + TINY)))
        return misfit / 2 + price * information

    def step(state: Any, t: Any, data: Any) -> Any:
        parameters, mean, square = state
        gradient = jax.grad(loss)(parameters, *data)
        # Adam:  m = .9 m + .1 g,   v = .999 v + .001 g^2,   x -= rate m' / sqrt(v')
        mean = tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, square, gradient)
        rate = RATE * (1 + jnp.cos(jnp.pi * t / STEPS)) / 2
        up, down = 1 - 0.9 ** (t + 1), 1 - 0.999 ** (t + 1)
        move = tree.map(lambda m, v: rate * (m / up) / (jnp.sqrt(v / down) + 1e-8), mean, square)
        return tree.map(jnp.subtract, parameters, move), mean, square

    def descent(logits: Any, *data: Any) -> Any:
        start = (jnp.zeros(len(logits), dtype=jnp.float32), logits)
        state = (start, tree.map(jnp.zeros_like, start), tree.map(jnp.zeros_like, start))
        times = jnp.arange(STEPS, dtype=jnp.float32)
        return jax.lax.scan(lambda state, t: (step(state, t, data), None), state, times)[0][0]

    return jax.jit(descent)
