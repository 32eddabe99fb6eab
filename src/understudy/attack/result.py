"""What an attack achieved: who was in, told from scores, with n and intervals.

    TPR at FPR f   the threshold is the least one that at most f of the outsiders exceed; TPR is the members' share above it
    advantage      max over thresholds of TPR - FPR
    AUC            P[a member scores above an outsider], ties counted half

Accuracy at one threshold says little: a private model still has a few people whom it gives away. TPR at a low FPR shows them.
An (epsilon, delta)-private release bounds both:  TPR <= e^epsilon FPR + delta.

>>> told = Result("loss", np.arange(50, 150), np.arange(0, 100))
>>> told.tpr(0.01), round(told.auc, 3), round(told.advantage, 2)
(0.51, 0.875, 0.5)
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

Floats = NDArray[np.float64]
LOW = (0.01, 0.001)


@dataclass(frozen=True, eq=False)
class Result:
    """The scores of members and of outsiders; a high score says "was in"."""

    attack: str
    members: ArrayLike
    outsiders: ArrayLike

    @cached_property
    def curve(self) -> tuple[Floats, Floats]:
        """The ROC curve: FPR and TPR at every threshold, from none to all."""
        inside, outside = np.sort(np.ravel(self.members)), np.sort(np.ravel(self.outsiders))
        cuts = np.unique(np.concatenate([inside, outside]))[::-1]
        above_in = inside.size - np.searchsorted(inside, cuts, side="left")
        above_out = outside.size - np.searchsorted(outside, cuts, side="left")
        return np.concatenate([[0.0], above_out / outside.size]), np.concatenate([[0.0], above_in / inside.size])

    def tpr(self, fpr: float) -> float:
        """The share of members above the least threshold that at most ``fpr`` of the outsiders exceed."""
        false, true = self.curve
        return float(true[np.flatnonzero(false <= fpr + 1e-12)[-1]])

    def interval(self, fpr: float, confidence: float = 0.95) -> tuple[float, float]:
        """Clopper-Pearson for the TPR at that threshold; the threshold itself is taken as given."""
        n, k, error = np.size(self.members), round(self.tpr(fpr) * np.size(self.members)), (1 - confidence) / 2
        low = float(betaincinv(k, n - k + 1, error)) if k else 0.0
        high = 1 - float(betaincinv(n - k, k + 1, error)) if k < n else 1.0
        return low, high

    @property
    def auc(self) -> float:
        """The area under the curve."""
        false, true = self.curve
        return float(np.trapezoid(true, false))

    @property
    def advantage(self) -> float:
        """The largest TPR - FPR."""
        false, true = self.curve
        return float((true - false).max())

    def allowed(self, fpr: float, epsilon: float, delta: float) -> float:
        """The most that (epsilon, delta) allows at this FPR, from both of its inequalities."""
        # TPR <= e^epsilon FPR + delta,  1 - FPR <= e^epsilon (1 - TPR) + delta
        return min(1.0, math.exp(epsilon) * fpr + delta, 1 - math.exp(-epsilon) * (1 - delta - fpr))

    def to_json(self) -> dict[str, object]:
        """For machines and for the pages of experiments."""
        low = {str(fpr): {"tpr": self.tpr(fpr), "interval": list(self.interval(fpr))} for fpr in LOW}
        return {
            "attack": self.attack,
            "members": int(np.size(self.members)),
            "outsiders": int(np.size(self.outsiders)),
            "auc": self.auc,
            "advantage": self.advantage,
            "tpr_at_fpr": low,
        }


def pooled(results: list[Result]) -> Result:
    """Many runs of one attack as one result."""
    return Result(
        results[0].attack,
        np.concatenate([np.ravel(result.members) for result in results]),
        np.concatenate([np.ravel(result.outsiders) for result in results]),
    )
