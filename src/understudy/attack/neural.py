"""The neural attack: a small network that learned, on shadow models, what members look like.

    black box   the sorted probabilities, the true class's probability, the loss, whether the prediction is right
    white box   besides: the heights (a linear model's activations), the residual, and the norm of the person's own gradient

The network has one hidden layer of tanh and is trained by Adam on the logistic loss. It sees shadow models only; the target
model is judged by it and never teaches it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.attack.metrics import chances, correctness, loss
from understudy.attack.shadow import Shadows

Floats = NDArray[np.float64]
Look = Callable[[Any, NDArray[Any], NDArray[Any]], Floats]
HIDDEN, EPOCHS, BATCH, RATE = 16, 60, 128, 0.01


def black_box(model: Any, x: NDArray[Any], y: NDArray[Any]) -> Floats:
    """What the answers show."""
    if not hasattr(model, "predict_proba"):
        return np.column_stack([loss(model, x, y), np.sqrt(-loss(model, x, y))])
    p, _ = chances(model, x, y)
    return np.column_stack([np.sort(p, axis=1), loss(model, x, y), np.exp(loss(model, x, y)), correctness(model, x, y)])


def white_box(model: Any, x: NDArray[Any], y: NDArray[Any]) -> Floats:
    """What the weights show besides: activations, and the gradient of the person's own loss."""
    heights = model.heights(x)
    if hasattr(model, "predict_proba"):
        p, place = chances(model, x, y)
        residual = p - (np.arange(p.shape[1])[None, :] == place[:, None])
    else:
        residual = heights - np.asarray(y, dtype=np.float64)[:, None]
    size = np.linalg.norm(residual, axis=1)
    gradient = size * np.sqrt(1 + (np.asarray(x, dtype=np.float64) ** 2).sum(axis=1))
    return np.column_stack([black_box(model, x, y), heights, residual, size, gradient])


@dataclass(frozen=True, eq=False)
class Judge:
    """A trained network, with the scales of what it looks at."""

    look: Look
    mean: Floats
    scale: Floats
    weights: tuple[Floats, ...]

    def scores(self, model: Any, x: NDArray[Any], y: NDArray[Any]) -> Floats:
        """How much like a member each person looks."""
        return forward((self.look(model, x, y) - self.mean) / self.scale, self.weights)[1]


def judge(look: Look, x: NDArray[Any], y: NDArray[Any], trained: Shadows, rng: np.random.Generator) -> Judge:
    """Train the network on every person's looks under every shadow model."""
    seen = np.concatenate([look(model, x, y) for model in trained.models])
    member = trained.inside.ravel().astype(np.float64)
    mean, scale = seen.mean(axis=0), seen.std(axis=0) + 1e-9
    return Judge(look, mean, scale, train((seen - mean) / scale, member, rng))


def forward(z: Floats, weights: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Hidden layer and height."""
    w1, b1, w2, b2 = weights
    hidden = np.tanh(z @ w1 + b1)
    return hidden, hidden @ w2 + b2[0]


def train(z: Floats, member: Floats, rng: np.random.Generator) -> tuple[Floats, ...]:
    """Adam on the logistic loss."""
    width = z.shape[1]
    weights: list[Floats] = [
        rng.normal(0, 1 / np.sqrt(width), (width, HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN),
        np.zeros(1),
    ]
    first, second, step = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights], 0
    for _ in range(max(1, min(EPOCHS, 400_000 // max(len(z), 1)))):
        for chosen in np.array_split(rng.permutation(len(z)), max(1, len(z) // BATCH)):
            step += 1
            hidden, height = forward(z[chosen], tuple(weights))
            off = (0.5 * (1 + np.tanh(height / 2)) - member[chosen]) / len(chosen)
            back = off[:, None] * weights[2][None, :] * (1 - hidden**2)
            for i, g in enumerate((z[chosen].T @ back, back.sum(axis=0), hidden.T @ off, off.sum(keepdims=True))):
                first[i] = 0.9 * first[i] + 0.1 * g
                second[i] = 0.999 * second[i] + 0.001 * g**2
                ahead = first[i] / (1 - 0.9**step)
                weights[i] = weights[i] - RATE * ahead / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
    return tuple(weights)
