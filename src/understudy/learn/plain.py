"""The twins that are not private: the same losses, balls and steps, with exact gradients. To compare with, and to attack.

    PlainRegressor, PlainClassifier   constraint "l1": Frank-Wolfe; constraint "l2": accelerated projected descent

Nothing here goes through the gate and nothing is promised: `private_` is False.

>>> import numpy as np
>>> x = np.random.default_rng(0).uniform(-1, 1, (200, 3))
>>> PlainRegressor(x_bound=2, radius=3, constraint="l2").fit(x, x[:, 0]).score(x, x[:, 0]) > 0.99
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from understudy.learn.descent import SMOOTH, project
from understudy.learn.estimator import Classifier, Linear, Regressor, clipped, examples_of
from understudy.learn.frank_wolfe import towards
from understudy.refusal import Misuse

Floats = NDArray[np.float64]


@dataclass(kw_only=True, eq=False, repr=False)
class Plain(Linear):
    """Exact gradients of all rows."""

    x_bound: float
    radius: float
    steps: int = 300
    constraint: str = "l1"
    intercept: bool = True

    @property
    def geometry(self) -> str:
        """How features are clipped."""
        return "cube" if self.constraint == "l1" else "ball"

    def fit(self, x: ArrayLike, y: ArrayLike) -> Self:
        """Learn from rows that may be shown."""
        rows, targets = examples_of(x, y, isinstance(self, Regressor))
        if self.constraint not in ("l1", "l2"):
            raise Misuse("constraint is 'l1' or 'l2'", "take one of the two")
        features = clipped(rows, self.geometry, self.x_bound) / self.x_bound
        if self.intercept:
            features = np.hstack([np.ones((len(features), 1)), features])
        wanted, loss = self.targets(targets)
        model = self.train(features, wanted, loss)
        self.intercept_ = model[: int(self.intercept)].sum(axis=0)
        self.coef_ = model[int(self.intercept) :].T / self.x_bound
        self.n_features_in_, self.private_ = rows.shape[1], False
        return self

    def targets(self, y: NDArray[Any]) -> tuple[Floats, str]:
        """What the heights should become: the numbers, the second class's share, or one share a class."""
        if isinstance(self, Regressor):
            return y.astype(np.float64)[:, None], "squared"
        self.classes_ = np.array(tuple(self.classes))  # type: ignore[attr-defined]
        hits = (y[:, None] == self.classes_[None, :]).astype(np.float64)
        return (hits[:, 1:], "logistic") if len(self.classes_) == 2 else (hits, "multinomial")

    def train(self, x: Floats, wanted: Floats, loss: str) -> Floats:
        """The last iterate."""
        model = ahead = np.zeros((x.shape[1], wanted.shape[1]))
        if self.constraint == "l1":
            for t in range(self.steps):
                g = mean_gradient(x, wanted, model, loss)
                steepest = int(np.abs(g).argmax())
                vertex = steepest if g.ravel()[steepest] < 0 else steepest + g.size
                model = towards(model, vertex, self.radius, 2 / (t + 2))
            return model
        rate = 1 / (SMOOTH[loss] * max(float(np.linalg.norm(x, 2)) ** 2 / max(len(x), 1), 1e-12))
        for t in range(self.steps):
            after = project(ahead - rate * mean_gradient(x, wanted, ahead, loss), self.radius)
            ahead, model = after + t / (t + 3) * (after - model), after
        return model


def mean_gradient(x: Floats, wanted: Floats, model: Floats, loss: str) -> Floats:
    """(1/n) sum of c x."""
    heights = x @ model
    if loss == "logistic":
        heights = 0.5 * (1 + np.tanh(heights / 2))
    elif loss == "multinomial":
        heights = np.exp(heights - heights.max(axis=1, keepdims=True))
        heights /= heights.sum(axis=1, keepdims=True)
    return np.asarray(x.T @ (heights - wanted) / max(len(x), 1))


@dataclass(kw_only=True, eq=False, repr=False)
class PlainRegressor(Plain, Regressor):
    """Least squares on a ball."""


@dataclass(kw_only=True, eq=False, repr=False)
class PlainClassifier(Plain, Classifier):
    """Logistic or multinomial regression on a ball."""

    classes: Sequence[Any]
