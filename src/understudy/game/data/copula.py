"""Copula: Gaussian copulas, one for each class: the columns' own distributions, joined by correlated normals.

    g ~ N(0, R_c),   the row of rank r of m in g_j gets the cell in which the column's distribution F_cj reaches (r + 1/2) / m

F_cj are the noisy marginals by class, projected onto distributions. The score of a cell is the normal quantile of the middle of
its share; R_c are second moments of scores, each over the deviation that its column's scores have, drawn towards their average,
made positive, and scaled to 1 on the diagonal. By ranks, the one-way counts of a class are those of the guess, rounded.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from understudy.game.data.drawn import Drawn
from understudy.game.data.product import project, systematic
from understudy.game.data.rows import joined
from understudy.game.measurement import measurements
from understudy.game.moments import Estimate, Second, drawn_together, positive, second
from understudy.game.player import GUESSES, Codes, Details, Forecast, Model, refuse_impossible
from understudy.question.lift import Scores
from understudy.question.reference import Reference
from understudy.refusal import Infeasible
from understudy.schema.coordinates import UNIT
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

SCORE = 256  # stands for one deviation of a score
WIDER = 1.25  # times the length that a row of independent scores has: the clip
WIDEST = 1024  # columns

Array = NDArray[np.float64]


@GUESSES.add("copula")
@dataclass(frozen=True, eq=False)
class Copula(Drawn):
    """Weights and label cells (G), roots (G x d x d), and by column the distributions of its cells (G x cells)."""

    weights: Array
    cells: NDArray[np.int64]
    roots: Array
    columns: dict[str, Array]

    kind: ClassVar[str] = "copula"

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows: classes by a comb over their weights, columns by ranks; in any order."""
        of = systematic(self.weights, n, rng)
        parts = [self.of(g, int(m), rng) for g, m in enumerate(np.bincount(of, minlength=len(self.weights)))]
        codes = joined(parts) | ({self.label: self.cells[of]} if self.label else {})
        order = rng.permutation(n)
        return {name: codes[name][order] for name in self.schema.domain}, {}

    def of(self, g: int, m: int, rng: np.random.Generator) -> Codes:
        """m rows of one class."""
        normals = rng.standard_normal((m, self.roots.shape[1])) @ self.roots[g]
        ranks = normals.argsort(axis=0).argsort(axis=0)
        return {
            name: systematic(p[g], m, rng)[rank] for (name, p), rank in zip(self.columns.items(), ranks.T, strict=True)
        }

    def of_class(self, cell: int) -> "Copula":
        """That class alone."""
        weights = np.where(self.cells == cell, self.weights, 0)
        refuse_impossible(float(weights.sum()))
        kept = weights > 0
        columns = {name: p[kept] for name, p in self.columns.items()}
        own = weights[kept] / weights.sum(), self.cells[kept], self.roots[kept]
        return Copula(self.schema, self.label, *own, columns)

    def model(self) -> Model:
        arrays = {"weights": self.weights, "cells": self.cells, "roots": self.roots}
        return {"label": self.label}, arrays | {f"column.{name}": p for name, p in self.columns.items()}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Copula":
        """The guess of a model file."""
        label = str(words["label"])
        columns = {name: arrays[f"column.{name}"] for name in schema.domain if name != label}
        return Copula(schema, label, arrays["weights"], arrays["cells"], arrays["roots"], columns)


@dataclass
class CopulaPlayer:
    """Fits copulas to marginals by class and second moments of scores."""

    estimate: Estimate
    _fitted: tuple[int, Copula] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A matrix for each class."""
        d = len(self.estimate.space.columns)
        if d > WIDEST:
            raise Infeasible(f"the table has {d:,} columns, more than {WIDEST:,}", "leave some out")
        size = self.estimate.classes * d**2
        return Forecast(100 + size * 60 / 1e6, 1 + size * (1e-6 + d * 1e-8))

    def fit(self, tape: Tape, schema: Schema) -> Copula:
        """The copulas of the tape so far; independent columns before the second moments are asked."""
        done = len(tape.of("marginals")) + len(tape.of("moments"))
        if self._fitted is None or self._fitted[0] != done:
            self._fitted = done, self.copulas(tape)
        return self._fitted[1]

    def copulas(self, tape: Tape) -> Copula:
        """One for each class."""
        estimate = self.estimate
        sizes, columns = self.sizes(tape), columns_of(tape, estimate)
        own = sizes / sizes.sum(), np.arange(len(sizes)), self.roots(tape, sizes, columns)
        return Copula(estimate.schema, estimate.label, *own, columns)

    def sizes(self, tape: Tape) -> Array:
        """Rows by class; all alike before they are asked."""
        asked = tape.of("marginals") or not self.estimate.label
        return self.estimate.sizes(tape) if asked else np.ones(self.estimate.classes)

    def roots(self, tape: Tape, sizes: Array, columns: dict[str, Array]) -> Array:
        """A root of each class's correlations."""
        d = len(columns)
        if not tape.of("moments"):
            return np.tile(np.eye(d), (len(sizes), 1, 1))
        measured = second(tape.of("moments")[0], sizes)
        # moments are over UNIT^2 a row; a score's deviation is SCORE
        matrices, blur = measured.matrices * (UNIT / SCORE) ** 2, measured.blur * (UNIT / SCORE) ** 2
        scores = scores_of(columns)
        deviations = np.sqrt([(p * scores[name] ** 2).sum(axis=1) for name, p in columns.items()]).T
        deviations = np.maximum(deviations, 0.1)
        scaled = matrices / deviations[:, :, None] / deviations[:, None, :]
        scaled[:, np.arange(d), np.arange(d)] = 1
        return np.array([root_of(matrix) for matrix in drawn_together(Second(scaled, blur), sizes)])


def root_of(matrix: Array) -> Array:
    """R with R^T R the nearest correlation matrix."""
    values, vectors = np.linalg.eigh(positive(matrix, 0.0))
    root = (vectors * np.sqrt(np.maximum(values, 0))).T
    return np.asarray(root / np.maximum(np.linalg.norm(root, axis=0), 1e-9))


def columns_of(tape: Tape, estimate: Estimate) -> dict[str, Array]:
    """Each column's distribution in each class; even where nothing was asked yet."""
    domain, label = estimate.schema.domain, estimate.label
    found = {name: np.full((estimate.classes, domain[name]), 1 / domain[name]) for name in estimate.space.names}
    for measured in measurements(tape, estimate.schema):
        others = [name for name in measured.columns if name != label]
        if others:
            by_class = measured.counts.T if measured.columns[-1] == label else measured.counts
            table = by_class.reshape(estimate.classes, -1)
            total = np.maximum(table.sum(axis=1, keepdims=True), 1)
            found[others[0]] = np.array([project(row) for row in table / total])
    return found


def scores_of(columns: dict[str, Array]) -> dict[str, Array]:
    """The normal quantile of the middle of each cell's share."""
    middles = {name: np.cumsum(p, axis=1) - p / 2 for name, p in columns.items()}
    return {name: ndtri(np.clip(middle, 1e-4, 1 - 1e-4)) for name, middle in middles.items()}


def lift_of(columns: dict[str, Array]) -> Scores:
    """The scores of these distributions as a lift."""
    widest = max(p.shape[1] for p in columns.values())
    scores = [
        np.pad(table, ((0, 0), (0, widest - table.shape[1])), mode="edge") for table in scores_of(columns).values()
    ]
    tables = np.rint(SCORE * np.stack(scores, axis=1)).astype(np.int64)
    clip = int(np.ceil(WIDER * SCORE * np.sqrt(len(columns))))
    return Scores(tuple(columns), len(columns), clip, Reference.of_tables({("scores",): tables}))
