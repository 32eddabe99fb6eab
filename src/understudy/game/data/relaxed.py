"""Relaxed: rows whose columns are distributions instead of cells, all of equal weight; trained until they fit the tape.

    p(x) = (1/K) sum_k prod_j p_kj(x_j),      p_kj = softmax(l_kj)

This is relaxed projection (RAP): a synthetic table of K relaxed rows, each column one softmax away from one-hot. It is a
mixture whose weights stay equal, and is fitted as one (frugal.py).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.game.data.frugal import Descent
from understudy.game.data.mixture import RATE, STEPS, Logits, MixturePlayer, blurred


def equal(jax: Any, scores: Any, fixed: Any) -> tuple[Any, Any]:
    """Components of equal weight, whose scores are the parameters."""
    return jax.numpy.zeros(len(scores), dtype=scores.dtype), scores


@dataclass
class RelaxedPlayer(MixturePlayer):
    """Trains relaxed rows on the tape; between measurements the guess stays as it is."""

    descent: Descent = Descent(equal, STEPS, RATE)

    def beginning(self, logits: Logits, rng: np.random.Generator) -> tuple[Any, Any]:
        """The product of the columns in every relaxed row, blurred."""
        return blurred(logits, self.components, rng), None
