"""Moments off the tape: class sizes, clips, centres, second moments and what noise is in them.

    size_c     the noisy count of a class, at least 1
    reach      the least edge of a histogram of lengths beyond which hardly any row lies: the clip of the next look
    centre_c   middle + S_c / size_c, and drawn towards the centre of all as far as noise alone sets them apart
    C_c        M_c / size_c, in units where UNIT is 1; each entry has noise of ``blur``, but for the diagonal
    P          the leading directions of C: those whose variance stands out from what noise alone has (`standing`)

Everything here is post-processing of the tape.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.measurement import size, variance_of
from understudy.game.smooth import frames
from understudy.game.space import Space
from understudy.question.grouped import unpacked
from understudy.schema.coordinates import UNIT
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

BEYOND = 0.005  # of the rows may lie beyond a clip
MOST_DIRECTIONS = 100

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Second:
    """Second moments a row, one matrix a class, and the deviation of the noise off each one's diagonal."""

    matrices: Array
    blur: Array


@dataclass
class Estimate:
    """What a tape says of the rows of a schema, by class where the schema has a label that is not in the space."""

    schema: Schema
    space: Space
    label: str = ""
    _kept: dict[str, tuple[Entry | None, Any]] = field(default_factory=dict, repr=False)

    @property
    def classes(self) -> int:
        """How many; 1 without a label."""
        return self.schema.domain[self.label] if self.label else 1

    def once(self, name: str, entry: Entry | None, make: Callable[[], Any]) -> Any:
        """What was made of an entry before, or is made now."""
        if name not in self._kept or self._kept[name][0] is not entry:
            self._kept[name] = entry, make()
        return self._kept[name][1]

    def sizes(self, tape: Tape) -> Array:
        """Rows by class."""
        if not self.label:
            return np.array([max(size(tape, self.schema), 1)], dtype=np.float64)
        return np.maximum(answer_of(tape.of("marginals")[0]), 1.0)

    def reach(self, tape: Tape, look: int) -> int:
        """The clip that a histogram of lengths recommends."""
        entry = tape.of("norms")[look]
        edges, counts = entry.question["edges"], answer_of(entry)
        farther = np.cumsum(counts[::-1])[::-1][1:]
        noise = 2 * np.sqrt(variance_of(entry.question["mechanism"]) * len(counts))
        enough = np.flatnonzero(farther <= BEYOND * max(counts.sum(), 0) + noise)
        return int(edges[enough[0]] if len(enough) else edges[-1])

    def centres(self, tape: Tape) -> Ints:
        """One for each class, whole, within the range of coordinates."""
        entry = tape.of("mean_features")[0]
        found: Ints = self.once("centres", entry, lambda: self._centres(entry, self.sizes(tape)))
        return found

    def _centres(self, entry: Entry, sizes: Array) -> Ints:
        sums = answer_of(entry).reshape(-1, self.space.dimension)
        own, pooled = sums / sizes[:, None], sums.sum(axis=0) / sizes.sum()
        # positive part James-Stein: own - pooled is kept as far as it is longer than its noise
        noise = self.space.dimension * variance_of(entry.question["mechanism"]) / sizes**2
        apart = np.maximum(((own - pooled) ** 2).sum(axis=1), 1e-9)
        kept = np.maximum(1 - noise / apart, 0)[:, None]
        found = self.space.middle + (pooled + kept * (own - pooled) if len(sizes) > 1 else own)
        return np.asarray(np.rint(np.clip(found, 0, UNIT)), dtype=np.int64)

    def centre(self, tape: Tape) -> Ints:
        """The centre of all rows."""
        sizes = self.sizes(tape)
        return np.asarray(np.rint(sizes @ self.centres(tape) / sizes.sum()), dtype=np.int64)

    def second(self, tape: Tape, look: int) -> Second:
        """The second moments of one look."""
        entry = tape.of("moments")[look]
        return self.once(f"second {look}", entry, lambda: second(entry, self.sizes(tape)))  # type: ignore[no-any-return]

    def directions(self, tape: Tape) -> Array:
        """P, p x k and orthonormal, of the first second moments: a private principal component analysis."""
        return np.asarray(self.once("directions", tape.of("moments")[0], lambda: self.leading(self.second(tape, 0))))

    def leading(self, second: Second) -> Array:
        """The directions that stand out of the noise, the largest first."""
        _, vectors = standing(second.matrices[0], float(second.blur[0]), self.frames)
        return vectors[:, :MOST_DIRECTIONS]

    @cached_property
    def frames(self) -> tuple[Array, ...]:
        """Where its rows are looked for."""
        return frames(self.space)


def answer_of(entry: Entry) -> Array:
    """The answer as floats."""
    assert isinstance(entry.answer, np.ndarray)
    return entry.answer.astype(np.float64)


def second(entry: Entry, sizes: Array) -> Second:
    """The matrices of one answer, each over its class, or all over the table."""
    question, triangles = entry.question, answer_of(entry)
    d, classes = int(question["lift"]["dimension"]), int(question["classes"])
    if classes == 1:
        sizes = sizes.sum(keepdims=True)
    diagonal, other = question["weights"]
    matrices = [unpacked(part, d, diagonal, other) for part in triangles.reshape(classes, -1)]
    scale = UNIT**2 * np.repeat(sizes, classes // len(sizes))
    deviation = np.sqrt(variance_of(question["mechanism"])) / abs(other)
    return Second(np.array(matrices) / scale[:, None, None], deviation / scale)


def standing(matrix: Array, blur: float, frames: Sequence[Array] = ()) -> tuple[Array, Array]:
    """The eigenvalues that noise alone does not make, at least one, and their directions; the largest first.

    In a frame of d directions noise makes eigenvalues up to edge = 2 sqrt(d) blur, and a direction that is found with
    lambda > edge truly has sqrt(lambda^2 - edge^2) of variance (Benaych-Georges and Nadakuditi 2011). Of the frames, the
    one is taken in which that is most together; without any, there is one of all directions.
    """
    best: tuple[float, Array, Array] | None = None
    for frame in frames or (np.eye(len(matrix)),):
        values, vectors = np.linalg.eigh(frame.T @ matrix @ frame)
        edge = 2 * np.sqrt(frame.shape[1]) * blur
        held = float(np.sqrt(np.maximum(values[values > 0] ** 2 - edge**2, 0)).sum())
        if best is None or held > best[0]:
            k = max(int((values > edge).sum()), 1)
            best = held, values[::-1][:k], frame @ vectors[:, ::-1][:, :k]
    assert best is not None
    return best[1:]


def positive(matrix: Array, blur: float, frames: Sequence[Array] = ()) -> Array:
    """The part of a matrix that stands out of the noise."""
    values, vectors = standing(matrix, blur, frames)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


def drawn_together(second: Second, sizes: Array) -> Array:
    """Each class's matrix drawn towards the average of all, as far as noise alone would set it apart (James-Stein)."""
    if len(second.matrices) == 1:
        return second.matrices
    average = np.tensordot(sizes / sizes.sum(), second.matrices, axes=1)
    d = second.matrices.shape[1]
    noise = d * (d + 1) * second.blur**2
    apart = ((second.matrices - average) ** 2).sum(axis=(1, 2))
    kept = np.maximum(1 - noise / np.maximum(apart, 1e-12), 0)[:, None, None]
    return np.asarray(average + kept * (second.matrices - average))
