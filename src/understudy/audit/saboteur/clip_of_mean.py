"""Document 002's algorithm 2: the mean gradient of a batch is clipped, and noise of that clip is added.

One row can turn the mean from one side of the ball to the other: it moves by 2 C, and a larger batch does not make it less.
Microbatches have the same defect on a smaller scale: of two rows that share one clip, either can turn their mean.
"""

from collections.abc import Callable

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves

CLIP = 1.0
ROWS = np.array([[40.0, 30.0], [-30.0, -40.0], [30.0, 40.0], [-40.0, -30.0]])


def clipped(gradients: np.ndarray) -> np.ndarray:
    """Every gradient scaled back to a norm of at most C."""
    norms = np.linalg.norm(gradients, axis=-1, keepdims=True)
    return np.asarray(gradients * np.minimum(1, CLIP / np.maximum(norms, 1e-12)))


def of_mean(gradients: np.ndarray) -> np.ndarray:
    """The clip of the mean."""
    return clipped(gradients.mean(axis=0))


def of_pairs(gradients: np.ndarray) -> np.ndarray:
    """The sum of the clips of the means of two and two; an odd one stands alone."""
    pairs = [gradients[i : i + 2].mean(axis=0) for i in range(0, len(gradients), 2)]
    return np.asarray(clipped(np.array(pairs)).sum(axis=0))


def of_rows(gradients: np.ndarray) -> np.ndarray:
    """The sum of the clips."""
    return np.asarray(clipped(gradients).sum(axis=0))


def trial(statistic: Callable[[np.ndarray], np.ndarray]) -> Moves:
    """A row that comes to one that points the other way, and is the longer of the two."""
    return Moves({"l2": CLIP}, [(statistic(row[None]), statistic(np.stack([row, -2 * row]))) for row in ROWS])


@saboteur(
    "clip-of-mean",
    defect="the batch's mean gradient is clipped, so one row moves it by twice the clip",
    printed="document 002, algorithm 2: g <- g min(1, C / ||g||) + N(0, sigma C) on the minibatch's gradient",
    caught_by=Moves,
    sound=lambda: trial(of_rows),
)
def clip_of_mean() -> Moves:
    return trial(of_mean)


@saboteur(
    "microbatch",
    defect="two rows share one clip, so one of them moves their mean by twice the clip",
    printed="document 004's DP optimiser with 50 microbatches of 2, accounted as if each row had its own",
    caught_by=Moves,
    sound=lambda: trial(of_rows),
)
def microbatch() -> Moves:
    return trial(of_pairs)
