"""A frame: how examples (x, y) are put on a grid of whole numbers, and what a linear model's loss makes of them.

Math.  Every x is clipped to a public bound B and cut to whole numbers of at most X = 2^14, toward zero:

    cube   |x_j| <= B for every feature          so   |x_j| <= X
    ball   ||x||_2 <= B                          so   ||x||_2^2 <= X^2

and, with an intercept, X is put before it. A public model w of whole numbers gives heights z = <w, x>, and the loss gives a
residual c of whole numbers of at most C = 2^12, one for each output:

    squared      c = clip((z - y) / D, -1, 1) C                 D the public bound of the residual, y clipped to a public bound
    logistic     c = (sigmoid(z) - [y = 1]) C                   one output, two classes
    multinomial  c_k = (softmax(z)_k - [y = k]) C               one output a class

The gradient of one example is c_k x_j. All of it is whole-number arithmetic and public tables of exp, so a row's gradient is
the same wherever it stands, and a sum of gradients has no rounding: what is declared of them is true to the last digit.

    |c_k| <= C,   sum over k of c_k^2 <= C^2 (one output) or 2 C^2 (multinomial),   sum over k of |c_k| <= C or 2 C

A label that is none of the classes counts as nothing, a feature or a target that is no number as 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from understudy.question.rows import Rows
from understudy.refusal import Misuse

Ints = NDArray[np.int64]

X_BITS, C_BITS, W_BITS = 14, 12, 18  # of features, residuals, and the model's weights
X, C, W = 1 << X_BITS, 1 << C_BITS, 1 << W_BITS
HEIGHT_BITS = 10  # of the grid on which exp is tabled
STEEPEST = 16 * 2**HEIGHT_BITS  # beyond a height of 16 the tables end
TO_TABLE = X_BITS + W_BITS - HEIGHT_BITS
GEOMETRIES, LOSSES = ("cube", "ball"), ("squared", "logistic", "multinomial")

GRID = np.arange(-STEEPEST, STEEPEST + 1) / 2**HEIGHT_BITS
SIGMOID: Ints = np.rint(C / (1 + np.exp(-GRID))).astype(np.int64)
DECAY: Ints = np.rint(np.exp(-np.arange(STEEPEST + 1) / 2**HEIGHT_BITS) * 2**20).astype(np.int64)


@dataclass(frozen=True)
class Frame:
    """The public facts by which examples were sealed."""

    geometry: str
    loss: str
    features: int
    outputs: int
    intercept: int

    def __post_init__(self) -> None:
        if self.geometry not in GEOMETRIES or self.loss not in LOSSES:
            raise Misuse("examples are framed by a cube or a ball, and a known loss", f"take one of {LOSSES}")
        wanted = self.outputs >= 2 if self.loss == "multinomial" else self.outputs == 1
        if self.features < 1 or self.intercept not in (0, 1) or not wanted:
            raise Misuse("a frame has features, and as many outputs as its loss", "correct the numbers")

    @property
    def width(self) -> int:
        """Features, and the intercept."""
        return self.features + self.intercept

    @property
    def norm2(self) -> int:
        """The most that ||x||_2^2 can be."""
        return X * X * (self.intercept + (1 if self.geometry == "ball" else self.features))

    @property
    def residual2(self) -> int:
        """The most that sum over k of c_k^2 can be."""
        return C * C * (2 if self.loss == "multinomial" else 1)

    @property
    def residual1(self) -> int:
        """The most that sum over k of |c_k| can be."""
        return C * (2 if self.loss == "multinomial" else 1)

    def residuals(self, heights: Ints, labels: Ints) -> Ints:
        """c for every example and output."""
        if self.loss == "squared":
            # heights in units of D / 2^32, labels in units of D / 2^18
            cut = (heights[:, 0] - (labels << X_BITS)) >> (X_BITS + W_BITS - C_BITS)
            return np.asarray(np.clip(cut, -C, C)[:, None])
        known = labels >= 0
        if self.loss == "logistic":
            place = np.clip(heights[:, 0] >> TO_TABLE, -STEEPEST, STEEPEST) + STEEPEST
            return np.where(known, SIGMOID[place] - C * (labels == 1), 0)[:, None]
        # softmax with the largest height taken off; shares are cut toward zero, so they add up to at most C
        below = np.minimum((heights.max(axis=1, keepdims=True) - heights) >> TO_TABLE, STEEPEST)
        weight = DECAY[below]
        shares = weight * C // weight.sum(axis=1, keepdims=True)
        hits = labels[:, None] == np.arange(self.outputs)
        return np.where(known[:, None], shares - C * hits, 0)


class Examples(Protocol):
    """Sealed examples, in blocks of rows: features (as exact floats) and labels."""

    def __len__(self) -> int: ...

    def blocks(self, frame: Frame) -> Iterator[tuple[NDArray[np.float64], Ints]]:
        """The examples, if this is the frame they were sealed in; Misuse otherwise."""
        ...


def gradient(rows: Rows, frame: Frame, model: Ints) -> Ints:
    """The sum over the examples of c_k x_j, exact: every product and every partial sum is a whole number below 2^53."""
    if model.shape != (frame.width, frame.outputs):
        raise Misuse("the model has another shape than its frame", "give one weight for each feature and output")
    if int(np.abs(model).sum()) >= 2**53 // X:
        raise Misuse("the model is too large for exact heights", "use a smaller radius")
    if not hasattr(rows, "blocks"):
        raise Misuse("this question is for sealed examples", "ask a table of its marginals")
    total = np.zeros((frame.width, frame.outputs), dtype=np.int64)
    weights, used = model.astype(np.float64), np.flatnonzero(model.any(axis=1))
    sparse = used.size < frame.width // 4
    for x, labels in cast(Examples, rows).blocks(frame):
        heights = (x[:, used] @ weights[used] if sparse else x @ weights).astype(np.int64)
        total += (x.T @ frame.residuals(heights, labels).astype(np.float64)).astype(np.int64)
    return total
