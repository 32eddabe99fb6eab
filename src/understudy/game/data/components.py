"""Components: a Gaussian a class along the directions in which the table varies.

    P        directions of the first second moments, those that stand out from the noise (`moments.leading`)
    S_c      second moments along P of one class about its centre, drawn towards their average, made positive
    x        m + P P^T (centre_c - m) + P root_c z + speck e,    root_c^T root_c = S_c
    speck    speck_i^2 = (diag C)_i - (diag P P^T C P P^T)_i: what each coordinate varies beside P, smooth over pictures

Without specks pictures would not vary beside P at all, and a linear classifier that learns from them would not know what to
expect there: real ones do. The clipped normals of clipped.py are left out: where a class has a few thousand rows, its variances
at pixels that are nearly always black are noise, and a normal that is bent to them writes that noise into the pictures.
"""

from dataclasses import dataclass

import numpy as np

from understudy.game.data.clipped import factor
from understudy.game.data.gauss import FACTORS, GaussPlayer, even, refuse_wide_space
from understudy.game.data.normals import Normals
from understudy.game.moments import Array, drawn_together, positive
from understudy.game.player import Forecast
from understudy.schema.coordinates import UNIT
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape


@dataclass
class ComponentsPlayer(GaussPlayer):
    """Fits them to two looks: second moments of all rows, then of classes."""

    look: int = 1

    def forecast(self, schema: Schema) -> Forecast:
        """One decomposition of all coordinates, and a small one for each class."""
        p, classes = self.estimate.space.dimension, self.estimate.classes
        refuse_wide_space(schema, p, 1)
        return Forecast(400 + 60 * p**2 / 1e6 + 2e-3 * classes * p, 2 + p**2 * (5e-6 + p * 4e-9) + classes * 0.1)

    def gaussians(self, tape: Tape) -> Normals:
        """One for each class."""
        estimate = self.estimate
        p, sizes = estimate.directions(tape), estimate.sizes(tape)
        along = [positive(matrix, 0.0) for matrix in drawn_together(estimate.second(tape, 1), sizes)]
        centre, own = estimate.centre(tape) / UNIT, estimate.centres(tape) / UNIT
        means = np.asarray(centre + (own - centre) @ p @ p.T, dtype=np.float32)
        roots = np.array(even([factor(matrix, FACTORS) @ p.T for matrix in along]), dtype=np.float32)
        specks = np.tile(np.asarray(self.specks(tape, p), dtype=np.float32), (len(sizes), 1))
        parts = (means, roots, specks, means, np.zeros_like(means)[:, None, :])
        return Normals(estimate.schema, estimate.label, sizes / sizes.sum(), np.arange(len(sizes)), *parts)

    def specks(self, tape: Tape, p: Array) -> Array:
        """Deviations of what lies beside P, the same for all classes."""
        of_all, smoothest = self.estimate.second(tape, 0).matrices[0], self.estimate.frames[0]
        beside = np.diag(of_all) - np.einsum("ik,kl,il->i", p, p.T @ of_all @ p, p)
        return np.asarray(np.sqrt(np.maximum(smoothest @ (smoothest.T @ beside), 0)))
