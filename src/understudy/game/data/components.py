"""Components: a Gaussian a class along the directions in which the table varies, and what is left of all classes together.

P        directions of the first second moments C, those that stand out from the noise (`moments.leading`)
S_c      second moments along P of one class about its centre, drawn towards their average
C_c      P S_c P^T, its variances larger by (C - P P^T C P P^T)_ii: what P has no part in is as in the whole table
m_c      m + P P^T (own centre - m)                         a class is set apart along P only
"""

from dataclasses import dataclass

import numpy as np

from understudy.game.data.gauss import Array, GaussPlayer, normals, refuse_wide_space
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
        """Some decompositions for each class; only the first look has all coordinates."""
        p, classes = self.estimate.space.dimension, self.estimate.classes
        refuse_wide_space(schema, p, 1)
        return Forecast(400 + 120 * p**2 / 1e6 + 2e-3 * classes * p, 2 + classes * p**2 * (5e-6 + p * 4e-9))

    def gaussians(self, tape: Tape) -> Normals:
        """One for each class."""
        estimate = self.estimate
        p, sizes = estimate.directions(tape), estimate.sizes(tape)
        left = left_out(estimate.second(tape, 0).matrices[0], p)
        along = [positive(matrix, 0.0) for matrix in drawn_together(estimate.second(tape, 1), sizes)]
        centre, own = estimate.centre(tape) / UNIT, estimate.centres(tape) / UNIT
        means = centre + (own - centre) @ p @ p.T
        matrices = [p @ matrix @ p.T for matrix in along]
        return normals(estimate, sizes, means, matrices, [np.diag(matrix) + left for matrix in matrices])


def left_out(matrix: Array, p: Array) -> Array:
    """The variances of coordinates that some directions have no part in."""
    within = p.T @ matrix @ p
    return np.asarray(np.maximum(np.diag(matrix) - np.einsum("ij,jk,ik->i", p, within, p), 0))
