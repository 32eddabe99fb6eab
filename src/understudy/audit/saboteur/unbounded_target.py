"""Gradients of squared loss with a target that nobody clipped: one person moves them as far as his target goes.

"Without loss of generality ||D|| = 1" and a Gaussian target are no bound: the sensitivity is that of the sample at hand, which
is private. The sound twin clips features and target to public bounds, and the declared move is their product.
"""

from typing import cast

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves
from understudy.question.frame import Frame
from understudy.question.linear import MODEL, LinearGradient
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.schema.relation import Relation
from understudy.vault.examples import Labels, SealedExamples

FRAME = Frame("cube", "squared", 2, 1, 0)
WEIGHTS = np.zeros((2, 1), dtype=np.int64)
NEW_X, NEW_Y = np.array([[1.0, -1.0]]), np.array([7.0])


def plain_gradient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """sum of (<w, x> - y) x at w = 0."""
    return np.asarray(-(y[:, None] * x).sum(axis=0))


def clipped_gradient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The same through the frame."""
    question = LinearGradient(Exact(), FRAME, Reference.of_tables({MODEL: WEIGHTS}))
    sealed = SealedExamples(x, y, FRAME, 1.0, Labels(bound=1.0, unit=1.0))
    return np.asarray(question.statistic(cast(Rows, sealed)))


def pairs(gradient: object) -> list[tuple[np.ndarray, np.ndarray]]:
    """A table without and with a person whose target is 7."""
    x, y = np.array([[0.5, 0.2], [-0.1, 0.9]]), np.array([0.3, -0.4])
    assert callable(gradient)
    return [(gradient(x, y), gradient(np.vstack([x, NEW_X]), np.concatenate([y, NEW_Y])))]


def sound() -> Moves:
    question = LinearGradient(Exact(), FRAME, Reference.of_tables({MODEL: WEIGHTS}))
    moves = question.sensitivity(1, Relation.ADD_REMOVE)
    return Moves({"linf": moves.linf, "l2": moves.l2sq**0.5, "l1": moves.l1}, pairs(clipped_gradient))


@saboteur(
    "unbounded-target",
    defect="the sensitivity of a regression gradient taken from the sample, whose target has no bound",
    printed="document 001, section 4.1: Gaussian noise on y, and ||D|| = 1 without loss of generality",
    caught_by=Moves,
    sound=sound,
)
def unbounded_target() -> Moves:
    return Moves({"linf": 1.0}, pairs(plain_gradient))
