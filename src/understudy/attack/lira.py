"""LiRA: a likelihood ratio for each person, from shadow models with and without him (Carlini and others 2022).

Math.  phi = ln p_y - ln(1 - p_y), the logit of the true class's confidence (of a regressor: minus the absolute error), is about
Gaussian over retrainings. With m_in, m_out the person's means over the shadow models and s_in, s_out the deviations,

    score(x) = ln N(phi; m_in, s_in^2) - ln N(phi; m_out, s_out^2)

Deviations are shared by all people where there are fewer than ``OWN`` models a side: few numbers make a poor deviation.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.attack.metrics import confidence
from understudy.attack.shadow import Shadows

Floats = NDArray[np.float64]
OWN = 32  # models a side from which a deviation of one's own is better than a shared one
FLOOR = 1e-6


def logit(model: Any, x: NDArray[Any], y: NDArray[Any]) -> Floats:
    """phi for every person."""
    if not hasattr(model, "predict_proba"):
        return np.asarray(-np.abs(model.predict(x) - np.asarray(y, dtype=np.float64)))
    p = confidence(model, x, y)
    return np.asarray(np.log(p) - np.log1p(-p))


def scores(model: Any, x: NDArray[Any], y: NDArray[Any], trained: Shadows) -> Floats:
    """The log likelihood ratio of every person of the shadows' world, for one target model."""
    phi = np.stack([logit(shadow, x, y) for shadow in trained.models])
    with_him, without = side(phi, trained.inside), side(phi, ~trained.inside)
    seen = logit(model, x, y)
    return log_normal(seen, *with_him) - log_normal(seen, *without)


def side(phi: Floats, chosen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Mean and deviation of each person's phi over the chosen models."""
    many = np.maximum(chosen.sum(axis=0), 1)
    mean = np.where(chosen, phi, 0.0).sum(axis=0) / many
    variance = np.where(chosen, (phi - mean) ** 2, 0.0).sum(axis=0)
    own, shared = variance / many, variance.sum() / many.sum()
    return mean, np.sqrt(np.where(many >= OWN, own, shared) + FLOOR)


def log_normal(value: Floats, mean: Floats, deviation: Floats) -> Floats:
    """ln N(value; mean, deviation^2), but for a constant."""
    return np.asarray(-(((value - mean) / deviation) ** 2) / 2 - np.log(deviation))
