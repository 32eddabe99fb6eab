"""Two worlds: the tape with and without one canary, and what the strongest adversary tells from it.

The questions of one rehearsal are asked again, many times, in a world S and in a world S' with one unit more (add-remove) or
another unit (replace-one). The adversary sees every answer and scores it by the log likelihood ratio that the claimed noise
implies; above 0 it guesses S'.

    discrete Gaussian   sum over cells of (f' - f)(y - (f + f')/2) / sigma2
    discrete Laplace    sum over cells of (|y - f| - |y - f'|) / scale
    Gumbel              ln P'[chosen] - ln P[chosen]
    threshold           as Laplace over the values that are shown; a value that one world lacks decides
    sampled Gaussian    ln(1 - q + q exp((s y - s^2 / 2) / sigma2)), with s the norm of the canary's own term: the others are
                        taken to add nothing, and by symmetry only the noise along that term matters

The noise of cells that do not move is the same in both worlds, and is not drawn. A list of questions that was fixed in advance
is one adversary among the adaptive ones, so what it finds is a lower bound.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from understudy.audit.rehearsal import Asked
from understudy.noise.draw import draw
from understudy.noise.entropy import Entropy, Seeded
from understudy.noise.sampled_gaussian import heads
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)
from understudy.question.question import Exact, Question
from understudy.schema.column import Identifier
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema
from understudy.vault.vault import SealedRows

Floats = NDArray[np.float64]
Door = Callable[[Mechanism], Mechanism]  # from the mechanism that was charged to the one that is drawn
LONE = 1e3  # what the sight of a value that only one world has adds to the score
AT_ONCE = 200_000  # noisy numbers that are drawn in one call


def sound(mechanism: Mechanism) -> Mechanism:
    """What is drawn is what was charged."""
    return mechanism


@dataclass(frozen=True)
class Look:
    """One question with its exact answers in both worlds."""

    question: Question
    first: Exact
    second: Exact

    @property
    def mechanism(self) -> Mechanism:
        return self.question.mechanism

    def scores(self, world: int, runs: int, entropy: Entropy, door: Door = sound) -> Floats:
        """The adversary's score of this look in many runs of one world."""
        match self.mechanism, self.first, self.second:
            case SampledGaussian(sigma2, rate), np.ndarray() as first, np.ndarray() as second:
                return self._sampled(float(sigma2), rate, canary_norm(first, second), world, runs, entropy, door)
            case DiscreteGaussian() | DiscreteLaplace(), np.ndarray() as first, np.ndarray() as second:
                return self._noisy(first.ravel(), second.ravel(), world, runs, entropy, door)
            case Gumbel(scale), np.ndarray() as first, np.ndarray() as second:
                ratio = log_law(second, float(scale)) - log_law(first, float(scale))
                return np.asarray(ratio[choices(door(self.mechanism), (first, second)[world], runs, entropy)])
            case Threshold(scale, _), dict() as first, dict() as second:
                return np.array([self._shown(first, second, world, entropy, door) for _ in range(runs)])
        return np.zeros(runs)

    def _sampled(
        self, sigma2: float, rate: Fraction, norm: int, world: int, runs: int, entropy: Entropy, door: Door
    ) -> Floats:
        there = heads(runs, rate, entropy) if world else np.zeros(runs, dtype=np.bool_)
        y = np.asarray(draw(door(self.mechanism), np.where(there, norm, 0).astype(np.int64), entropy), dtype=np.float64)
        q = float(rate)
        with np.errstate(divide="ignore"):
            return np.asarray(np.logaddexp(np.log1p(-q), np.log(q) + (norm * y - norm**2 / 2) / sigma2))

    def _noisy(
        self, first: NDArray[np.int64], second: NDArray[np.int64], world: int, runs: int, entropy: Entropy, door: Door
    ) -> Floats:
        moved = np.flatnonzero(first != second)
        if moved.size == 0:
            return np.zeros(runs)
        f, g = first[moved], second[moved]
        exact = (f, g)[world]
        batch = max(1, AT_ONCE // moved.size)
        found = []
        for start in range(0, runs, batch):
            y = draw(door(self.mechanism), np.tile(exact, (min(batch, runs - start), 1)), entropy)
            found.append(self._ratio(np.asarray(y, dtype=np.float64), f, g))
        return np.concatenate(found)

    def _ratio(self, y: Floats, f: NDArray[np.int64], g: NDArray[np.int64]) -> Floats:
        match self.mechanism:
            case DiscreteGaussian(sigma2):
                return np.asarray(((g - f) * (y - (f + g) / 2)).sum(axis=1) / float(sigma2))
            case DiscreteLaplace(scale):
                return np.asarray((np.abs(y - f) - np.abs(y - g)).sum(axis=1) / float(scale))
        raise TypeError("this noise is not additive")

    def _shown(self, first: dict[str, int], second: dict[str, int], world: int, entropy: Entropy, door: Door) -> float:
        mine, scale = (first, second)[world], float(self.mechanism.scale)  # type: ignore[union-attr]
        texts, score = sorted(mine), 0.0
        shown = draw(door(self.mechanism), np.array([mine[text] for text in texts], dtype=np.int64), entropy)
        assert isinstance(shown, tuple), "a threshold shows places and counts"
        places, counts = shown
        for place, y in zip(places, counts, strict=True):
            text = texts[place]
            if text in first and text in second:
                score += (abs(y - first[text]) - abs(y - second[text])) / scale
            else:
                score += LONE if text in second else -LONE
        return score

    @property
    def separation2(self) -> float:
        """mu squared of a Gaussian look on this pair; 0 for the others."""
        if not isinstance(self.mechanism, DiscreteGaussian) or isinstance(self.first, dict):
            return 0.0
        assert isinstance(self.second, np.ndarray)
        # mu^2 = sum (f' - f)^2 / sigma2
        return float(((self.second - self.first).astype(np.float64) ** 2).sum()) / float(self.mechanism.sigma2)


def canary_norm(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    """The norm of the canary's own term, in whole numbers."""
    return math.isqrt(sum(int(move) ** 2 for move in (second - first).ravel()))


def choices(mechanism: Mechanism, scores: NDArray[np.int64], runs: int, entropy: Entropy) -> NDArray[np.intp]:
    """The places chosen in many runs; the twin reads them off the law at once, the system's sampler is asked each time."""
    assert isinstance(mechanism, Gumbel)
    if isinstance(entropy, Seeded):
        law = np.exp(log_law(scores, float(mechanism.scale)))
        return entropy.generator.choice(len(law), size=runs, p=law / law.sum())
    return np.array([draw(mechanism, scores, entropy) for _ in range(runs)], dtype=np.intp)


def log_law(scores: NDArray[np.int64], scale: float) -> Floats:
    """ln P[choose i] of the exponential mechanism."""
    heights = (scores - scores.max()) / scale
    return np.asarray(heights - np.log(np.exp(heights).sum()))


def looks(asked: Sequence[Asked], pair: tuple[pa.Table, pa.Table]) -> list[Look]:
    """Every question with its exact answers over both stand-in tables; of a sample, over nobody and the canary alone."""
    found, sealed = [], {}
    alone = pair[1].slice(0, 0), pair[1].slice(pair[1].num_rows - asked[0].schema.unit.rows)
    for item in asked:
        sample = isinstance(item.question.mechanism, SampledGaussian)
        place = id(item.schema), sample
        if place not in sealed:
            sealed[place] = [SealedRows(table, item.schema) for table in (alone if sample else pair)]
        first, second = (item.question.statistic(rows) for rows in sealed[place])
        found.append(Look(item.question, first, second))
    return found


def neighbours(table: pa.Table, schema: Schema) -> tuple[pa.Table, pa.Table]:
    """Two neighbouring stand-in tables: a unit of the rarest values comes, alone or for one of the commonest."""
    canary, victim = (unit(table, schema, rare) for rare in (True, False))
    if schema.relation is Relation.ADD_REMOVE:
        return table, pa.concat_tables([table, canary])
    rest = table.slice(schema.unit.rows)
    return pa.concat_tables([rest, victim]), pa.concat_tables([rest, canary])


def unit(table: pa.Table, schema: Schema, rare: bool) -> pa.Table:
    """A unit with as many rows as it may have, all alike: the rarest or the commonest value of every column."""

    def value(name: str) -> pa.Array:
        column = table[name].combine_chunks()
        if isinstance(schema.field(name), Identifier):
            return column[:1]
        counted = pc.value_counts(column)
        order = np.argsort(counted.field("counts").to_numpy(zero_copy_only=False), kind="stable")
        return pa.array([counted.field("values")[int(order[0 if rare else -1])].as_py()], type=column.type)

    one = pa.table({name: value(name) for name in table.column_names}, schema=table.schema)
    return pa.concat_tables([one] * schema.unit.rows)
