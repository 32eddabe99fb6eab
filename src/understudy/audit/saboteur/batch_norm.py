"""A critic with batch normalisation: what a row adds to the gradient depends on who stands beside it.

So no clip of each row's gradient bounds what one row moves: in document 004's critic one row changed the gradients of all the
others. Group normalisation, whose means are taken within the row, has a row's term depend on that row alone.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Invariant

ROW = np.array([1.0, -2.0, 0.5, 3.0])
COMPANIES = [np.zeros((0, 4)), np.eye(4), 5 * np.ones((2, 4)) - np.eye(4)[:2]]


def normal(h: np.ndarray, axis: int) -> np.ndarray:
    """Mean 0 and variance 1 along an axis: 0 is the batch, 1 the row."""
    centred = h - h.mean(axis=axis, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5))


def trial(axis: int) -> Invariant:
    """The critic scores a row by w . normal(h): its gradient in w is the row's normalised features."""
    return Invariant([normal(np.vstack([ROW, company]), axis)[0] for company in COMPANIES])


@saboteur(
    "batch-norm",
    defect="a layer of the critic mixes the rows of a batch",
    printed="document 004's DCGAN critic, and batch normalisation in every DP-SGD that forgets it",
    caught_by=Invariant,
    sound=lambda: trial(axis=1),
)
def batch_norm() -> Invariant:
    return trial(axis=0)
