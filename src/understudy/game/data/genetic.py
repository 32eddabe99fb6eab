"""Genetic: rows that evolve until their marginals are the noisy ones (private genetic search, Private-GSD).

    loss(rows) = sum over measured cells of  weight (count of rows / number of rows - noisy / n)^2

    each generation   ``CHILDREN`` children of the table, each with one row changed:
                      half by mutation, one cell to another value; half by crossover, one cell to that of another row
    the fittest ones  are made all at once, where that lowers the loss; else the fittest alone; else none
    the end           is where the loss is what noise alone makes of it, for below that only the noise is learned

A child differs in one row, so its loss differs in two cells of each marginal and costs no more to know. No gradient is asked
for: rows are rows at every step. The first are the product of the columns. All of it is post-processing, by the tape's coin.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.mixture import WIDEST
from understudy.game.data.product import product_of
from understudy.game.data.rows import Rows
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import Codes, Forecast, coin_of, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

ROWS, GENERATIONS = 5000, 20000
CHILDREN, SURVIVORS = 128, 8
PATIENCE = 300  # generations without a better table

Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass
class GeneticPlayer:
    """Breeds a table for the tape; between measurements the guess stays as it is."""

    rows: int = ROWS
    generations: int = GENERATIONS
    _fitted: tuple[int, Rows] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Every pair's table, and the children's cells in every pair, each generation."""
        refuse_wide(schema, WIDEST)
        cells, pairs = sum(schema.domain.values()), len(schema.domain) ** 2 / 2
        return Forecast(100 + cells**2 * 24 / 1e6, 2 + self.generations * (2e-4 + CHILDREN * pairs * 4e-8))

    def fit(self, tape: Tape, schema: Schema) -> Rows:
        """The table of the tape so far."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            rng = coin_of(tape, "genetic")
            start = product_of(tape, schema).rows(self.rows, rng)
            measured = [m for m in measurements(tape, schema) if self.rows]
            n = max(size(tape, schema), 1)
            self._fitted = looks, Rows(evolved(start, measured, n, schema, self.generations, rng), schema.domain)
        return self._fitted[1]


@dataclass(eq=False)
class Fitness:
    """The measured marginals side by side in one line of cells: what is missed in each, and its weight."""

    columns: tuple[str, ...]
    multipliers: Places  # marginals x columns: a row's place in a marginal is the sum of its codes times these
    starts: Places
    weights: Array
    missed: Array  # count / rows - noisy / n
    noise: float  # the loss that noise alone makes

    @staticmethod
    def of(rows: Codes, measured: list[Measurement], n: int, domain: dict[str, int]) -> "Fitness":
        """Of a table, against the measurements."""
        names, many = tuple(domain), len(next(iter(rows.values())))
        multipliers = np.zeros((len(measured), len(names)), dtype=np.int64)
        for line, m in zip(multipliers, measured, strict=True):
            step = 1
            for name in reversed(m.columns):
                line[names.index(name)], step = step, step * domain[name]
        starts = np.cumsum([0, *(m.counts.size for m in measured)])[:-1]
        least = max(min(m.variance for m in measured), 1e-6)
        weights = np.concatenate([np.full(m.counts.size, least / max(m.variance, least)) for m in measured])
        missed = -np.concatenate([m.counts.ravel() for m in measured]) / n
        noise = least / n**2 * sum(m.counts.size for m in measured if m.variance)
        found = Fitness(names, multipliers, starts, weights, missed, noise)
        codes = np.stack([rows[name] for name in names], axis=1).astype(np.int64)
        np.add.at(missed, found.places(codes), 1 / many)
        return found

    def places(self, codes: Places) -> Places:
        """The cell of every row in every marginal."""
        return np.asarray(codes @ self.multipliers.T + self.starts)

    @property
    def loss(self) -> float:
        """What is to be small."""
        return float((self.weights * self.missed**2).sum())

    def gains(self, old: Places, new: Places, share: float) -> Array:
        """By how much the loss falls for each child: a row of ``share`` leaves some cells for others."""
        # (e - s)^2 - e^2 + (f + s)^2 - f^2 = 2 s (f - e) + 2 s^2, each with its weight, where the cells differ
        worse = self.weights[new] * (2 * self.missed[new] + share) - self.weights[old] * (2 * self.missed[old] - share)
        return np.asarray(-share * np.where(old == new, 0.0, worse).sum(axis=1))

    def moved(self, old: Places, new: Places, share: float) -> None:
        """Some rows have changed."""
        np.add.at(self.missed, old, -share)
        np.add.at(self.missed, new, share)


def evolved(
    rows: Codes, measured: list[Measurement], n: int, schema: Schema, generations: int, rng: np.random.Generator
) -> Codes:
    """The fittest table of so many generations."""
    if not measured:
        return rows
    fitness = Fitness.of(rows, measured, n, schema.domain)
    table = np.stack([rows[name] for name in schema.domain], axis=1).astype(np.int64)
    sizes, share, idle = np.array(list(schema.domain.values())), 1 / len(table), 0
    for _ in range(generations):
        parents, children = born(table, sizes, rng)
        old, new = fitness.places(table[parents]), fitness.places(children)
        gains = fitness.gains(old, new, share)
        fittest = np.argsort(-gains)[:SURVIVORS]
        fittest = fittest[gains[fittest] > 0]
        fittest = fittest[np.sort(np.unique(parents[fittest], return_index=True)[1])]
        idle = 0 if survive(fitness, table, parents[fittest], children[fittest], share) else idle + 1
        if idle == PATIENCE or fitness.loss <= fitness.noise:
            break
    return {name: table[:, j] for j, name in enumerate(schema.domain)}


def born(table: Places, sizes: Places, rng: np.random.Generator) -> tuple[Places, Places]:
    """Which rows have children, and these: a cell of each is a random value, or that of another row."""
    parents, others = rng.integers(len(table), size=(2, CHILDREN))
    columns = rng.integers(len(sizes), size=CHILDREN)
    mutants = np.arange(CHILDREN) % 2 == 0
    children = table[parents]
    values = np.where(mutants, rng.integers(sizes[columns]), table[others, columns])
    children[np.arange(CHILDREN), columns] = values
    return parents, children


def survive(fitness: Fitness, table: Places, parents: Places, children: Places, share: float) -> bool:
    """Put children in their parents' places: all together, or the first alone; whether any was."""
    for many in (len(parents), 1)[: len(parents)]:
        old, new = fitness.places(table[parents[:many]]), fitness.places(children[:many])
        before = fitness.loss
        fitness.moved(old, new, share)
        if fitness.loss < before:
            table[parents[:many]] = children[:many]
            return True
        fitness.moved(new, old, share)
    return False
