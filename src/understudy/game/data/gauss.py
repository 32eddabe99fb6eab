"""Gauss: one Gaussian a class, from its centre and second moments on the tape.

    mean m_c, covariance C_c    as measured, made positive
    offset, root, specks        those of the Gaussian whose clipped values have m_c and C_c (clipped.py)

Noise makes a matrix that is no covariance. Classes are drawn towards their average as far as noise alone sets them apart,
then eigenvalues that noise alone could make are left out (`moments.standing`); variances are kept as measured. Where the
second moments were taken along directions P only, C_c = P S_c P^T. Post-processing, all of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.clipped import clipped, factor
from understudy.game.data.normals import Normals
from understudy.game.moments import Estimate, drawn_together, positive
from understudy.game.player import Forecast
from understudy.refusal import Infeasible
from understudy.schema.coordinates import UNIT
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

Array = NDArray[np.float64]

WIDEST = 1024  # coordinates: a Gaussian has a number for each pair of them
ASKED = 4_000_000  # numbers of all second moments together
FACTORS = 200  # directions that one Gaussian varies along; what is left is each coordinate's own


@dataclass
class GaussPlayer:
    """Fits Gaussians to the second moments of one look, along ``directions`` (p x k, orthonormal) where there are some."""

    estimate: Estimate
    look: int = 0
    directions: Callable[[Tape], Array] | None = None
    _fitted: tuple[int, Normals] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Some decompositions for each class."""
        p, classes = self.estimate.space.dimension, self.estimate.classes
        refuse_wide_space(schema, p, 1 if self.directions else classes)
        return Forecast(
            400 + 120 * p**2 / 1e6 + 8 * classes * p * FACTORS / 1e6, 2 + classes * p**2 * (5e-6 + p * 4e-9)
        )

    def fit(self, tape: Tape, schema: Schema) -> Normals:
        """The Gaussians of the tape so far; before the second moments are asked, points at the middle."""
        done = len(tape.of("moments"))
        if self._fitted is None or self._fitted[0] != done:
            made = self.gaussians(tape) if done > self.look else at_the_middle(self.estimate)
            self._fitted = done, made
        return self._fitted[1]

    def gaussians(self, tape: Tape) -> Normals:
        """One for each class."""
        estimate = self.estimate
        sizes = estimate.sizes(tape)
        second = estimate.second(tape, self.look)
        frames = () if self.directions else estimate.frames
        matrices = [
            positive(matrix, float(blur), frames)
            for matrix, blur in zip(drawn_together(second, sizes), second.blur, strict=True)
        ]
        variances = [
            np.maximum(np.diag(measured), np.diag(m)) for measured, m in zip(second.matrices, matrices, strict=True)
        ]
        if self.directions is not None:
            p = self.directions(tape)
            matrices = [p @ matrix @ p.T for matrix in matrices]
            variances = [np.diag(matrix) for matrix in matrices]
        return normals(estimate, sizes, estimate.centres(tape) / UNIT, matrices, variances)


def normals(estimate: Estimate, sizes: Array, means: Array, matrices: list[Array], variances: list[Array]) -> Normals:
    """A Gaussian for each class whose clipped values have these means, covariances and variances."""
    parts = [clipped(*given, FACTORS) for given in zip(means, matrices, variances, strict=True)]
    offsets, roots, specks = zip(*parts, strict=True)
    factors = [factor(matrix, FACTORS) for matrix in matrices]
    small = [np.array(part, dtype=np.float32) for part in (offsets, even(roots), specks, means, even(factors))]
    return Normals(estimate.schema, estimate.label, sizes / sizes.sum(), np.arange(len(sizes)), *small)


def even(matrices: Sequence[Array]) -> list[Array]:
    """Matrices with as many rows as the one with most."""
    most = max(len(matrix) for matrix in matrices)
    return [np.pad(matrix, ((0, most - len(matrix)), (0, 0))) for matrix in matrices]


def refuse_wide_space(schema: Schema, dimension: int, classes: int) -> None:
    """Second moments have a number for each pair of coordinates."""
    if dimension > WIDEST or classes * dimension**2 > 2 * ASKED:
        raise Infeasible(
            f"table '{schema.name}' has {dimension:,} coordinates, too many for second moments of {classes:,} classes",
            "declare fewer or coarser columns, or use --recipe private_pca where the classes are many",
        )


def at_the_middle(estimate: Estimate) -> Normals:
    """What is known before anything is asked: a point at the middle for each class, all of the same chance."""
    classes, p = estimate.classes, estimate.space.dimension
    middle = np.tile(estimate.space.middle / UNIT, (classes, 1)).astype(np.float32)
    nothing = np.zeros((classes, 1, p), dtype=np.float32)
    parts = (np.full(classes, 1 / classes), np.arange(classes), middle, nothing, 0 * middle, middle, nothing)
    return Normals(estimate.schema, estimate.label, *parts)
