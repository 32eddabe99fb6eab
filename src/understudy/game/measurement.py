"""Measurements: the noisy marginals on a tape, in the form that data players fit.

answer = counts + noise,   noise of variance sigma2 (Gaussian) or about 2 scale^2 (Laplace) in each cell
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Columns
from understudy.question.bound import MOST_PRIVATE
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

LEAST = 1e-9  # a variance of zero would weigh more than any number


@dataclass(frozen=True, eq=False)
class Measurement:
    """One noisy contingency table."""

    columns: Columns
    counts: NDArray[np.float64]
    variance: float


def measurements(tape: Tape, schema: Schema) -> list[Measurement]:
    """All marginals on the tape, in the order in which they were asked."""
    found = []
    for entry in tape.of("marginals"):
        assert isinstance(entry.answer, np.ndarray)
        cliques = [tuple(clique) for clique in entry.question["cliques"]]
        ends = np.cumsum([schema.cells(clique) for clique in cliques])
        variance = variance_of(entry.question["mechanism"])
        for clique, flat in zip(cliques, np.split(entry.answer, ends[:-1]), strict=True):
            shape = tuple(schema.domain[name] for name in clique)
            found.append(Measurement(clique, flat.astype(np.float64).reshape(shape), variance))
    return found


def columns_of(measured: list[Measurement], schema: Schema, n: int) -> dict[str, Measurement]:
    """The counts of every column by itself: all that was measured of it, summed to one way and averaged by precision.

    A table of m cells over a column of s says s counts with m / s times its variance. What nobody measured is uniform.
    """
    sums = {name: np.zeros(cells) for name, cells in schema.domain.items()}
    precision = dict.fromkeys(schema.domain, 0.0)
    for m in measured:
        for axis, name in enumerate(m.columns):
            weight = m.counts.shape[axis] / (m.counts.size * max(m.variance, LEAST))
            sums[name] += weight * m.counts.sum(axis=tuple(other for other in range(m.counts.ndim) if other != axis))
            precision[name] += weight
    return {
        name: Measurement((name,), total / precision[name], 1 / precision[name])
        if precision[name]
        else Measurement((name,), np.full(len(total), n / len(total)), 0.0)
        for name, total in sums.items()
    }


def variance_of(mechanism: dict[str, Any]) -> float:
    """The variance of additive noise: sigma2 for a Gaussian, 2 scale^2 (an upper bound) for a discrete Laplace."""
    if mechanism["kind"] == "DiscreteGaussian":
        return float(Fraction(mechanism["sigma2"]))
    if mechanism["kind"] == "DiscreteLaplace":
        return 2 * float(Fraction(mechanism["scale"])) ** 2
    return 0.0


def size(tape: Tape, schema: Schema) -> int:
    """The public number of rows: as declared, else as the tape counted it, within what a table can have."""
    if schema.n is not None:
        return schema.n
    counted = tape.of("count")
    if not counted:
        return 0
    assert isinstance(counted[0].answer, np.ndarray)
    return min(max(int(counted[0].answer[0]), 0), MOST_PRIVATE)
