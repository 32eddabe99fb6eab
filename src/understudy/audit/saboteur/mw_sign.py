"""Saboteur: document 003's discriminator, whose weights fall with the payoff: exp(-eta sum V) instead of exp(+eta sum V).

V(q, g) is the query player's gain, so the printed weights gather on the queries that the generator answers best, and the game
stands still. With the right sign, payoffs closed under complement and the leader that looks ahead, the regret is at most
ln K / eta (`game/query/weights.py`); with the printed one it is not.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from understudy.audit.registry import saboteur
from understudy.audit.trial import Bounded

Payoffs = NDArray[np.float64]
ROUNDS, QUERIES, ETA = 30, 12, 0.3


def sound_weights(payoffs: Payoffs, eta: float) -> Payoffs:
    """Multiplicative weights after some rounds: a line of payoffs a round, a column a query."""
    return normal(eta * payoffs.sum(axis=0))


def printed_weights(payoffs: Payoffs, eta: float) -> Payoffs:
    """The printed law."""
    return normal(-eta * payoffs.sum(axis=0))


def normal(heights: Payoffs) -> Payoffs:
    """exp(heights), summing to one."""
    weights = np.exp(heights - heights.max())
    return np.asarray(weights / weights.sum())


def regret(law: Callable[[Payoffs, float], Payoffs]) -> Bounded:
    """Of a game with random payoffs: the best query's gain less the law's."""
    payoffs = np.random.default_rng(0).normal(size=(ROUNDS, QUERIES))
    payoffs = np.concatenate([payoffs, -payoffs], axis=1)
    gained = sum(float(payoffs[t - 1] @ law(payoffs[:t], ETA)) for t in range(1, ROUNDS + 1))
    best = float(payoffs.sum(axis=0).max())
    return Bounded("the regret", best - gained, math.log(2 * QUERIES) / ETA)


@saboteur(
    "mw-sign",
    defect="multiplicative weights with the sign that favours the queries which are answered best",
    printed="document 003, equation 23",
    caught_by=Bounded,
    sound=lambda: regret(sound_weights),
)
def mw_sign() -> Bounded:
    return regret(printed_weights)
