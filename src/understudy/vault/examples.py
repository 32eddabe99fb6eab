"""Sealed examples: features and labels cut to a frame's whole numbers, row by row, and shown to nobody but a statistic.

    cube   x_j -> trunc(clip(x_j / B, -1, 1) X)
    ball   the same on a finer grid, then scaled by min(1, 1 / norm), the norm taken in whole numbers

Each row is cut by itself with operations that round the same everywhere, so it is the same whoever stands beside it. What is
no number counts as 0. Blocks of rows are turned into floats one at a time: 16 bits a feature is what is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy
from understudy.noise.sampled_gaussian import heads
from understudy.question.frame import Frame, Ints, W, X
from understudy.refusal import Misuse
from understudy.schema.schema import Schema
from understudy.vault.vault import Vault

BLOCK = 2**18  # features that are handled at once: two megabytes of floats stay in the cache, seven times faster
FINE = 2**20  # the grid on which a ball's norms are taken


@dataclass(frozen=True)
class Labels:
    """How labels become whole numbers: the classes in order, or a bound and the unit D of the residual."""

    classes: tuple[Any, ...] = ()
    bound: float = 0.0
    unit: float = 1.0

    def cut(self, y: NDArray[Any]) -> Ints:
        """Places among the classes, -1 for none of them; or y in units of D / 2^18, clipped to its bound."""
        if self.classes:
            found = np.full(len(y), -1, dtype=np.int64)
            for place, value in enumerate(self.classes):
                found[y == value] = place
            return found
        clipped = np.clip(
            np.nan_to_num(y.astype(np.float64), posinf=self.bound, neginf=-self.bound), -self.bound, self.bound
        )
        return np.asarray(np.trunc(clipped / self.unit * W).astype(np.int64))


class SealedExamples:
    """What a statistic over examples sees. Lives inside a vault."""

    __slots__ = ("_frame", "_x", "_y")

    def __init__(self, x: NDArray[Any], y: NDArray[Any], frame: Frame, bound: float, labels: Labels):
        self._frame = frame
        self._x = np.empty((len(x), frame.features), dtype=np.int16)
        for start, end in spans(len(x), frame.features):
            self._x[start:end] = cut(x[start:end], frame, bound)
        self._y = labels.cut(y)

    def __len__(self) -> int:
        return len(self._y)

    def __repr__(self) -> str:
        return "<sealed examples>"

    def settle(self, schema: Schema) -> None:
        """Nothing is open in a frame."""

    def sampled(self, rate: Fraction, entropy: Entropy) -> "SealedExamples":
        """The examples whose coins fall on heads."""
        chosen = np.flatnonzero(heads(len(self), rate, entropy))
        sample = object.__new__(SealedExamples)
        sample._frame, sample._x, sample._y = self._frame, self._x[chosen], self._y[chosen]
        return sample

    def blocks(self, frame: Frame) -> Iterator[tuple[NDArray[np.float64], Ints]]:
        """The examples as exact floats, the intercept first, block by block."""
        if frame != self._frame:
            raise Misuse("the examples were sealed in another frame", "ask in the frame of the vault")
        for start, end in spans(len(self), frame.width):
            block = np.empty((end - start, frame.width))
            block[:, : frame.intercept] = X
            block[:, frame.intercept :] = self._x[start:end]
            yield block, self._y[start:end]


def vault_of(x: NDArray[Any], y: NDArray[Any], frame: Frame, bound: float, labels: Labels, schema: Schema) -> Vault:
    """A vault over examples. The schema gives the relation; its columns are not used."""
    return Vault.sealing(cast(Any, SealedExamples(x, y, frame, bound, labels)), schema)


def spans(rows: int, width: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows, each small enough to be handled at once."""
    step = max(1, BLOCK // max(width, 1))
    return ((start, min(start + step, rows)) for start in range(0, rows, step))


def cut(x: NDArray[Any], frame: Frame, bound: float) -> NDArray[np.int16]:
    """Features in whole numbers, within the frame."""
    scaled = np.clip(np.nan_to_num(np.asarray(x, dtype=np.float64) / bound, posinf=1.0, neginf=-1.0), -1.0, 1.0)
    if frame.geometry == "cube":
        return np.asarray(np.trunc(scaled * X).astype(np.int16))
    fine = np.trunc(scaled * FINE).astype(np.int64)
    norm = np.sqrt((fine**2).sum(axis=1, dtype=np.int64).astype(np.float64)) * (1 + 1e-12)
    # x X / max(FINE, ||x||), cut toward zero
    return np.asarray(np.trunc(fine * (X / np.maximum(norm, FINE))[:, None]).astype(np.int16))
