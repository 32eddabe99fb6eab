"""Waves off the tape: the public frequencies of random features, as wide as rows are typically apart.

    w ~ N(0, I / l^2),   l = the reach of rows from the middle (a noisy histogram of lengths) over sqrt 2

The mean of cos(w x) and sin(w x) over such w is what a Gaussian kernel of width l sees of a distribution. They are drawn from
the tape's coin, once the histogram is answered, in whole steps of 1/PERIOD of a turn for each UNIT.
"""

import numpy as np
from numpy.typing import NDArray

from understudy.game.moments import Estimate
from understudy.game.player import coin_of
from understudy.question.lift import FARTHEST, PERIOD
from understudy.schema.coordinates import UNIT
from understudy.vault.tape import Tape

FREQUENCIES = 500


def frequencies(tape: Tape, estimate: Estimate) -> NDArray[np.int64]:
    """One column a frequency (p x FREQUENCIES)."""
    length = max(estimate.reach(tape, 0), 1) / UNIT / 2**0.5
    drawn = coin_of(tape, "waves").standard_normal((estimate.space.dimension, FREQUENCIES)) / length
    # radians for each UNIT into steps of 1/PERIOD of a turn
    return np.asarray(np.clip(np.rint(drawn * PERIOD / (2 * np.pi)), -FARTHEST, FARTHEST), dtype=np.int64)
