"""Counting a marginal: one pass over the rows, the same for private and for synthetic tables.

    index(row) = ((code_1 size_2 + code_2) size_3 + code_3) ...,   counts = bincount(index)

>>> counts([np.array([0, 1, 1]), np.array([2, 0, 2])], (2, 3)).tolist()
[[0, 0, 1], [1, 0, 1]]
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray


def counts(codes: Sequence[NDArray[np.integer]], sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """The contingency table of some coded columns of equal length, one axis a column."""
    cells = prod(sizes)
    wide = np.int32 if cells < 2**31 else np.int64
    index: NDArray[np.signedinteger] = codes[0].astype(wide)
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        index *= size
        index += code
    return np.bincount(index, minlength=cells).reshape(sizes).astype(np.int64, copy=False)
