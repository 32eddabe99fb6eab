"""Lifts: public maps from a row to a vector of whole numbers whose length is bounded, whatever the row is.

    Ball    y = into the ball of radius clip (P (x - c)),    trunc at every step
    Waves   y = (A cos(w x), A sin(w x)) for each of F frequencies w
    Scores  y = into the ball of radius clip of (s_1(k_1), ..., s_d(k_d)),  k the cells of the columns, s public tables by class

x are the row's coordinates (`schema/coordinates.py`), c a public centre for its class, P a public
projection in units of 1/UNIT, w whole steps of 1/PERIOD of a turn for each UNIT.

Law.  y depends on that row alone, to the last bit. All sums are of whole numbers below 2^53, so that floats hold them
exactly and no order of rows or blocks changes them; the scaling into the ball is made number by number; cosines are read
from a table of whole numbers. Then ||y||_2^2 <= square, ||y||_1 <= length and |y_i| <= entry, all whole (proof/lift.md).
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.refusal import Misuse
from understudy.schema.coordinates import UNIT

Whole = NDArray[np.float64]  # floats that are whole numbers, as matrix products want them
Numbers = NDArray[np.int16]
PERIOD, AMPLITUDE = 4096, 1024  # steps of one turn of a wave, and how far it goes
WIDEST_BALL = 2**17
FARTHEST, STEEPEST = 2**18, 2**13  # no number of a centre or a frequency, or of a projection, is larger
MOST = 2**16  # coordinates: 2^16 2^18 2^13 < 2^53, and 2^16 (2^18)^2 < 2^53

NONE = Reference.of_tables({})


@dataclass(frozen=True)
class Ball:
    """Centred, projected where a projection is given, and scaled back into a ball."""

    columns: tuple[str, ...]
    dimension: int
    clip: int
    centre: Reference
    projection: Reference = NONE

    def __post_init__(self) -> None:
        if not 1 <= self.clip <= WIDEST_BALL or self.dimension < 1:
            raise Misuse("a ball has a radius from 1 to 2^17 and at least one dimension", "choose them so")

    @property
    def square(self) -> int:
        """The largest squared length."""
        return self.clip**2

    @property
    def length(self) -> int:
        """The largest sum of absolute values: sqrt(dimension) clip, for whole numbers."""
        return math.isqrt(self.dimension * self.square)

    @property
    def entry(self) -> int:
        """The largest single number."""
        return self.clip

    def read(self, rows: Rows) -> Numbers:
        """The coordinates of every row."""
        return rows.numbers(self.columns)

    def centred(self, numbers: Numbers, group: int) -> Whole:
        """P (x - c) for rows of one class, not yet in the ball."""
        centres = within(self.centre[("centre",)], FARTHEST)
        moved: Whole = numbers - centres[min(group, len(centres) - 1)]
        if self.projection == NONE:
            return moved
        # exact: whole numbers, and the sum stays below 2^53
        return np.asarray(np.trunc(moved @ within(self.projection[("projection",)], STEEPEST) / UNIT))

    def vectors(self, numbers: Numbers, group: int) -> Whole:
        """y for every row of one class."""
        return into_ball(of_width(self.centred(numbers, group), self.dimension), self.clip)


@dataclass(frozen=True)
class Waves:
    """Random features: a place on the circle for each frequency."""

    columns: tuple[str, ...]
    dimension: int
    frequencies: Reference

    def __post_init__(self) -> None:
        if self.dimension < 2 or self.dimension % 2:
            raise Misuse("waves have two numbers for each frequency", "give an even dimension")

    @property
    def square(self) -> int:
        """The largest squared length."""
        cosine, sine = circle()
        return self.dimension // 2 * int((cosine**2 + sine**2).max())

    @property
    def length(self) -> int:
        """The largest sum of absolute values."""
        cosine, sine = circle()
        return self.dimension // 2 * int((abs(cosine) + abs(sine)).max())

    @property
    def entry(self) -> int:
        """The largest single number."""
        return AMPLITUDE

    def read(self, rows: Rows) -> Numbers:
        """The coordinates of every row."""
        return rows.numbers(self.columns)

    def vectors(self, numbers: Numbers, group: int) -> Whole:
        """y for every row: all cosines, then all sines."""
        cosine, sine = circle()
        # exact: whole numbers, and the sum stays below 2^53; a step is 1/PERIOD of a turn
        steps = np.floor(numbers.astype(np.float64) @ within(self.frequencies[("frequencies",)], FARTHEST) / UNIT)
        turns = steps.astype(np.int64) % PERIOD
        return of_width(np.concatenate([cosine[turns], sine[turns]], axis=1).astype(np.float64), self.dimension)


@dataclass(frozen=True)
class Scores:
    """A number for each cell of each column, in public tables (classes x columns x cells); scaled back into a ball."""

    columns: tuple[str, ...]
    dimension: int
    clip: int
    tables: Reference

    def __post_init__(self) -> None:
        if not 1 <= self.clip <= WIDEST_BALL or self.dimension != len(self.columns):
            raise Misuse("scores have a radius from 1 to 2^17, and a number for each column", "choose them so")

    @property
    def square(self) -> int:
        """The largest squared length."""
        return self.clip**2

    @property
    def length(self) -> int:
        """The largest sum of absolute values: sqrt(dimension) clip, for whole numbers."""
        return math.isqrt(self.dimension * self.square)

    @property
    def entry(self) -> int:
        """The largest single number."""
        return self.clip

    def read(self, rows: Rows) -> Numbers:
        """The cells of every row; a cell beyond the tables counts as their last."""
        return np.stack(
            [np.minimum(rows.codes(name).astype(np.int64), 2**15 - 1).astype(np.int16) for name in self.columns], axis=1
        )

    def vectors(self, numbers: Numbers, group: int) -> Whole:
        """y for every row of one class."""
        tables = self.tables[("scores",)]
        table = within(tables[min(group, len(tables) - 1)], FARTHEST)
        cells = np.minimum(numbers.astype(np.int64), table.shape[1] - 1)
        return into_ball(of_width(table[np.arange(len(table)), cells], self.dimension), self.clip)


Lift = Ball | Waves | Scores


def into_ball(found: Whole, clip: int) -> Whole:
    """Whole vectors, those outside scaled back number by number."""
    squares = np.einsum("ij,ij->i", found, found)
    outside = squares > clip**2
    # rounding towards zero never makes a vector longer
    found[outside] = np.trunc(found[outside] * (clip / np.sqrt(squares[outside]))[:, None])
    return found


def of_width(found: Whole, dimension: int) -> Whole:
    """The vectors, which must have the dimension that the sensitivity was declared for."""
    if found.shape[1] != dimension:
        raise Misuse("the lifted rows have another dimension than the question says", "declare the one they have")
    return found


def within(public: NDArray[np.int64], largest: int) -> Whole:
    """A public table of whole numbers, none too large for sums to be exact."""
    if abs(public).max(initial=0) > largest or public.shape[0] > MOST or public.shape[-1] > MOST:
        raise Misuse("a centre, projection or frequency is too large for exact sums", "keep it within the unit's range")
    return public.astype(np.float64)


@cache
def circle() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cosines and sines of one turn, whole, cut towards zero."""
    turn = 2 * np.pi * np.arange(PERIOD) / PERIOD
    return np.trunc(AMPLITUDE * np.cos(turn)).astype(np.int64), np.trunc(AMPLITUDE * np.sin(turn)).astype(np.int64)


def centre_of(points: NDArray[np.integer]) -> Reference:
    """A centre for every class, or one for all, as a reference."""
    return Reference.of_tables({("centre",): np.atleast_2d(points).astype(np.int64)})
