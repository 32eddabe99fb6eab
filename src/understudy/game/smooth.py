"""Smooth: the frames in which pictures are looked for among noise, from the smoothest to all of them.

    cosine k of n pixels    c_k(i) = sqrt((1 + [k > 0]) / n) cos(pi k (2 i + 1) / (2 n)),   i = 0 .. n - 1
    frame of a share s      c_k(row) c_l(column),  k < s height, l < s width, for each channel; all else is kept

Pictures have most of their variance in slow waves, noise has as much in every wave. That is public knowledge of pictures as
such, not of these. A frame is a p x d matrix with orthonormal columns.

>>> from understudy.schema.column import Image
>>> [frame.shape for frame in frames(Space((Image("tiny", height=4, width=4),)))]
[(16, 4), (16, 9), (16, 16)]
>>> bool(np.allclose(cosines(5, 5).T @ cosines(5, 5), np.eye(5)))
True
"""

import math

import numpy as np
from numpy.typing import NDArray

from understudy.game.space import Space
from understudy.schema.column import Image

SHARES = (3 / 8, 1 / 2, 5 / 8, 3 / 4, 1)  # of the waves along each side

Array = NDArray[np.float64]


def cosines(n: int, d: int) -> Array:
    """The d slowest cosines of n pixels, n x d and orthonormal."""
    i, k = np.arange(n)[:, None], np.arange(d)
    return np.asarray(np.sqrt((1 + (k > 0)) / n) * np.cos(np.pi * k * (2 * i + 1) / (2 * n)))


def frame(space: Space, share: float) -> Array:
    """One frame for all columns of a space."""
    parts = []
    for column, wide in zip(space.columns, space.widths, strict=True):
        if isinstance(column, Image):
            height, width = (cosines(n, math.ceil(share * n)) for n in (column.height, column.width))
            parts.append(np.kron(np.kron(height, width), np.eye(column.channels)))
        else:
            parts.append(np.eye(wide))
    made = np.zeros((space.dimension, sum(part.shape[1] for part in parts)))
    row = column_at = 0
    for part in parts:
        made[row : row + part.shape[0], column_at : column_at + part.shape[1]] = part
        row, column_at = row + part.shape[0], column_at + part.shape[1]
    return made


def frames(space: Space) -> tuple[Array, ...]:
    """Each of another width, the smoothest first."""
    found = {made.shape[1]: made for made in (frame(space, share) for share in SHARES)}
    return tuple(found.values())
