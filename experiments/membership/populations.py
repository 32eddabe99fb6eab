"""The populations of document 001's chapter 4, the public facts that the learners are told, and the learners."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.learn.plain import PlainClassifier, PlainRegressor
from understudy.learn.private import DescentClassifier, DescentRegressor, SparseClassifier, SparseRegressor

DELTA = "1e-5"
SPARSE = {"steps": 30}
SGD = {"steps": 60, "sample": "1/5"}  # each step sees each person by a coin


@dataclass(frozen=True)
class Task:
    """A population, and the public facts by which both learners are told to fit it."""

    name: str
    x: np.ndarray
    y: np.ndarray
    fresh_x: np.ndarray
    fresh_y: np.ndarray
    classes: tuple[int, ...]
    radius: float
    ball: float  # the radius in the Euclidean norm
    wide: float  # the bound of a feature; the norm's is wide sqrt(p)

    def learner(self, kind: str, epsilon: float | None) -> Any:
        """An estimator: DP Frank-Wolfe or DP-SGD, or its exact twin."""
        norm = self.wide * math.sqrt(self.x.shape[1])
        bound = self.wide if kind == "frank-wolfe" else norm
        radius = self.radius if kind == "frank-wolfe" else self.ball
        labels: dict[str, Any] = {"classes": self.classes} if self.classes else {}
        if epsilon is None:
            plain = PlainClassifier if self.classes else PlainRegressor
            constraint = "l1" if kind == "frank-wolfe" else "l2"
            return plain(x_bound=bound, radius=radius, constraint=constraint, steps=300, **labels)
        labels = labels or {"y_bound": 3.0, "residual_bound": 2.0}
        path = SPARSE if kind == "frank-wolfe" else SGD
        families = {
            "frank-wolfe": (SparseClassifier, SparseRegressor),
            "dp-sgd": (DescentClassifier, DescentRegressor),
        }
        made = families[kind][0 if self.classes else 1]
        return made(epsilon=epsilon, delta=DELTA, x_bound=bound, radius=radius, **path, **labels)


def regression(people: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.1: ten features, noise of a tenth; ||w||_1 = 2.4 is below the public radius."""
    x = rng.uniform(-1, 1, (people, 10))
    w = np.array([0.8, -0.6, 0.4, 0.3, -0.2, 0.1, 0, 0, 0, 0])
    return x, x @ w + rng.normal(0, 0.1, people)


def boxes(people: int, classes: int, p: int, overlap: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.2, 4.4: each class uniform in a box of side 1, moved so that neighbours overlap; centred by a public shift."""
    y = rng.integers(0, classes, people)
    middle = (classes - 1) * (1 - overlap) / 2
    return rng.uniform(-0.5, 0.5, (people, p)) + (y * (1 - overlap) - middle)[:, None], y


def corners(people: int, overlap: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.4: three classes in the plane, at the corners of a triangle."""
    y = rng.integers(0, 3, people)
    centre = (1 - overlap) * np.array([[-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]])
    return rng.uniform(-0.5, 0.5, (people, 2)) + centre[y], y


def noisy(people: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Fewer people than features, and labels that are half chance: a model that fits them has learnt the people."""
    x = rng.uniform(-1, 1, (people, 150))
    return x, (x[:, 0] + rng.normal(0, 0.7, people) > 0).astype(int)


def tasks() -> list[Task]:
    """The three of the document, one more overlapping, and one that overfits."""
    made = {
        "lasso (N = 1000, p = 10)": (lambda n, r: regression(n, r), 1000, (), 2.4, 3.7, 1.0),
        "logistic (N = 300, p = 10, overlap 20 %)": (
            lambda n, r: boxes(n, 2, 10, 0.2, r),
            300,
            (0, 1),
            20.0,
            20.0,
            0.9,
        ),
        "logistic (N = 300, p = 10, overlap 60 %)": (
            lambda n, r: boxes(n, 2, 10, 0.6, r),
            300,
            (0, 1),
            20.0,
            20.0,
            0.7,
        ),
        "multinomial (N = 300, p = 2, k = 3)": (lambda n, r: corners(n, 0.1, r), 300, (0, 1, 2), 30.0, 30.0, 1.0),
        "overfitted (N = 100, p = 150)": (noisy, 100, (0, 1), 200.0, 200.0, 1.0),
    }
    found = []
    for i, (name, (draw, n, classes, radius, ball, wide)) in enumerate(made.items()):
        rng = np.random.default_rng(i)
        (x, y), (fresh_x, fresh_y) = draw(2 * n, rng), draw(2_000, rng)
        found.append(Task(name, x, y, fresh_x, fresh_y, classes, radius, ball, wide))
    return found
