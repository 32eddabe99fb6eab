"""Mixture: a weighted mixture of product distributions, fitted to the noisy one- and two-way marginals on the tape.

    p(x) = sum_k w_k prod_j p_kj(x_j),      w = softmax(u),   p_kj = softmax(l_kj)

Stack the p_kj of a component into one row of P (K rows, S = all cells of all columns). Then every one-way marginal is in
w P and every two-way marginal is a block of P^T diag(w) P: one matrix product, one compilation, whatever was measured.

    loss = sum over measured cells of (probability - noisy / n)^2 / variance, in units of the mean weight

The fit starts at the product of the columns, blurred by public randomness, and stops when a hundred steps of Adam gain
less than a thousandth, or after ``STEPS``. A component's rows are drawn with a comb (`systematic`), so that releasing n
rows adds almost nothing to the error of its one-way marginals.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.product import product_of, systematic
from understudy.game.measurement import Measurement, measurements
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, coin_of, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COMPONENTS = 256
STEPS, BLOCK = 1500, 100
RATE = 0.05
WIDEST = 4000  # cells of all columns together

Array = NDArray[np.float64]


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
        blurred = logits + rng.normal(scale=0.5, size=(self.components, len(logits)))
        weights, p = descend(blurred.astype(np.float32), *targets(measured, schema))
        ends = np.cumsum(list(schema.domain.values()))[:-1]
        return Mixture(weights, dict(zip(schema.domain, np.split(p, ends, axis=1), strict=True)))


def targets(measured: list[Measurement], schema: Schema) -> tuple[NDArray[np.int32], Array, Array, Array, Array]:
    """Where each cell belongs (its column), and the noisy one- and two-way tables with their weights, 0 if unmeasured."""
    sizes = list(schema.domain.values())
    ends = np.cumsum(sizes)
    place = {name: slice(end - size, end) for (name, size), end in zip(schema.domain.items(), ends, strict=True)}
    cells = int(ends[-1])
    ones, one_weights = np.zeros(cells), np.zeros(cells)
    twos, two_weights = np.zeros((cells, cells)), np.zeros((cells, cells))
    for m in measured:
        seen, weight = m.counts / max(m.counts.sum(), 1.0), 1 / max(m.variance, 1e-9)
        if len(m.columns) == 1:
            at = place[m.columns[0]]
            ones[at], one_weights[at] = seen, weight
        else:
            block = place[m.columns[0]], place[m.columns[1]]
            twos[block], two_weights[block] = seen, weight
    unit = max(two_weights.max(), one_weights.max())
    return np.repeat(np.arange(len(sizes)), sizes).astype(np.int32), ones, one_weights / unit, twos, two_weights / unit


def descend(
    logits: NDArray[np.float32],
    column: NDArray[np.int32],
    ones: Array,
    one_weights: Array,
    twos: Array,
    two_weights: Array,
) -> tuple[Array, Array]:
    """Adam on the loss, in blocks, until a block gains less than a thousandth."""
    block = compiled(int(column[-1]) + 1)
    u = np.zeros(len(logits), dtype=np.float32)
    tables = tuple(np.asarray(t, dtype=np.float32) for t in (ones, one_weights, twos, two_weights))
    state = ((u, logits), (np.zeros_like(u), np.zeros_like(logits)), (np.zeros_like(u), np.zeros_like(logits)))
    best = np.inf
    for done in range(0, STEPS, BLOCK):
        state, loss = block(state, np.float32(done), column, *tables)
        if float(loss) > 0.999 * best:
            break
        best = float(loss)
    u, logits = (np.asarray(part, dtype=np.float64) for part in state[0])
    weights = np.exp(u - u.max())
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    for j in range(int(column[-1]) + 1):
        p[:, column == j] /= p[:, column == j].sum(axis=1, keepdims=True)
    return weights / weights.sum(), p


@cache
def compiled(columns: int) -> Any:
    """One block of Adam steps, compiled once for each shape."""
    jax = lazy.load()
    jnp = jax.numpy

    def loss(parameters: Any, column: Any, ones: Any, one_weights: Any, twos: Any, two_weights: Any) -> Any:
        u, logits = parameters
        w = jax.nn.softmax(u)
        highest = jax.ops.segment_max(logits.T, column, num_segments=columns)
        e = jnp.exp(logits.T - highest[column])
        p = (e / jax.ops.segment_sum(e, column, num_segments=columns)[column]).T
        one, two = w @ p, (p * w[:, None]).T @ p
        return jnp.sum(one_weights * (one - ones) ** 2) + jnp.sum(two_weights * (two - twos) ** 2)

    def step(carry: Any, t: Any, data: Any) -> Any:
        parameters, mean, square = carry
        value, gradient = jax.value_and_grad(loss)(parameters, *data)
        # Adam: m = .9 m + .1 g,  v = .99 v + .01 g^2,  x -= rate m' / sqrt(v')
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, square, gradient)
        up, down = 1 - 0.9 ** (t + 1), 1 - 0.99 ** (t + 1)
        move = jax.tree.map(lambda m, v: RATE * (m / up) / (jnp.sqrt(v / down) + 1e-12), mean, square)
        return (jax.tree.map(jnp.subtract, parameters, move), mean, square), value

    @jax.jit
    def block(state: Any, done: Any, *data: Any) -> Any:
        times = done + jnp.arange(BLOCK, dtype=jnp.float32)
        state, values = jax.lax.scan(lambda carry, t: step(carry, t, data), state, times)
        return state, values[-1]

    return block
