"""Whether synthetic rows lie where real rows lie: both are clustered together, and each cluster's mixture is looked at.

    U  =  mean over clusters of ( real rows in it / rows in it  -  real rows / rows )^2        (Woo and others, 2009)

0 where every cluster has its share of each; the logarithm that is usually taken only stretches it. k-means is Lloyd's
iteration from the rows that are farthest from each other (public rule, no randomness).

>>> x = np.array([[0.0], [0.1], [5.0], [5.1]])
>>> assignment(x, centres(x, 2)).tolist()
[0, 0, 1, 1]
>>> separation(x[[0, 2]], x[[1, 3]], 2), separation(x[:2], x[2:], 2)
(0.0, 0.25)
"""

import numpy as np
from numpy.typing import NDArray

from understudy.measure.variation import Array

STEPS = 50


def separation(real: Array, synthetic: Array, clusters: int) -> float:
    """U of two sets of rows: 0 where no cluster can tell them apart, share (1 - share) where every one does.

    Outside: of private rows it is private.
    """
    both = np.concatenate([real, synthetic])
    found = assignment(both, centres(both, clusters))
    sizes = np.bincount(found, minlength=clusters)
    of_real = np.bincount(found[: len(real)], minlength=clusters)
    there = sizes > 0
    # U = mean ( n_j(real) / n_j - c )^2
    return float(((of_real[there] / sizes[there] - len(real) / len(both)) ** 2).mean())


def centres(x: Array, clusters: int) -> Array:
    """k-means: each centre is the mean of the rows that are nearest to it.

    Outside: of private rows it is private.
    """
    return lloyd(x, farthest(x, clusters))


def lloyd(x: Array, found: Array) -> Array:
    """Assign and average, until nothing moves.

    Outside: of private rows it is private.
    """
    for _ in range(STEPS):
        nearest = assignment(x, found)
        sizes = np.bincount(nearest, minlength=len(found))
        sums = np.stack([np.bincount(nearest, weights=column, minlength=len(found)) for column in x.T], axis=1)
        moved = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], found)
        if np.allclose(moved, found, rtol=0, atol=1e-12):
            break
        found = moved
    return found


def farthest(x: Array, clusters: int) -> Array:
    """The first centre is the mean's farthest row, each other the row farthest from those before it.

    Outside: of private rows it is private.
    """
    chosen = [int(((x - x.mean(axis=0)) ** 2).sum(axis=1).argmax())]
    nearest = ((x - x[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(clusters, len(x)):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((x - x[chosen[-1]]) ** 2).sum(axis=1))
    return x[sorted(chosen)]


def assignment(x: Array, found: Array) -> NDArray[np.int64]:
    """The nearest centre of each row.

    Outside: of private rows it is private.
    """
    # |x - c|^2 = |x|^2 - 2 x c + |c|^2, and |x|^2 is the same for every centre
    return np.asarray(((found**2).sum(axis=1) - 2 * x @ found.T).argmin(axis=1), dtype=np.int64)
