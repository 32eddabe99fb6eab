"""Product: columns that are independent of each other, each as its noisy marginal says.

    p(x) = prod_j p_j(x_j),    p_j = projection of (noisy counts / n-hat) to the simplex

The projection is the nearest distribution in the Euclidean norm. A column that was not measured is uniform.

>>> project(np.array([0.9, 0.4, -0.2])).round(2).tolist()
[0.75, 0.25, 0.0]
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.measurement import measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, refuse_impossible
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape


@GUESSES.add("product")
@dataclass(frozen=True, eq=False)
class Product:
    """One distribution a column."""

    columns: dict[str, NDArray[np.float64]]

    kind: ClassVar[str] = "product"

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """The outer product of the columns' distributions."""
        table = np.ones(())
        for name in columns:
            table = np.multiply.outer(table, self.columns[name])
        return table

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows whose one-way counts are those of the guess, rounded."""
        return {name: rng.permutation(systematic(p, n, rng)) for name, p in self.columns.items()}

    def given(self, cells: dict[str, int]) -> "Product":
        """The columns are independent: those that are given stand still, the others as before."""
        refuse_impossible(min((self.columns[name][cell] for name, cell in cells.items()), default=1))
        still = {name: np.eye(len(self.columns[name]))[cell] for name, cell in cells.items()}
        return Product(self.columns | still)

    def model(self) -> Model:
        return {}, {f"column.{name}": p for name, p in self.columns.items()}

    @staticmethod
    def rebuild(words: dict[str, object], arrays: dict[str, NDArray[np.float64]], schema: Schema) -> "Product":
        """The guess of a model file."""
        return Product({name: arrays[f"column.{name}"] for name in schema.domain})


class ProductPlayer:
    """Fits the product of the one-way marginals on the tape."""

    def forecast(self, schema: Schema) -> Forecast:
        """Next to nothing."""
        cells = sum(schema.domain.values())
        return Forecast(megabytes=50 + cells * 40 / 1e6, seconds=1 + cells * 1e-6)

    def fit(self, tape: Tape, schema: Schema) -> Product:
        return product_of(tape, schema)


def product_of(tape: Tape, schema: Schema) -> Product:
    """The product of the one-way marginals on the tape."""
    columns = {name: np.full(cells, 1 / cells) for name, cells in schema.domain.items()}
    n = max(size(tape, schema), 1)
    for measured in measurements(tape, schema):
        if len(measured.columns) == 1:
            columns[measured.columns[0]] = project(measured.counts / n)
    return Product(columns)


def project(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest distribution: max(v - t, 0) with t such that it sums to 1."""
    descending = np.sort(values)[::-1]
    thresholds = (np.cumsum(descending) - 1) / np.arange(1, len(values) + 1)
    last = int(np.nonzero(descending > thresholds)[0][-1])
    positive = np.maximum(values - thresholds[last], 0)
    return np.asarray(positive / positive.sum(), dtype=np.float64)


def systematic(p: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """n codes, in order, whose counts are n p rounded up or down: one uniform draw moves a comb over the cells."""
    # code_i = first cell whose cumulative probability exceeds (u + i) / n
    comb = (rng.random() + np.arange(n)) / max(n, 1)
    return np.searchsorted(np.cumsum(p)[:-1], comb, side="right")
