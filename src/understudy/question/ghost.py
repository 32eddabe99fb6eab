"""Ghost norms: the sum of clipped per-row gradients, without a gradient for each row.

    answer = sum_i s_i g_i,     s_i = min(1, C / ||g_i||),     g_i = the gradient of row i's loss in all weights

One pass forward keeps each layer's inputs a_i, one pass back the derivatives b_i of row i's loss in its outputs. Then

    Dense   g_i = a_i^T b_i and b_i:                ||g_i||^2 = (||a_i||^2 + 1) ||b_i||^2,    sum = A^T (s B)
    Conv    g_i = P_i^T B_i over L patches, and the sum of B_i. Whichever is less work:
              made      the K x c matrix P_i^T B_i itself: its norm, and then the sum, are read off
              by Grams  ||g_i||^2 = sum_{l,m} (P_i P_i^T)_lm (B_i B_i^T)_lm, then the sum as one product over all rows

so a private step does the work of a plain one, and little more. A critic with a layer that has no such form (Scale) goes
through `by_rows`, which makes every gradient, a few rows at a time; it is also what tests compare with.

A row whose gradient is not finite counts as zero, before anything is added up. Rows that pad a batch count as zero too.
"""

from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.question import jax as lazy
from understudy.question.critic import Conv, Critic, Dense, Scale, apply, convolve, flat, losses, patches, scores

Floats = NDArray[np.floating[Any]]
CHUNK, CONV_CHUNK, BY_ROWS = 256, 32, 16  # rows that are looked at together


def chunk_of(critic: Critic) -> int:
    """How many rows are looked at together: a public number, so that one program serves every batch."""
    if any(isinstance(layer, Scale) for layer in critic.layers):
        return BY_ROWS
    return CONV_CHUNK if any(isinstance(layer, Conv) for layer in critic.layers) else CHUNK


def clipped_sum(critic: Critic, loss: str, weights: Any, rows: Floats, clip: float) -> tuple[NDArray[np.float64], int]:
    """The sum of the clipped gradients as one vector, and how many were within the clip."""
    program = compiled(critic, loss)
    total, within, chunk = np.zeros(critic.parameters), 0, chunk_of(critic)
    for start in range(0, len(rows), chunk):
        part = np.zeros((chunk, prod(critic.inputs)), dtype=np.float32)
        here = rows[start : start + chunk]
        part[: len(here)] = here
        summed, small = program(weights, part, np.arange(chunk) < len(here), np.float32(clip))
        total += np.asarray(summed, dtype=np.float64)
        within += int(small)
    return total, within


@cache
def compiled(critic: Critic, loss: str) -> Any:
    """The program for one chunk: (weights, rows, which of them are there, clip) -> (sum, how many within the clip)."""
    jax = lazy.load()
    make = by_rows if any(isinstance(layer, Scale) for layer in critic.layers) else by_ghosts
    return jax.jit(lambda weights, rows, there, clip: make(jax, critic, loss, weights, rows, there, clip))


def by_ghosts(jax: Any, critic: Critic, loss: str, weights: Any, rows: Any, there: Any, clip: Any) -> Any:
    """By the closed forms."""
    jnp = jax.numpy
    taps = tuple(jnp.zeros((len(rows), *shape), dtype=rows.dtype) for shape in critic.between[1:])

    def forward(taps: Any) -> tuple[Any, Any]:
        h, inputs = rows.reshape(-1, *critic.inputs), []
        for layer, of_layer, tap in zip(critic.layers, weights, taps, strict=True):
            inputs.append(h)
            h = apply(jax, layer, of_layer, h)
            h = h + tap if of_layer else h
        return losses(jax, loss, h[:, 0]).sum(), inputs

    # the loss of a row depends on that row alone, so the derivative of the sum in its taps is the row's own
    backs, inputs = jax.grad(forward, has_aux=True)(taps)
    parts = [
        dense(jnp, a, b) if isinstance(layer, Dense) else conv(jax, layer, a, b)
        for layer, a, b in zip(critic.layers, inputs, backs, strict=True)
        if isinstance(layer, Dense | Conv)
    ]
    square = sum(part[0] for part in parts)
    scale, fine, small = clipping(jnp, square, there, clip)
    return jnp.concatenate([part for _, weighted in parts for part in weighted(scale, fine)]), small


def clipping(jnp: Any, square: Any, there: Any, clip: Any) -> tuple[Any, Any, Any]:
    """s_i of every row, which rows count at all, and how many lie within the clip."""
    fine = there & jnp.isfinite(square)
    norm = jnp.sqrt(jnp.where(fine, square, 0))
    # s = min(1, C / ||g||), and 0 where the row does not count
    scale = jnp.where(fine, jnp.minimum(1, clip / jnp.maximum(norm, clip * 1e-6)), 0)
    return scale.astype(jnp.float32), fine, (fine & (norm <= clip)).sum()


def dense(jnp: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """A dense layer: the squared norms, and the sum at given scales."""
    a = a.reshape(len(a), -1)

    def weighted(scale: Any, fine: Any) -> tuple[Any, Any]:
        # a factor of 0 does not silence what is not finite: such rows are taken out
        scaled = jnp.where(fine[:, None], b, 0) * scale[:, None]
        return (jnp.where(fine[:, None], a, 0).T @ scaled).ravel(), scaled.sum(0)

    return ((a**2).sum(1) + 1) * (b**2).sum(1), weighted


def conv(jax: Any, layer: Conv, a: Any, backs: Any) -> tuple[Any, Any]:
    """A convolution: the squared norms, and the sum at given scales."""
    jnp = jax.numpy
    cut = patches(jnp, layer, a)
    cut = cut.reshape(len(a), -1, cut.shape[-1])
    b = backs.reshape(len(backs), -1, layer.channels)
    shift = b.sum(1)
    places, wide, outputs = cut.shape[1], cut.shape[2], layer.channels
    if places * (wide + outputs) < wide * outputs:
        square = ((cut @ cut.swapaxes(1, 2)) * (b @ b.swapaxes(1, 2))).sum((1, 2))

        def summed(scale: Any, fine: Any) -> Any:
            there = fine[:, None, None, None]
            scaled = jnp.where(there, backs, 0) * scale[:, None, None, None]
            kept, start = jnp.where(there, a, 0), jnp.zeros((wide, outputs), dtype=a.dtype)
            return jax.vjp(lambda matrix: convolve(jax, layer, kept, matrix), start)[1](scaled)[0]
    else:
        made = cut.swapaxes(1, 2) @ b
        square = (made**2).sum((1, 2))

        def summed(scale: Any, fine: Any) -> Any:
            return jnp.tensordot(scale, jnp.where(fine[:, None, None], made, 0), axes=1)

    def weighted(scale: Any, fine: Any) -> tuple[Any, Any]:
        return summed(scale, fine).ravel(), scale @ jnp.where(fine[:, None], shift, 0)

    return square + (shift**2).sum(1), weighted


def by_rows(jax: Any, critic: Critic, loss: str, weights: Any, rows: Any, there: Any, clip: Any) -> Any:
    """By making every gradient."""
    jnp = jax.numpy

    def of_row(weights: Any, row: Any) -> Any:
        return losses(jax, loss, scores(jax, critic, weights, row[None]))[0]

    each = jax.vmap(lambda row: flat(jax, jax.grad(of_row)(weights, row)))(rows)
    scale, fine, small = clipping(jnp, (each**2).sum(1), there, clip)
    return scale @ jnp.where(fine[:, None], each, 0), small
