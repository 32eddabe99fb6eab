"""Principal components of two tables side by side: how far each direction of one is from that of the other.

    raw      | w - w' |                   as the source documents print it: two arbitrary signs are in it
    free     min( |w - w'|, |w + w'| )    without them; 0 to sqrt 2
    angle    arccos |w . w'|              the same in degrees: 0 (the same direction) to 90
    space    the largest angle between the spaces that the first k directions span

A direction is told only as well as its variance stands out from the next one's: where two are nearly equal, directions
turn freely, and only the space that they span means anything.

>>> square = np.array([[-1.0, -0.1], [1.0, 0.1], [0.1, -0.5], [-0.1, 0.5]])
>>> same = components(square, 2)
>>> found = compare(same, Components(same.directions * np.array([[-1], [1]]), same.variances))
>>> [round(float(x), 3) for x in (found.raw[0], found.free[0], found.angle[0], found.space)]
[2.0, 0.0, 0.0, 0.0]
"""

from dataclasses import dataclass

import numpy as np

from understudy.measure.variation import Array


@dataclass(frozen=True)
class Components:
    """The leading directions, one a row, each of length 1, and the share of all variance along each."""

    directions: Array
    variances: Array


@dataclass(frozen=True)
class Comparison:
    """How far each pair of directions is apart, and the spaces they span."""

    raw: Array
    free: Array
    angle: Array
    space: float


def components(x: Array, k: int) -> Components:
    """The first k principal directions of rows of numbers.

    Outside: of private rows it is private; recipe `ron_gauss` and its kin ask for moments through the gate instead.
    """
    moved = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(moved.T @ moved / max(len(x), 1))
    leading = np.argsort(values)[::-1][:k]
    return Components(vectors.T[leading], values[leading] / max(values.sum(), 1e-300))


def compare(real: Components, synthetic: Components) -> Comparison:
    """Direction by direction, in the order of their variances.

    Outside: one of them is of private rows.
    """
    w, v = real.directions, synthetic.directions
    raw, other = np.linalg.norm(w - v, axis=1), np.linalg.norm(w + v, axis=1)
    turned = np.degrees(np.arccos(np.clip(abs((w * v).sum(axis=1)), 0, 1)))
    # the cosines of the angles between two spaces are the singular values of W V'
    between = np.linalg.svd(w @ v.T, compute_uv=False)
    return Comparison(raw, np.minimum(raw, other), turned, float(np.degrees(np.arccos(np.clip(between.min(), 0, 1)))))
