"""Rows that stand apart: values beyond the fences of the real column, and pairs of cells that no real row has.

    fences   first quartile - 1.5 IQR,  third quartile + 1.5 IQR       (Tukey), of an ordered column's cells
    unseen   the share of synthetic rows that are, over a pair of columns, in a cell without any real row

A stand-in should have about as many rows beyond the fences as the real table, and few in cells that are unseen.

>>> beyond(np.array([0, 1, 1, 2, 2, 3, 99]), np.array([1, 1, 50, 2]))
(0.14285714285714285, 0.25)
"""

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes, Columns
from understudy.question.counting import counts
from understudy.schema.schema import Schema

Ints = NDArray[np.integer]


def beyond(real: Ints, synthetic: Ints) -> tuple[float, float]:
    """The shares of real and of synthetic values beyond the fences of the real ones.

    Outside: the fences are private.
    """
    if len(real) == 0:
        return 0.0, 0.0
    first, third = np.quantile(real, [0.25, 0.75])
    low, high = first - 1.5 * (third - first), third + 1.5 * (third - first)
    outside = [float(((x < low) | (x > high)).mean()) if len(x) else 0.0 for x in (real, synthetic)]
    return outside[0], outside[1]


def unseen(real: Codes, synthetic: Codes, schema: Schema, pair: Columns) -> float:
    """The share of synthetic rows in cells of a pair that no real row is in.

    Outside: which cells are empty is private.
    """
    shape = tuple(schema.domain[name] for name in pair)
    p, q = (counts([table[name] for name in pair], shape) for table in (real, synthetic))
    return float(q[p == 0].sum() / max(q.sum(), 1))
