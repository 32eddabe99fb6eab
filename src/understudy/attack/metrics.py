"""Metric attacks on a model: one number a person, and a threshold from shadow data, never from membership.

    correctness        1 if the prediction is right
    confidence         the probability of the true class
    loss               minus the cross-entropy (or minus the squared error of a regressor)
    entropy            minus H(p),                 H = - sum p_k ln p_k: members are predicted surely
    modified entropy   minus M(p, y),              M = -(1 - p_y) ln p_y - sum over k != y of p_k ln(1 - p_k)

Entropy does not see the label: it is low for a sure mistake too. Modified entropy (Song and Mittal 2021) is 0 only for a sure
hit. All scores are high for members.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
SMALL = 1e-12


class Model(Protocol):
    """What an enemy may ask of a model."""

    def predict(self, x: ArrayLike) -> NDArray[Any]: ...


def chances(model: Any, x: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[np.intp]]:
    """Probabilities of the classes, and the place of the true one."""
    order = np.argsort(model.classes_)
    places = np.searchsorted(model.classes_, np.asarray(y), sorter=order)
    return np.clip(model.predict_proba(x), SMALL, 1 - SMALL), order[np.minimum(places, len(order) - 1)]


def correctness(model: Any, x: ArrayLike, y: ArrayLike) -> Floats:
    return np.asarray(model.predict(x) == np.asarray(y), dtype=np.float64)


def confidence(model: Any, x: ArrayLike, y: ArrayLike) -> Floats:
    p, place = chances(model, x, y)
    return np.asarray(p[np.arange(len(p)), place])


def loss(model: Any, x: ArrayLike, y: ArrayLike) -> Floats:
    """Minus the loss."""
    if not hasattr(model, "predict_proba"):
        return np.asarray(-((model.predict(x) - np.asarray(y, dtype=np.float64)) ** 2))
    return np.asarray(np.log(confidence(model, x, y)))


def entropy(model: Any, x: ArrayLike, y: ArrayLike) -> Floats:
    p, _ = chances(model, x, y)
    return np.asarray((p * np.log(p)).sum(axis=1))


def modified_entropy(model: Any, x: ArrayLike, y: ArrayLike) -> Floats:
    p, place = chances(model, x, y)
    hit = np.arange(p.shape[1])[None, :] == place[:, None]
    # -(1 - p_y) ln p_y for the true class, -p_k ln(1 - p_k) for the others
    return np.asarray(np.where(hit, (1 - p) * np.log(p), p * np.log(1 - p)).sum(axis=1))


Metric = Callable[[Any, ArrayLike, ArrayLike], Floats]
CLASSIFIER: dict[str, Metric] = {
    "correctness": correctness,
    "confidence": confidence,
    "loss": loss,
    "entropy": entropy,
    "modified entropy": modified_entropy,
}
REGRESSOR: dict[str, Metric] = {"loss": loss}


def threshold(shadow_members: ArrayLike, shadow_outsiders: ArrayLike) -> float:
    """The cut with the best accuracy on shadow models, whose members the enemy knows because he chose them."""
    inside, outside = np.sort(np.ravel(shadow_members)), np.sort(np.ravel(shadow_outsiders))
    cuts = np.unique(np.concatenate([inside, outside]))
    right = (inside.size - np.searchsorted(inside, cuts, side="right")) / inside.size
    quiet = np.searchsorted(outside, cuts, side="right") / outside.size
    return float(cuts[int(np.argmax(right + quiet))])


def accuracy(members: ArrayLike, outsiders: ArrayLike, cut: float) -> float:
    """The mean of both shares of right guesses at a cut that was fixed beforehand."""
    return float((np.mean(np.ravel(members) > cut) + np.mean(np.ravel(outsiders) <= cut)) / 2)
