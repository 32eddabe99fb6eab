"""Haar: random orthonormal directions, the same for everybody, from the tape's public coin.

    Q R = G,   G of independent normals,   W = Q sign(diag R)        uniform over all frames: the sign is what makes it so

Which directions they are depends on nothing private, so they cost nothing. With uniform numbers for G, as document 004's
code has it, or without the sign, the frames are not uniform.
"""

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import coin_of
from understudy.vault.tape import Tape

Array = NDArray[np.float64]


def haar(tape: Tape, rows: int, columns: int) -> Array:
    """A frame of so many columns, each of length 1 and at right angles to the others."""
    q, r = np.linalg.qr(coin_of(tape, "haar").standard_normal((rows, columns)))
    return np.asarray(q * np.sign(np.diag(r)))


def beside(frame: Array, kept: int) -> Array:
    """The frame, and as many coordinates after it that are kept as they are."""
    rows, columns = frame.shape
    both = np.zeros((rows + kept, columns + kept))
    both[:rows, :columns], both[rows:, columns:] = frame, np.eye(kept)
    return both
