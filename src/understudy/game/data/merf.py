"""Merf: a generator network for each table, trained until its rows have the mean random features that were measured (DP-MERF).

    h_1 = relu(z A_1 + a_1 + class),   h_2 = relu(h_1 A_2 + a_2),   x = squash(h_2 A_3 + a_3)
    loss = sum_c (n_c / n) | mean of phi over the generator's rows of class c  -  S_c / n_c |^2

phi are the waves of the question (`question/lift.py`), S_c the noisy sums. squash is a sigmoid for numbers and pixels, and a
softmax for the cells of a list, which a row's cell is drawn from. One private look; the training is post-processing and draws
from the tape's coin.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.drawn import Drawn
from understudy.game.data.product import systematic
from understudy.game.data.rows import joined
from understudy.game.jax import load
from understudy.game.moments import Estimate, answer_of
from understudy.game.player import GUESSES, Codes, Details, Forecast, Model, coin_of, refuse_impossible
from understudy.game.space import Space
from understudy.game.waves import FREQUENCIES, frequencies
from understudy.question.lift import AMPLITUDE, PERIOD
from understudy.schema.column import Image, Moment, Number
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

LATENT, HIDDEN = 10, 200
STEPS, RATE = 500, 3e-3
ROWS = 500  # of all classes together, at each step
LAYERS = ("first", "of_class", "second", "second_bias", "last", "last_bias")
BLOCK = 4096

Array = NDArray[np.float64]
Small = NDArray[np.float32]
Weights = dict[str, Any]


@GUESSES.add("merf")
@dataclass(frozen=True, eq=False)
class Merf(Drawn):
    """Class shares and cells (G), and the generator's weights."""

    weights: Array
    cells: NDArray[np.int64]
    layers: dict[str, Small]

    kind: ClassVar[str] = "merf"

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows: the classes by a comb over their shares, in any order."""
        of = rng.permutation(systematic(self.weights, n, rng))
        parts = [self.block(of[start : start + BLOCK], rng) for start in range(0, max(n, 1), BLOCK)]
        codes, details = joined([part for part, _ in parts]), joined([finer for _, finer in parts])
        if self.label:
            codes[self.label] = self.cells[of]
        return {name: codes[name] for name in self.schema.domain}, details

    def block(self, of: NDArray[np.int64], rng: np.random.Generator) -> tuple[Codes, Details]:
        """A row of each class that is named."""
        space = Space.of(self.schema, self.label or None)
        z = rng.standard_normal((len(of), LATENT), dtype=np.float32)
        heights = forward(np, self.layers, z, self.layers["of_class"][of])
        vectors = np.empty(heights.shape)
        starts = np.cumsum([0, *space.widths])
        for column, start, wide in zip(space.columns, starts, space.widths, strict=False):
            part = slice(start, start + wide)
            if isinstance(column, Number | Moment | Image):
                vectors[:, part] = 1 / (1 + np.exp(-heights[:, part]))
            else:
                # the largest of heights with Gumbel noise is drawn from their softmax
                vectors[:, part] = heights[:, part] + rng.gumbel(size=(len(of), wide))
        return space.values(vectors)

    def of_class(self, cell: int) -> "Merf":
        """That class alone."""
        weights = np.where(self.cells == cell, self.weights, 0)
        refuse_impossible(float(weights.sum()))
        return Merf(self.schema, self.label, weights / weights.sum(), self.cells, self.layers)

    def model(self) -> Model:
        return {"label": self.label}, {"weights": self.weights, "cells": self.cells} | self.layers

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Merf":
        """The guess of a model file."""
        layers = {name: arrays[name] for name in LAYERS}
        return Merf(schema, str(words["label"]), arrays["weights"], arrays["cells"], layers)


def forward(numpy: Any, layers: Weights, z: Any, of_class: Any) -> Any:
    """Heights of the coordinates."""
    h = numpy.maximum(z @ layers["first"] + of_class, 0)
    h = numpy.maximum(h @ layers["second"] + layers["second_bias"], 0)
    return h @ layers["last"] + layers["last_bias"]


def untrained(p: int, classes: int, rng: np.random.Generator) -> dict[str, Small]:
    """Weights of the size that keeps variances."""

    def matrix(rows: int, columns: int, gain: float) -> Small:
        return np.asarray(rng.normal(scale=gain / rows**0.5, size=(rows, columns)), dtype=np.float32)

    return {
        "first": matrix(LATENT, HIDDEN, 2**0.5),
        "of_class": np.asarray(rng.normal(size=(classes, HIDDEN)), dtype=np.float32),
        "second": matrix(HIDDEN, HIDDEN, 2**0.5),
        "second_bias": np.zeros(HIDDEN, dtype=np.float32),
        "last": matrix(HIDDEN, p, 1.0),
        "last_bias": np.zeros(p, dtype=np.float32),
    }


@dataclass
class MerfPlayer:
    """Trains the generator once the features are on the tape."""

    estimate: Estimate
    _fitted: tuple[int, Merf] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A forward and a backward pass a step, through the network and the waves."""
        p = self.estimate.space.dimension
        products = ROWS * (p * (HIDDEN + FREQUENCIES) + HIDDEN**2)
        return Forecast(500 + 40 * p * (HIDDEN + FREQUENCIES) / 1e6, 4 + STEPS * 6 * products / 3e10)

    def fit(self, tape: Tape, schema: Schema) -> Merf:
        """The generator of the tape so far; untrained before the features are asked."""
        done = len(tape.of("mean_features"))
        if self._fitted is None or self._fitted[0] != done:
            self._fitted = done, self.generator(tape)
        return self._fitted[1]

    def generator(self, tape: Tape) -> Merf:
        """Trained where there is something to learn from."""
        estimate = self.estimate
        asked = tape.of("mean_features")
        layers = untrained(estimate.space.dimension, estimate.classes, coin_of(tape, "generator"))
        sizes = estimate.sizes(tape) if asked else np.ones(estimate.classes)
        if asked:
            sums = answer_of(asked[0]).reshape(estimate.classes, -1)
            goal = sums / sizes[:, None] / AMPLITUDE
            layers = trained(estimate, layers, frequencies(tape, estimate), goal, sizes / sizes.sum(), tape)
        return Merf(estimate.schema, estimate.label, sizes / sizes.sum(), np.arange(len(sizes)), layers)


def trained(
    estimate: Estimate, layers: dict[str, Small], steps: NDArray[np.int64], goal: Array, shares: Array, tape: Tape
) -> dict[str, Small]:
    """Adam on the loss; the same number of rows of each class at every step."""
    jax = load()
    import optax

    numpy, space = jax.numpy, estimate.space
    each = max(ROWS // len(shares), 20)
    of = np.repeat(np.arange(len(shares)), each)
    turns = np.asarray(2 * np.pi * steps / PERIOD, dtype=np.float32)
    wanted, weight = np.asarray(goal, dtype=np.float32), np.asarray(shares, dtype=np.float32)
    starts = np.cumsum([0, *space.widths])
    spans = [(c, int(s), int(s) + w) for c, s, w in zip(space.columns, starts, space.widths, strict=False)]

    def squashed(heights: Any) -> Any:
        parts = [
            (jax.nn.sigmoid if isinstance(column, Number | Moment | Image) else jax.nn.softmax)(heights[:, a:b])
            for column, a, b in spans
        ]
        return numpy.concatenate(parts, axis=1)

    def loss(layers: Weights, z: Any) -> Any:
        x = squashed(forward(numpy, layers, z, layers["of_class"][of]))
        angle = x @ turns
        phi = numpy.concatenate([numpy.cos(angle), numpy.sin(angle)], axis=1)
        means = phi.reshape(len(shares), each, -1).mean(axis=1)
        return (weight[:, None] * (means - wanted) ** 2).sum()

    adam = optax.adam(optax.cosine_decay_schedule(RATE, STEPS))

    @jax.jit  # type: ignore[untyped-decorator]
    def step(layers: Weights, state: Any, z: Any) -> tuple[Weights, Any]:
        moved, state = adam.update(jax.grad(loss)(layers, z), state)
        return optax.apply_updates(layers, moved), state

    rng, state = coin_of(tape, "training"), adam.init(layers)
    now: Weights = dict(layers)
    for _ in range(STEPS):
        now, state = step(now, state, rng.standard_normal((len(of), LATENT), dtype=np.float32))
    return {name: np.asarray(value, dtype=np.float32) for name, value in now.items()}
