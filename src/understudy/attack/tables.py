"""Attacks on synthetic rows by an enemy who knows nothing of the algorithm. Rows are cells; high scores say "was in".

    nearest neighbour   minus the least number of columns in which a person differs from a synthetic row
    density ratio       ln p_S(x) - ln p_R(x), with p(x) the mean over rows of exp(-differing columns / h), for the synthetic
                        rows and for a reference of the same population (DOMIAS, van Breugel and others 2023)

A person who is typical is near to many rows whether he was in or not: the ratio takes that off, the neighbour does not.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Codes = Mapping[str, NDArray[np.integer]]
Floats = NDArray[np.float64]
BANDWIDTH = 0.5  # columns: one that differs takes off a factor of e^2
AT_ONCE = 4_000_000  # cells compared in one go


def nearest(people: Codes, synthetic: Codes) -> Floats:
    """Minus the distance to the nearest synthetic row."""
    return np.concatenate([-block.min(axis=1).astype(np.float64) for block in differing(people, synthetic)])


def density_ratio(people: Codes, synthetic: Codes, reference: Codes) -> Floats:
    """How much denser the synthetic rows are around a person than the reference is."""
    return log_density(people, synthetic) - log_density(people, reference)


def log_density(people: Codes, rows: Codes) -> Floats:
    """ln of the mean kernel."""
    return np.concatenate(
        [np.log(np.exp(-block / BANDWIDTH).mean(axis=1) + 1e-30) for block in differing(people, rows)]
    )


def differing(people: Codes, rows: Codes) -> Iterator[NDArray[np.int16]]:
    """How many columns differ, of each person and each row, in blocks of people."""
    names = list(people)
    mine = np.column_stack([people[name] for name in names]).astype(np.int32)
    theirs = np.column_stack([rows[name] for name in names]).astype(np.int32)
    step = max(1, AT_ONCE // max(len(theirs), 1))
    for start in range(0, len(mine), step):
        block = mine[start : start + step]
        found = np.zeros((len(block), len(theirs)), dtype=np.int16)
        for column in range(len(names)):
            found += block[:, column, None] != theirs[None, :, column]
        yield found
