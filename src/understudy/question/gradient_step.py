"""GradientStep: which way the private rows pull a critic's weights. The one question of an adversarial training.

Math.  Let g(x) be the gradient of row x's loss in the weights w, C the clip, and one unit 2^-16 C. Over a Poisson sample B,

    answer = round( sum_{x in B} g(x) min(1, C / ||g(x)||) / unit ),     beside it     H sum_{x in B} (2 [||g(x)|| <= C] - 1)

the second a count of rows within the clip, which a player may steer C by; H = 2^12. One row moves the two parts by at most
2^16 and H. What is computed is not quite that: 32-bit floats are added up, 256 rows at a time, for which 2^10 a row is set
aside (proof/gradient_step.md), and rounding moves each of d entries by at most 1. So R rows of a unit move it, in L2, by

    side = sqrt( (R (2^16 + 2^10) + sqrt d)^2 + (R H)^2 ) at most;     add-remove: side,     replace-one: 2 side

The clip is of each row's gradient, before anything is added up: a clipped mean would move by 2 C (saboteur: clip_of_mean).
The normaliser is no part of the question: who divides, divides by public numbers. An empty sample is a step as any other.

What is asked is public: the critic, its weights (by digest), the clip, the loss, the step. Sample, noise and price come from
the one mechanism, SampledGaussian, so that they cannot disagree.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.critic import LOSSES, Critic
from understudy.question.ghost import clipped_sum
from understudy.question.question import Question
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.coordinates import UNIT
from understudy.schema.relation import Relation

CLIP, FLOATS, COUNT = (
    2**16,
    2**10,
    2**12,
)  # a clipped gradient, the error of floats, and a row that is counted, in units


def unknown() -> Any:
    """A question read back from a tape has the digest only: it can be priced, not asked."""
    raise TypeError("this question was read from a tape: its weights are known by digest only")


@dataclass(frozen=True)
class Weights:
    """The weights of a critic, known to everybody by their digest."""

    digest: str
    arrays: Callable[[], Any] = field(default=unknown, compare=False, repr=False)

    @staticmethod
    def of(arrays: Any) -> "Weights":
        """Weights that are there, as tuples of arrays, a tuple for each layer."""
        digest = hashlib.sha256()
        for layer in arrays:
            for array in layer:
                digest.update(f"{array.shape} ".encode())
                digest.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
        return Weights(digest.hexdigest(), lambda: arrays)


@dataclass(frozen=True)
class GradientStep(Question):
    """The clipped gradients of a sample, added up: one number a weight, and the count of rows within the clip."""

    columns: tuple[str, ...]
    sizes: tuple[int, ...]  # the cells of each column; none where the rows are shown as numbers
    critic: Critic
    loss: str
    clip: Fraction
    weights: Weights
    step: int

    kind: ClassVar[str] = "gradient_step"
    long: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.loss not in LOSSES or not self.clip > 0:
            raise Misuse("a step has a listed loss and a clip above 0", f"take one of {', '.join(LOSSES)}")

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        entries = self.critic.parameters + 1
        # side^2, rounded up: sqrt d <= isqrt(d) + 1
        side2 = (rows * (CLIP + FLOATS) + isqrt(entries) + 1) ** 2 + (rows * COUNT) ** 2
        l2sq = side2 if relation is Relation.ADD_REMOVE else 4 * side2
        linf = isqrt(l2sq) + 1
        return Sensitivity((isqrt(entries) + 1) * linf, l2sq, linf, side2=side2, coins=rows)

    def statistic(self, rows: Rows) -> NDArray[np.int64]:
        many = len(rows)
        total, within = clipped_sum(self.critic, self.loss, self.weights.arrays(), self.seen(rows), float(self.clip))
        # units of 2^-16 C; a total that is not finite cannot be: every row's part is at most C
        return np.append(np.rint(total / float(self.clip) * CLIP), COUNT * (2 * within - many)).astype(np.int64)

    def seen(self, rows: Rows) -> NDArray[np.float32]:
        """The rows as the critic sees them: a 1 in the cell of each column, or all coordinates between 0 and 1."""
        if not self.sizes:
            return rows.numbers(self.columns).astype(np.float32) / np.float32(UNIT)
        seen = np.zeros((len(rows), sum(self.sizes)), dtype=np.float32)
        first = 0
        for name, size in zip(self.columns, self.sizes, strict=True):
            seen[np.arange(len(rows)), first + rows.codes(name).astype(np.int64)] = 1
            first += size
        return seen
