"""Normals: a mixture of Gaussians over the coordinates of a table's columns, each of one class, clipped to what values can be.

    component g with probability w_g;   x = clip(offset_g + root_g z + speck_g e, 0, 1),   z, e ~ N(0, I)
    mean_g, factor_g     what the rows of g are to have for their mean, and along its directions for their covariance, if any

The rows of a component are brought to its mean and covariance, exactly but for clipping, where there are enough of them: so
releasing n rows adds almost nothing to the error of moments (`brought`). Vectors are read back as the nearest values that the
schema has (`schema/coordinates.py`): levels and ticks within their bounds, and of a list the cell with the largest coordinate.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.drawn import Drawn
from understudy.game.data.product import systematic
from understudy.game.data.rows import joined
from understudy.game.player import GUESSES, Codes, Details, Model, refuse_impossible
from understudy.game.space import Space
from understudy.schema.schema import Schema

LEAST = 1e-3  # of a deviation that rows are brought to
LEAST_SHOWN = 0.3  # of a move
ENOUGH, TURNS = 4, 10  # rows for each direction from which on they are brought to a covariance, and how often
ARRAYS = ("weights", "cells", "offsets", "roots", "specks", "means", "factors")

Array = NDArray[np.float64]
Small = NDArray[np.float32]


@GUESSES.add("normals")
@dataclass(frozen=True, eq=False)
class Normals(Drawn):
    """Weights, cells of the label (G); offsets, specks, means (G x p); roots (G x k x p), factors (G x j x p)."""

    weights: Array
    cells: NDArray[np.int64]
    offsets: Small
    roots: Small
    specks: Small
    means: Small
    factors: Small

    kind: ClassVar[str] = "normals"

    @property
    def space(self) -> Space:
        """Of all columns that are not the label."""
        return Space.of(self.schema, self.label or None)

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows: the components by a comb over their weights, in any order."""
        components = systematic(self.weights, n, rng)
        ends = np.searchsorted(components, np.arange(len(self.weights) + 1))
        parts = [self.of(g, int(m), rng) for g, m in enumerate(np.diff(ends)) if m or not n]
        codes, details = joined([part for part, _ in parts]), joined([finer for _, finer in parts])
        if self.label:
            codes[self.label] = self.cells[components]
        order = rng.permutation(n)
        return {name: codes[name][order] for name in self.schema.domain}, {k: v[order] for k, v in details.items()}

    def of(self, g: int, m: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """m rows of one component."""
        k, p = self.roots.shape[1:]
        vectors = rng.standard_normal((m, k), dtype=np.float32) @ self.roots[g] + self.offsets[g]
        vectors += rng.standard_normal((m, p), dtype=np.float32) * self.specks[g]
        return self.space.values(brought(vectors, self.means[g], self.factors[g]))

    def of_class(self, cell: int) -> "Normals":
        """The components of one class."""
        weights = np.where(self.cells == cell, self.weights, 0)
        refuse_impossible(float(weights.sum()))
        kept = weights > 0
        parts = (getattr(self, name)[kept] for name in ARRAYS[1:])
        return Normals(self.schema, self.label, weights[kept] / weights.sum(), *parts)

    def model(self) -> Model:
        return {"label": self.label}, {name: getattr(self, name) for name in ARRAYS}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Normals":
        """The guess of a model file."""
        return Normals(schema, str(words["label"]), *(arrays[name] for name in ARRAYS))


def brought(vectors: Small, mean: Small, factor: Small) -> Small:
    """Vectors moved along a few directions so that, clipped to 0..1, they have this mean and the covariance factor^T factor.

    With t the clipped vectors along the directions Q and M their covariance, t <- t A, where A is the symmetric map that
    takes M to the wanted S by the shortest way: A = M^-1/2 (M^1/2 S M^1/2)^1/2 M^-1/2.

    A move shows in the clipped vectors only where they lie inside of 0..1: so each is made as much longer, until that is too
    far once.
    """
    _, lengths, q = np.linalg.svd(factor, full_matrices=False)
    q, lengths = q[lengths > LEAST], lengths[lengths > LEAST]
    if len(q) == 0 or len(vectors) < ENOUGH * len(q):
        return vectors
    inside = ((vectors > 0) & (vectors < 1)).mean(axis=0)
    # the share of a move that shows, weighted by how far the directions go along each coordinate
    longer = 1 / max((lengths**2 @ q**2 @ inside) / (lengths**2).sum(), LEAST_SHOWN)
    move, nearest = np.zeros_like(vectors), np.inf
    for _ in range(TURNS):
        seen = np.clip(vectors + move, 0, 1)
        centre = seen.mean(axis=0)
        moved = seen - centre
        t = moved @ q.T
        spread = t.T @ t / len(t)
        far = float(np.linalg.norm(spread - np.diag(lengths**2)))
        if far > nearest and longer > 1:
            longer, move = 1.0, move / longer
            continue
        nearest, vectors = far, vectors + move
        root, inverse = root_of(spread)
        middle, _ = root_of(root @ np.diag(lengths**2) @ root)
        # what lies beside Q is to have nothing in common with what lies along it
        beside = np.linalg.solve(spread + LEAST**2 * np.eye(len(q)), t.T @ moved / len(t) - spread @ q)
        turn = (inverse @ middle @ inverse - np.eye(len(q))) @ q - beside
        move = longer * (t @ turn.astype(np.float32)) + (mean - centre)
    return vectors + move


def root_of(matrix: Array) -> tuple[Array, Array]:
    """The symmetric root of a positive matrix, and its inverse."""
    values, vectors = np.linalg.eigh(matrix)
    roots = np.sqrt(np.maximum(values, LEAST**2))
    return (vectors * roots) @ vectors.T, (vectors / roots) @ vectors.T
