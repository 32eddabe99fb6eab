"""Batches cut one after another from the file, priced as if every row had been sampled by a coin.

Document 004's training walks through its data in fixed slices and asks an accountant about Poisson samples. Its claim of
epsilon 1 is 0.68 with coins, and 21.5 without: no row is ever uncertain to be looked at.
"""

from fractions import Fraction

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Includes
from understudy.noise.entropy import Seeded
from understudy.noise.sampled_gaussian import heads

ROWS, BATCH, STEPS = 40, 10, 2000


def slices() -> np.ndarray:
    """Step t looks at rows t B to (t + 1) B, and begins again at the end."""
    step, row = np.indices((STEPS, ROWS))
    return np.asarray(row // BATCH == step % (ROWS // BATCH))


def coins() -> np.ndarray:
    """Every row by a coin of its own, as the vault throws them."""
    entropy = Seeded(0)
    return np.array([heads(ROWS, Fraction(BATCH, ROWS), entropy) for _ in range(STEPS)])


@saboteur(
    "sequential-batches",
    defect="fixed slices of the table with the price of Poisson samples",
    printed="document 004's training loop: sequential slices, and the accountant of sampled batches",
    caught_by=Includes,
    sound=lambda: Includes(coins(), BATCH / ROWS),
)
def sequential() -> Includes:
    return Includes(slices(), BATCH / ROWS)
