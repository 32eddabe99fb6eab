"""CriticGradient: the slope of a logistic critic on the private rows, in whole numbers.

Math.  The critic scores a row by s(x) = sum over marginals c of theta_c[x_c] / 2^16, theta public whole numbers. On the
private side its payoff is sum over rows of -softplus(-s(x)), concave in theta, whose slope along cell q is the sum of
sigmoid(-s(x)) over the rows in q. The statistic is, for every cell of every marginal,

    sum over rows x in q of  weight(x),     weight(x) = round( 2^10 sigmoid(-s(x)) )  in 0..2^10

A row adds its weight to exactly one cell of each of w marginals. With B = 2^10 and at most R rows a unit

    add-remove:   l1 = w R B     l2sq = w R^2 B^2      linf = R B
    replace-one:  l1 = 2 w R B   l2sq = 2 w R^2 B^2    linf = R B

as for `Marginals` times B: a weight is a function of its own row and of the public theta, and never more than B.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

WEIGHT, UNIT = 2**10, 2**16
LARGEST = 2**40  # of a potential


@dataclass(frozen=True)
class CriticGradient(Question):
    """Weighted counts of the cells of ``cliques``, the weights those of the critic ``reference``."""

    cliques: tuple[tuple[str, ...], ...]
    reference: Reference

    kind: ClassVar[str] = "critic_gradient"

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        tables, move = sides * len(self.cliques), rows * WEIGHT
        return Sensitivity(l1=tables * move, l2sq=tables * move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        theta = [self.potentials(clique) for clique in self.cliques]
        places = [
            np.ravel_multi_index(tuple(rows.codes(name).astype(np.int64) for name in clique), table.shape)
            for clique, table in zip(self.cliques, theta, strict=True)
        ]
        score = sum(
            (table.ravel()[place] for table, place in zip(theta, places, strict=True)), np.zeros(len(rows), np.int64)
        )
        weight = np.rint(WEIGHT / (1 + np.exp(np.clip(score / UNIT, -50, 50)))).astype(np.int64)
        return np.concatenate([summed(place, weight, table.size) for place, table in zip(places, theta, strict=True)])

    def potentials(self, clique: tuple[str, ...]) -> NDArray[np.int64]:
        """theta of one marginal: whole numbers, none so large that a sum of them would leave 64 bits."""
        table = np.asarray(self.reference[clique])
        if table.dtype != np.int64 or table.ndim != len(clique) or int(abs(table).max(initial=0)) > LARGEST:
            raise Misuse("a critic is a table of moderate whole numbers for each marginal", "round it, and clip it")
        return table


def summed(place: NDArray[np.int64], weight: NDArray[np.int64], cells: int) -> NDArray[np.int64]:
    """The sum of the weights in each cell, exact: floats hold whole numbers below 2^53, which 2^43 rows would reach."""
    return np.rint(np.bincount(place, weights=weight, minlength=cells)).astype(np.int64)
