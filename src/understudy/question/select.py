"""Select: the marginal on which a public guess is worst.

Math.  score_i(S) = w_i ||c_i(S) - r_i||_1 - b_i, where r_i is the public integer table that the guess expects (n-hat times
its marginal, rounded), and w_i, b_i are public integers: how much the marginal matters, and w_i times the error that
measuring it would leave. All w_i = 1 and b_i = 0 where none are given. By the triangle inequality
|score_i(S) - score_i(S')| <= w_i ||c_i(S) - c_i(S')||_1, so with W = max |w_i|, and in l1 and l2sq the sums over i,

    add-remove:   move_i = |w_i| R      linf = W R
    replace-one:  move_i = 2 |w_i| R    linf = 2 W R

The gate answers with the exponential mechanism (Gumbel noise of scale s): P[i] proportional to exp(score_i / s), which
is eps-DP with eps = 2 linf / s and, being eps-bounded-range, eps^2 / 8-zCDP. Scores are not monotone. A bias moves no
score between neighbours, so it is free.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.errors import distance
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

LARGEST_WEIGHT, LARGEST_BIAS = 2**20, 2**61  # so that a score of fewer than 2^40 rows is an int64


@dataclass(frozen=True)
class Select(Question):
    """The index of one of ``candidates``, likely one with a large weighted error against ``reference``."""

    candidates: tuple[tuple[str, ...], ...]
    reference: Reference
    weights: tuple[int, ...] = ()
    biases: tuple[int, ...] = ()

    kind: ClassVar[str] = "select"

    def __post_init__(self) -> None:
        for numbers, most in ((self.weights, LARGEST_WEIGHT), (self.biases, LARGEST_BIAS)):
            if numbers and len(numbers) != len(self.candidates):
                raise Misuse("a selection has one weight and one bias for each candidate", "give none, or all")
            if not all(type(number) is int and abs(number) <= most for number in numbers):
                raise Misuse("weights and biases of a selection are moderate whole numbers", "round them")

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        side = rows if relation is Relation.ADD_REMOVE else 2 * rows
        moves = [abs(weight) * side for weight, _ in self.terms()]
        return Sensitivity(l1=sum(moves), l2sq=sum(move**2 for move in moves), linf=max(moves, default=0))

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        scored = zip(self.candidates, self.terms(), strict=True)
        # score_i = w_i ||c_i - r_i||_1 - b_i
        return np.array([w * distance(rows, c, self.reference) - b for c, (w, b) in scored], dtype=np.int64)

    def terms(self) -> list[tuple[int, int]]:
        """The weight and the bias of every candidate."""
        many = len(self.candidates)
        return list(zip(self.weights or (1,) * many, self.biases or (0,) * many, strict=True))
