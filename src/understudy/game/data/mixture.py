"""Mixture: a weighted mixture of product distributions, fitted to the noisy marginals on the tape.

    p(x) = sum_k w_k prod_j p_kj(x_j),      w = softmax(u),   p_kj = softmax(l_kj)

The loss, and the price that it puts on information, are in frugal.py. The fit starts at the product of the columns,
blurred by public randomness. A component's rows are drawn with a comb (`systematic`) and balanced (balance.py), so that
releasing n rows adds almost nothing to the error of one-way marginals, and little to that of pairs.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.balance import balance
from understudy.game.data.frugal import Array, Descent, descend, targets
from understudy.game.data.product import product_of, systematic
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, coin_of, refuse_impossible, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

COMPONENTS = 256
STEPS, RATE = 600, 0.2
BLUR = 1.0
WIDEST = 4000  # cells of all columns together

Logits = NDArray[np.float32]


def free(jax: Any, parameters: Any, fixed: Any) -> tuple[Any, Any]:
    """Every component's height and scores are parameters by themselves."""
    heights, scores = parameters
    return heights, scores


@GUESSES.add("mixture")
@dataclass(frozen=True, eq=False)
class Mixture:
    """Component weights (K) and, for each column, the components' distributions (K x cells); the loss that led there."""

    weights: Array
    columns: dict[str, Array]
    training: Array = field(default_factory=lambda: np.zeros(0), repr=False)

    kind: ClassVar[str] = "mixture"

    def marginal(self, columns: Columns) -> Array:
        """sum_k w_k of the outer products of the components' columns."""
        table = self.weights[:, None]
        for name in columns[:-1]:
            table = (table[:, :, None] * self.columns[name][:, None, :]).reshape(len(self.weights), -1)
        shape = tuple(self.columns[name].shape[1] for name in columns)
        return np.asarray(table.T @ self.columns[columns[-1]]).reshape(shape)

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows: the components by a comb over their weights, each column of a component by a comb over its cells; then
        exchanges within the components, for the sake of pairs."""
        component = systematic(self.weights, n, rng)
        sizes = np.bincount(component, minlength=len(self.weights))
        starts = np.cumsum([0, *(p.shape[1] for p in self.columns.values())])
        rows = np.empty((len(self.columns), n), dtype=np.int64)
        for row, first, by_component in zip(rows, starts, self.columns.values(), strict=False):
            drawn = [rng.permutation(systematic(p, int(m), rng)) for p, m in zip(by_component, sizes, strict=True)]
            row[:] = first + np.concatenate(drawn)
        p = np.concatenate(list(self.columns.values()), axis=1)
        balance(rows, component, n * (p * self.weights[:, None]).T @ p, starts, rng)
        order = rng.permutation(n)
        return {name: (row - first)[order] for name, row, first in zip(self.columns, rows, starts, strict=False)}

    def chance(self, cells: dict[str, int]) -> float:
        """sum_k w_k prod p_kj(cell)."""
        chances = self.weights.copy()
        for name, cell in cells.items():
            chances *= self.columns[name][:, cell]
        return float(chances.sum())

    def given(self, cells: dict[str, int]) -> "Mixture":
        """Bayes over the components: w_k times prod p_kj(cell), with the given columns standing still."""
        with np.errstate(divide="ignore"):
            heights = np.log(self.weights) + sum(np.log(self.columns[name][:, cell]) for name, cell in cells.items())
        refuse_impossible(float(np.exp(heights.max())))
        weights = np.exp(heights - heights.max())
        still = {name: np.zeros_like(self.columns[name]) for name in cells}
        for name, cell in cells.items():
            still[name][:, cell] = 1
        return Mixture(weights / weights.sum(), self.columns | still)

    def model(self) -> Model:
        columns = {f"column.{name}": p for name, p in self.columns.items()}
        return {}, {"weights": self.weights} | columns | ({"training": self.training} if self.training.size else {})

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, Array], schema: Schema) -> "Mixture":
        """The guess of a model file."""
        columns = {name: arrays[f"column.{name}"] for name in schema.domain}
        return Mixture(arrays["weights"], columns, arrays.get("training", np.zeros(0)))


@dataclass
class MixturePlayer:
    """Fits a mixture to the tape; between measurements the guess stays as it is. Its kin make their components otherwise."""

    components: int = COMPONENTS
    descent: Descent = Descent(free, STEPS, RATE)
    fits: int = 1  # for the forecast
    _fitted: tuple[int, Mixture] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Tables of S x S cells, and three products of K x S x S numbers a step."""
        refuse_wide(schema, WIDEST)
        cells = sum(schema.domain.values())
        seconds = 3 + self.fits * STEPS * 6 * self.components * cells**2 / 3e10
        return Forecast(megabytes=400 + 80 * cells**2 / 1e6, seconds=seconds)

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
        return self.explaining(measured, start.columns, max(size(tape, schema), 1), schema, coin_of(tape, "mixture"))

    def explaining(
        self, measured: list[Measurement], start: dict[str, Array], n: int, schema: Schema, rng: np.random.Generator
    ) -> Mixture:
        """The mixture of some measurements of n rows, found from a product of columns."""
        logits = np.concatenate([np.log(np.maximum(p, 1e-6)) for p in start.values()])
        goal = targets(measured, schema, n)
        weights, p, losses = descend(self.descent, *self.beginning(logits.astype(np.float32), rng), goal)
        ends = np.cumsum(list(schema.domain.values()))[:-1]
        return Mixture(weights, dict(zip(schema.domain, np.split(p, ends, axis=1), strict=True)), losses)

    def beginning(self, logits: Logits, rng: np.random.Generator) -> tuple[Any, Any]:
        """The parameters at first, and what stays fixed: the product of the columns, blurred, at equal heights."""
        return (np.zeros(self.components, dtype=np.float32), blurred(logits, self.components, rng)), None


def blurred(logits: Logits, components: int, rng: np.random.Generator) -> Logits:
    """The same scores for every component, each with noise of its own."""
    return logits + rng.normal(scale=BLUR, size=(components, len(logits))).astype(np.float32)
