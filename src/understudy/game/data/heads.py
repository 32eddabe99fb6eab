"""Heads: how the last numbers of a generator network become the coordinates of a row.

| column           | the generator's numbers r            | coordinates                                                    |
|------------------|--------------------------------------|----------------------------------------------------------------|
| list or boolean  | one for each cell                    | 1 in the cell argmax(r + Gumbel noise), 0 elsewhere            |
| number or moment | one; one more where it can be missing | sigmoid(r), to the nearest tick; 1/2 where it is missing      |
| place            | two, as two numbers that are missing together | the same                                              |
| picture          | one for each pixel                   | sigmoid(r)                                                     |
| by its cells     | one for each cell                    | as a list, whatever the column is                              |

Law.  What a critic is shown is what is released: choices are made and ticks are rounded before it looks. A derivative
passes by them as if they were soft: softmax((r + noise) / T) for choices, the unrounded number for ticks (straight through).
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from understudy.schema.column import Column, Image, Moment, Number
from understudy.schema.coordinates import width
from understudy.schema.pair import Place

TEMPERATURE = 0.66


@dataclass(frozen=True)
class Head:
    """One column: what it is shown as, its coordinates, and of its numbers the steps from the lowest to the highest."""

    name: str
    kind: str  # "cells", "number" or "picture"
    width: int
    steps: tuple[int, ...] = ()


def head_of(column: Column, by_cells: bool) -> Head:
    """The head of a column."""
    if isinstance(column, Image):
        return Head(column.name, "picture", width(column))
    if isinstance(column, Number | Moment | Place) and not by_cells:
        grids = [side.grid for side in column.sides] if isinstance(column, Place) else [column.grid]
        return Head(column.name, "number", width(column), tuple(max(grid.high - grid.low, 1) for grid in grids))
    return Head(column.name, "cells", column.size)


def shown(jax: Any, heads: tuple[Head, ...], raw: Any, key: Any) -> Any:
    """The coordinates of a batch of rows, as a critic sees them."""
    ends = list(accumulate(head.width for head in heads))
    pieces = [raw[:, end - head.width : end] for head, end in zip(heads, ends, strict=True)]
    coordinates = [
        KINDS[head.kind](jax, head, piece, jax.random.fold_in(key, place))
        for place, (head, piece) in enumerate(zip(heads, pieces, strict=True))
    ]
    return jax.numpy.concatenate(coordinates, axis=1)


def cells(jax: Any, head: Head, raw: Any, key: Any) -> Any:
    """A choice of one cell."""
    heights = raw + jax.random.gumbel(key, raw.shape, raw.dtype)
    hard = jax.nn.one_hot(heights.argmax(axis=1), head.width, dtype=raw.dtype)
    return through(jax, hard, jax.nn.softmax(heights / TEMPERATURE))


def number(jax: Any, head: Head, raw: Any, key: Any) -> Any:
    """A tick between the bounds, or two, and whether it is missing."""
    jnp, axes, steps = jax.numpy, len(head.steps), jax.numpy.array(head.steps, dtype=raw.dtype)
    value = jax.nn.sigmoid(raw[:, :axes])
    value = through(jax, jnp.rint(value * steps) / steps, value)
    if head.width == axes:
        return value
    heights = raw[:, axes:] + jax.random.logistic(key, raw[:, axes:].shape, raw.dtype)
    absent = through(jax, (heights > 0).astype(raw.dtype), jax.nn.sigmoid(heights / TEMPERATURE))
    return jnp.concatenate([(1 - absent) * value + absent / 2, absent], axis=1)


def picture(jax: Any, head: Head, raw: Any, key: Any) -> Any:
    """A level for each pixel."""
    return jax.nn.sigmoid(raw)


KINDS = {"cells": cells, "number": number, "picture": picture}


def through(jax: Any, hard: Any, soft: Any) -> Any:
    """The hard value, with the derivative of the soft one."""
    return hard + soft - jax.lax.stop_gradient(soft)
