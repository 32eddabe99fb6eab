"""Saboteur: document 003's discriminator, whose weights fall with the payoff: exp(-eta sum V) instead of exp(+eta sum V).

V(q, g) is the query player's gain, so the printed weights gather on the queries that the generator answers best, and the game
stands still. The test compares its regret with the bound ln K / eta that the right sign keeps (`game/query/weights.py`).
"""

import numpy as np
from numpy.typing import NDArray


def printed_weights(payoffs: NDArray[np.float64], eta: float) -> NDArray[np.float64]:
    """The printed law after some rounds: a line of payoffs a round, a column a query."""
    heights = -eta * payoffs.sum(axis=0)
    weights = np.exp(heights - heights.max())
    return np.asarray(weights / weights.sum())
