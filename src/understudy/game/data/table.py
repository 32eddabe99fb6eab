"""Table: an explicit distribution over every cell of a small domain, by multiplicative weights.

    p <- p * exp( -rate * sum_i weight_i (marginal_i(p) - noisy_i / n) ),   then normalised,   p_0 = uniform

which is mirror descent with entropy on  loss = sum_i weight_i ||marginal_i(p) - noisy_i / n||^2 / 2,  each measured
marginal spread over the table. Among all tables of the same loss it stays near the one of largest entropy. A step that
does not lower the loss is taken back and halved; the fit stops where the loss is what noise alone makes of it, for what
is left to gain below that is noise.
"""

from dataclasses import dataclass, field
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.product import systematic
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, refuse_impossible
from understudy.refusal import Infeasible
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

CELLS = 2**22
MOST_COLUMNS = 60  # an array has at most 64 axes
STEPS = 300
LEAST_GAIN = 1e-5  # of the loss, in one step

Array = NDArray[np.float64]


@GUESSES.add("table")
@dataclass(frozen=True, eq=False)
class Table:
    """The probability of every cell, one axis a column."""

    columns: Columns
    p: Array

    kind: ClassVar[str] = "table"

    def marginal(self, columns: Columns) -> Array:
        """The sum over all other columns."""
        others = tuple(i for i, name in enumerate(self.columns) if name not in columns)
        kept = [name for name in self.columns if name in columns]
        return np.asarray(self.p.sum(axis=others).transpose([kept.index(name) for name in columns]))

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows: every cell of the table gets n p of them, rounded up or down."""
        cells = rng.permutation(systematic(self.p.ravel(), n, rng))
        return dict(zip(self.columns, np.unravel_index(cells, self.p.shape), strict=True))

    def given(self, cells: dict[str, int]) -> "Table":
        """The table, zero wherever a given column has another cell."""
        still = np.zeros_like(self.p)
        there = tuple(cells.get(name, slice(None)) for name in self.columns)
        still[there] = self.p[there]
        refuse_impossible(float(still.sum()))
        return Table(self.columns, still / still.sum())

    def model(self) -> Model:
        return {}, {"p": self.p}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, Array], schema: Schema) -> "Table":
        """The guess of a model file."""
        return Table(tuple(schema.domain), arrays["p"])


@dataclass
class TablePlayer:
    """Fits a table to the tape, from where it stood; between measurements the guess stays as it is."""

    fits: int = 1  # for the forecast
    _fitted: tuple[int, Table] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A few tables, and a sum and a product over one for each measured marginal and step."""
        cells, columns = prod(schema.domain.values()), len(schema.domain)
        if cells > CELLS or columns > MOST_COLUMNS:
            raise Infeasible(
                f"the table of all {columns} columns has {cells:,} cells, more than the {CELLS:,} that this recipe takes",
                "declare fewer or coarser columns, or use --recipe querygan",
            )
        return Forecast(megabytes=50 + cells * 8 * 6 / 1e6, seconds=1 + self.fits * STEPS * columns * cells * 4e-9)

    def fit(self, tape: Tape, schema: Schema) -> Table:
        """The table of the tape so far."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            self._fitted = looks, self._fit(tape, schema)
        return self._fitted[1]

    def _fit(self, tape: Tape, schema: Schema) -> Table:
        shape = tuple(schema.domain.values())
        start = np.full(shape, 1 / prod(shape)) if self._fitted is None else self._fitted[1].p
        n = max(size(tape, schema), 1)
        return Table(tuple(schema.domain), descend(start, goals(measurements(tape, schema), schema, n)))


@dataclass(frozen=True, eq=False)
class Goal:
    """One measured marginal: its axes in the table, its frequencies in the table's shape, its weight and its noise."""

    others: tuple[int, ...]
    seen: Array
    weight: float
    noise: float


def goals(measured: list[Measurement], schema: Schema, n: int) -> list[Goal]:
    """The measurements as the descent wants them; the weights add up to at most 1, so that a step of 1 is short enough."""
    names = tuple(schema.domain)
    least = max(min((m.variance for m in measured), default=1.0), 1e-6)
    weights = [least / max(m.variance, least) for m in measured]
    found = []
    for m, weight in zip(measured, weights, strict=True):
        order = np.argsort([names.index(name) for name in m.columns])
        shape = tuple(cells if name in m.columns else 1 for name, cells in schema.domain.items())
        others = tuple(i for i, name in enumerate(names) if name not in m.columns)
        seen = (m.counts / n).transpose(order).reshape(shape)
        share = weight / sum(weights)
        found.append(Goal(others, seen, share, share * m.counts.size * m.variance / n**2))
    return found


def descend(p: Array, measured: list[Goal]) -> Array:
    """Multiplicative weights until the loss is that of the noise, or nothing is gained."""
    if not measured:
        return p
    floor = sum(goal.noise for goal in measured) / 2
    rate, (loss, misses) = 1.0, misfit(p, measured)
    for _ in range(STEPS):
        if loss <= floor or rate < LEAST_GAIN:
            break
        # p <- p * exp(-rate * sum_i weight_i miss_i), in logarithms shifted so that nothing overflows
        heights = np.zeros_like(p)
        for goal, miss in zip(measured, misses, strict=True):
            heights -= rate * goal.weight * miss
        moved = p * np.exp(heights - heights.max())
        moved /= moved.sum()
        below, nearer = misfit(moved, measured)
        if below >= loss:
            rate /= 2
            continue
        gained = loss - below
        p, loss, misses, rate = moved, below, nearer, rate * 1.5
        if gained < LEAST_GAIN * loss:
            break
    return p


def misfit(p: Array, measured: list[Goal]) -> tuple[float, list[Array]]:
    """The loss, and by how much each measured cell is missed."""
    misses = [p.sum(axis=goal.others, keepdims=True) - goal.seen for goal in measured]
    return sum(goal.weight * float((miss**2).sum()) for goal, miss in zip(measured, misses, strict=True)) / 2, misses
