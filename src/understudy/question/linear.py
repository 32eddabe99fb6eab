"""Linear models: the steepest vertex, and the noisy gradient, of a loss over sealed examples.

Math.  g_jk(S) = sum over examples of c_k x_j, whole numbers of a public frame and a public model (frame.py). With X, C the
bounds of a feature and a residual, and R rows a unit (sides = 1 under add-remove, 2 under replace-one):

    Vertex           scores (-g, g), one for each of the 2 p K signed directions of the l1 ball; the best one is chosen
                     move = sides R X C;   linf = move,  l1 = 2 p K move,  l2sq = 2 p K move^2
    LinearGradient   all of g, with noise
                     linf = move
                     l2sq = (sides R)^2 norm2 residual2       since ||c x^T||_F = ||c||_2 ||x||_2
                     l1   = sides R residual1 sqrt(p norm2)   since ||x||_1 <= sqrt(p) ||x||_2
                     side2 = R^2 norm2 residual2              what one unit brings to a sample of the examples

Under add-remove linf is attained by an example at the bound, and l2sq in a ball by one on its axis. The scores of Vertex
come in pairs of opposite sign, so they are not monotone and the factor 2 of selection stays.
"""

from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.frame import C, Frame, X, gradient
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

MODEL = ("model",)


@dataclass(frozen=True)
class OfModel(Question):
    """What both questions share: a frame, and a public model, known to everybody by its digest."""

    frame: Frame
    reference: Reference

    def gradient(self, rows: Rows) -> NDArray[np.int64]:
        """g, flattened feature by feature."""
        model = np.asarray(self.reference[MODEL])
        if model.dtype != np.int64:
            raise Misuse("a model is a table of whole numbers", "round it")
        return gradient(rows, self.frame, model).ravel()


@dataclass(frozen=True)
class Vertex(OfModel):
    """The place of a signed direction along which the loss falls steeply: i for +e_i, p K + i for -e_i."""

    kind: ClassVar[str] = "vertex"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        move = sides(relation) * rows * X * C
        many = 2 * self.frame.width * self.frame.outputs
        return Sensitivity(l1=many * move, l2sq=many * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        g = self.gradient(rows)
        # the loss falls along +e_i at the rate -g_i
        return np.concatenate([-g, g])


@dataclass(frozen=True)
class LinearGradient(OfModel):
    """The gradient of the summed loss."""

    kind: ClassVar[str] = "linear_gradient"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        frame, many = self.frame, sides(relation) * rows
        l1 = many * frame.residual1 * (isqrt(frame.width * frame.norm2) + 1)
        one = rows**2 * frame.norm2 * frame.residual2
        return Sensitivity(l1=l1, l2sq=sides(relation) ** 2 * one, linf=many * X * C, side2=one, coins=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        return self.gradient(rows)


def sides(relation: Relation) -> int:
    """One example comes or goes, or one is exchanged for another."""
    return 1 if relation is Relation.ADD_REMOVE else 2
