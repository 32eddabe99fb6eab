"""One run: what a single training run certifies, from many canaries at once (Steinke, Nasr, Jagielski 2023).

Math.  m canaries are each put in by a fair coin. From the output the auditor guesses r of them, and v guesses are right. If the
mechanism is (epsilon, delta)-private, then with q = e^epsilon / (1 + e^epsilon)

    P[v or more right]  <=  P[Bin(r, q) >= v]  +  2 m delta max over i of  P[v > Bin(r, q) >= v - i] / i

and epsilon is refuted where the right side is below 1 - confidence. Every canary is one unit under add-remove. The run is
made on a copy of the stand-in with the canaries in it, never on the private rows.

>>> f"{epsilon_of_guesses(100, 100, 100, 1e-6):.2f} {epsilon_of_guesses(1000, 1000, 600, 1e-6):.3f}"
'3.49 0.297'
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, expit

from understudy.learn.private import Descent
from understudy.noise.entropy import Entropy

MOST_EPSILON = 50.0


def epsilon_of_guesses(canaries: int, guesses: int, right: int, delta: float, confidence: float = 0.95) -> float:
    """The largest epsilon that so many right guesses refute, by bisection; 0 where they refute nothing."""

    def refuted(epsilon: float) -> bool:
        return chance(canaries, guesses, right, delta, epsilon) <= 1 - confidence

    if right <= guesses / 2 or not refuted(0.0):
        return 0.0
    low, high = 0.0, MOST_EPSILON
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def chance(canaries: int, guesses: int, right: int, delta: float, epsilon: float) -> float:
    """An upper bound on P[so many right guesses] under (epsilon, delta)."""
    q = float(expit(epsilon))
    # at_least[j] = P[Bin >= right - j] for j = 0, 1, ..., right
    steps = np.arange(1, right + 1) if delta else np.arange(0)
    at_least = tails(right - np.concatenate([[0], steps]), guesses, q)
    slack = ((at_least[1:] - at_least[0]) / steps).max(initial=0.0)
    return float(min(1.0, at_least[0] + 2 * canaries * delta * slack))


def tails(least: NDArray[np.int64], guesses: int, q: float) -> NDArray[np.float64]:
    """P[Bin(guesses, q) >= least]."""
    return np.asarray(np.where(least <= 0, 1.0, bdtr(guesses - np.maximum(least, 0), guesses, 1 - q)))


def guess(scores: ArrayLike, inside: ArrayLike, guesses: int) -> int:
    """How many are right when the highest scores are called in and the lowest out."""
    order, truth = np.argsort(scores), np.asarray(inside, dtype=np.bool_)
    half = guesses // 2
    return int((~truth[order[:half]]).sum() + truth[order[len(order) - half :]].sum())


def audit_descent(
    estimator: Descent, x: NDArray[Any], y: NDArray[Any], canaries: int, entropy: Entropy, confidence: float = 0.95
) -> float:
    """A lower bound on the epsilon of private descent, from one fit.

    Each canary has a feature of its own, at the bound, and a label that the model does not expect; so in every gradient on the
    tape one coordinate is its own push, or noise alone. The auditor adds these coordinates up.
    """
    rng = np.random.default_rng(0)
    inside = rng.random(canaries) < 0.5
    features = np.zeros((len(x) + int(inside.sum()), x.shape[1] + canaries))
    features[: len(x), : x.shape[1]] = x
    places = x.shape[1] + np.flatnonzero(inside)
    features[np.arange(len(x), len(features)), places] = float(estimator.x_bound)
    label = estimator.classes[1] if hasattr(estimator, "classes") else float(estimator.y_bound)  # type: ignore[attr-defined]
    targets = np.concatenate([y, np.full(int(inside.sum()), label)])
    estimator.learn(features, targets, entropy)
    pushes = np.zeros(canaries)
    first = int(estimator.intercept) + x.shape[1]
    for entry in estimator.tape_.of("linear_gradient"):
        assert isinstance(entry.answer, np.ndarray)
        outputs = int(entry.question["frame"]["outputs"])
        pushes -= entry.answer.reshape(-1, outputs)[first:, -1 if outputs == 1 else 1]
    right = guess(pushes, inside, canaries)
    return epsilon_of_guesses(canaries, 2 * (canaries // 2), right, float(estimator.delta), confidence)
