"""Train on synthetic, test on real: what somebody who only has the stand-in would learn, tried on people they never saw.

    w  =  argmin |Y - (X - mean) w - b|^2 + alpha |w|^2        ridge regression, in closed form

Classification: Y has a column of +1 and -1 for each class, and the largest wins. Regression: Y is the target's cell. The
best achievable value is what the same learner reaches when it is trained on other real rows.

>>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
>>> fitted = fit(x, 2 * x + 1, alpha=0.0)
>>> np.round(predict(fitted, x).ravel(), 9).tolist()
[1.0, 3.0, 5.0, 7.0]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes
from understudy.measure.association import ordered
from understudy.measure.features import features
from understudy.measure.variation import Array
from understudy.schema.schema import Schema

ALPHA = 1.0
Ints = NDArray[np.integer]


@dataclass(frozen=True)
class Line:
    """A linear model."""

    weights: Array
    shift: Array


@dataclass(frozen=True)
class Transfer:
    """How well a target is told from all other columns: trained on synthetic rows, and, at best, on real ones.

    ``plain`` is what one gets without looking at any other column.
    """

    target: str
    score: str
    synthetic: float
    best: float
    plain: float


def transfer(train: Codes, synthetic: Codes, test: Codes, schema: Schema, target: str) -> Transfer:
    """Accuracy for an unordered target, R squared for an ordered one.

    Outside: it trains and tests on private rows.
    """
    others = tuple(name for name in schema.domain if name != target)
    seen = features(test, schema, others)
    truth = np.asarray(test[target]).astype(np.int64)
    ranked = target in ordered(schema)
    scores = []
    for rows in (synthetic, train):
        x, y = features(rows, schema, others), np.asarray(rows[target]).astype(np.int64)
        scores.append(r_squared(x, y, seen, truth) if ranked else accuracy(x, y, seen, truth))
    plain = 0.0 if ranked else float((truth == np.bincount(np.asarray(train[target])).argmax()).mean())
    return Transfer(target, "R squared" if ranked else "accuracy", scores[0], scores[1], plain)


def accuracy(x: Array, y: Ints, seen: Array, truth: Ints) -> float:
    """The share of rows whose class is told right.

    Outside: of private rows it is private.
    """
    classes = np.unique(y)
    signs = np.where(y[:, None] == classes, 1.0, -1.0)
    return float((classes[predict(fit(x, signs, ALPHA), seen).argmax(axis=1)] == truth).mean())


def r_squared(x: Array, y: Ints, seen: Array, truth: Ints) -> float:
    """1 - (squared misses) / (squared distances from the mean); 0 is as good as the mean.

    Outside: of private rows it is private.
    """
    missed = ((truth - predict(fit(x, y[:, None].astype(np.float64), ALPHA), seen).ravel()) ** 2).sum()
    spread = ((truth - truth.mean()) ** 2).sum()
    return float(1 - missed / spread) if spread > 0 else 0.0


def fit(x: Array, y: Array, alpha: float) -> Line:
    """Ridge regression, the intercept free.

    Outside: of private rows it is private.
    """
    centre, level = x.mean(axis=0), y.mean(axis=0)
    moved = x - centre
    square = moved.T @ moved + alpha * np.eye(x.shape[1])
    weights = np.linalg.solve(square, moved.T @ (y - level))
    return Line(weights, level - centre @ weights)


def predict(line: Line, x: Array) -> Array:
    """What the model says about rows.

    Outside: of private rows it is private.
    """
    return np.asarray(x @ line.weights + line.shift)
