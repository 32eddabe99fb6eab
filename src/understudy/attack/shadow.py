"""Shadow models: what the enemy trains himself, on people of the same population whose membership he chose.

    world      everybody the enemy has: half of them, by fair coins, train each shadow model
    inside     which of them trained which model (models x people)

The same learner, its private noise included, gives the enemy the law of a model's answers with and without a person.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Learner = Callable[[Array, Array, int], Any]  # features, labels, number of the model -> a fitted model


@dataclass(frozen=True, eq=False)
class Shadows:
    """Models, and who was in each."""

    models: tuple[Any, ...]
    inside: NDArray[np.bool_]


def shadows(learner: Learner, x: Array, y: Array, many: int, rng: np.random.Generator) -> Shadows:
    """Train shadow models, each person in each by a coin."""
    inside = rng.random((many, len(x))) < 0.5
    return Shadows(tuple(learner(x[row], y[row], i) for i, row in enumerate(inside)), inside)
