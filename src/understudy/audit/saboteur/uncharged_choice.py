"""The best of several candidates by the exact private score: the choice is read off the table and not charged.

The best epoch, the best seed, the best hyper-parameter on the private hold-out. One person can decide who wins.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON = 1.0
SCORES = np.array([40, 40, 38]), np.array([40, 41, 38])  # hold-out hits without and with one person


def best(scores: np.ndarray) -> np.ndarray:
    """The law of "take the best, the first of equals"."""
    return np.asarray(np.eye(len(scores))[int(np.argmax(scores))])


def chosen(scores: np.ndarray) -> np.ndarray:
    """The exponential mechanism on counts, which move in one direction under add-remove, at 2 / eps to be safe."""
    weights = np.exp(EPSILON * (scores - scores.max()) / 2)
    return np.asarray(weights / weights.sum())


@saboteur(
    "uncharged-choice",
    defect="the best of several results is picked by its exact private score",
    printed="document 002, section 4: report-noisy-argmax over epochs is not charged; early stopping on a private loss",
    caught_by=Laws,
    sound=lambda: Laws([(chosen(SCORES[0]), chosen(SCORES[1]))], epsilon=EPSILON),
)
def uncharged_choice() -> Laws:
    return Laws([(best(SCORES[0]), best(SCORES[1]))], epsilon=EPSILON)
