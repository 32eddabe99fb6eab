"""Payoff: what a query player's queries came to, all rounds together: the data half of Theorem A's certificate.

Math.  The played queries d_t are listed queries q with a sign; w_q is how often +q was played less how often -q was. The
statistic is sum_q w_q c_q(S). ``promised`` is the public half, sum over rounds of nhat d_t(g_t), rounded down; so

    sum_t [ d_t(S) - nhat d_t(g_t) ]  <=  statistic - promised

A row adds between -M and P to it, P the sum of the positive w_q and M that of the negative ones without their sign. With at
most R rows a unit

    add-remove:   l1 = linf = R max(P, M)        replace-one:   l1 = linf = R (P + M)

and l2sq is the square. ``rounds`` and ``player`` say how many rounds were played and how, for whoever adds the regret.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.queries import Query
from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

LARGEST_WEIGHT = 2**20
PLAYERS = ("best", "weights")  # a private best response each round, or draws from multiplicative weights


@dataclass(frozen=True)
class Payoff(Question):
    """The sum over the rows of what the played queries paid."""

    queries: tuple[Query, ...]
    weights: tuple[int, ...]
    promised: int
    rounds: int
    player: str

    kind: ClassVar[str] = "payoff"

    def __post_init__(self) -> None:
        sound = len(self.weights) == len(self.queries) and all(
            type(weight) is int and abs(weight) <= LARGEST_WEIGHT for weight in self.weights
        )
        if not sound or self.player not in PLAYERS:
            raise Misuse("a payoff has one moderate whole weight for each query, and a known player", "correct it")

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        plus = sum(weight for weight in self.weights if weight > 0)
        minus = -sum(weight for weight in self.weights if weight < 0)
        move = rows * (max(plus, minus) if relation is Relation.ADD_REMOVE else plus + minus)
        return Sensitivity(l1=move, l2sq=move**2, linf=move)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        # sum_q w_q c_q(S)
        played = zip(self.queries, self.weights, strict=True)
        return np.array([sum(weight * rows.matches(query) for query, weight in played)], dtype=np.int64)
