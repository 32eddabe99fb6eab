"""A small convolutional network, to see what pictures teach: two strided convolutions, a hidden layer, ten classes.

5 x 5 x 16, stride 2  ->  5 x 5 x 32, stride 2  ->  128  ->  10      Adam, cosine decay, batches of 128
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

EPOCHS, BATCH, RATE = 3, 128, 1e-3
SHAPES = {"first": (5, 5, 1, 16), "second": (5, 5, 16, 32), "hidden": (7 * 7 * 32, 128), "last": (128, 10)}


def untrained(seed: int) -> dict[str, Any]:
    """Weights of the size that keeps variances, and no bias."""
    keys = jax.random.split(jax.random.PRNGKey(seed), len(SHAPES))
    made = {}
    for key, (name, shape) in zip(keys, SHAPES.items(), strict=True):
        made[name] = jax.random.normal(key, shape, jnp.float32) * np.float32(np.sqrt(2 / np.prod(shape[:-1])))
        made[f"{name} bias"] = jnp.zeros(shape[-1], jnp.float32)
    return made


def scores(weights: dict[str, Any], x: Any) -> Any:
    """A score for each class."""
    for name in ("first", "second"):
        x = jax.lax.conv_general_dilated(x, weights[name], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x + weights[f"{name} bias"])
    x = jax.nn.relu(x.reshape(len(x), -1) @ weights["hidden"] + weights["hidden bias"])
    return x @ weights["last"] + weights["last bias"]


def accuracy(x: np.ndarray, y: np.ndarray, test: np.ndarray, truth: np.ndarray, seed: int) -> float:
    """Trained on one set of pictures, tested on another."""
    x, test = (np.asarray(pictures, np.float32).reshape(-1, 28, 28, 1) for pictures in (x, test))
    weights = untrained(seed)
    steps = EPOCHS * (len(x) // BATCH)
    adam = optax.adam(optax.cosine_decay_schedule(RATE, steps))
    state = adam.init(weights)

    def loss(weights: dict[str, Any], x: Any, y: Any) -> Any:
        return optax.softmax_cross_entropy_with_integer_labels(scores(weights, x), y).mean()

    @jax.jit
    def step(weights: Any, state: Any, x: Any, y: Any) -> tuple[Any, Any]:
        moved, state = adam.update(jax.grad(loss)(weights, x, y), state)
        return optax.apply_updates(weights, moved), state

    rng = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        order = rng.permutation(len(x))
        for start in range(0, len(x) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            weights, state = step(weights, state, x[batch], y[batch].astype(np.int32))
    seen = jax.jit(scores)
    said = [np.asarray(seen(weights, test[i : i + 1000])).argmax(axis=1) for i in range(0, len(test), 1000)]
    return float((np.concatenate(said) == truth).mean())
