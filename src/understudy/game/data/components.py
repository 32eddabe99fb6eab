"""Components: a Gaussian a class along the directions in which the table varies.

    P        directions of the first second moments, those that stand out from the noise (`moments.leading`)
    S_c      second moments along P of one class about its centre, drawn towards their average, made positive
    x        m + P P^T (centre_c - m) + P root_c z,    root_c^T root_c = S_c

What lies beside P is left out: on pictures it is more noise than picture, and classifiers that learn from the rows do better
without. So are the clipped normals of clipped.py: where a class has a few thousand rows, its variances at pixels that are
nearly always black are noise, and a normal that is bent to them writes that noise into the pictures.
"""

from dataclasses import dataclass

import numpy as np

from understudy.game.data.clipped import factor
from understudy.game.data.gauss import FACTORS, GaussPlayer, even, refuse_wide_space
from understudy.game.data.normals import Normals
from understudy.game.moments import drawn_together, positive
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
        nothing = np.zeros_like(means)
        parts = (means, roots, nothing, means, nothing[:, None, :])
        return Normals(estimate.schema, estimate.label, sizes / sizes.sum(), np.arange(len(sizes)), *parts)
