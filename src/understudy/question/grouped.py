"""Rows in blocks, each of one class: what the sums over lifted rows are made of.

A row is in exactly one class: the cell of the label, or class 0 where there is none. So sums by class are a parallel
composition inside one question: a row that comes or goes moves the numbers of one class only.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from understudy.question.lift import Lift, Numbers, Whole
from understudy.question.rows import Rows

BLOCK = 4096  # rows: a product of a block's matrices stays below 2^53


def blocks(
    rows: Rows, lift: Lift, of: Callable[[Numbers, int], Whole], label: str, classes: int
) -> Iterator[tuple[int, Whole]]:
    """The lifted rows of each class, a block at a time. A class beyond the last counts as the last."""
    numbers = lift.read(rows)
    group_of = np.minimum(rows.codes(label), classes - 1) if label else np.zeros(len(numbers), dtype=np.int64)
    for group in range(classes):
        members = np.flatnonzero(group_of == group)
        for start in range(0, len(members), BLOCK):
            yield group, of(numbers[members[start : start + BLOCK]], group)


def packed(matrix: NDArray[np.int64], diagonal: int, other: int) -> NDArray[np.int64]:
    """The upper triangle of a symmetric matrix, weighted."""
    above = np.triu_indices(len(matrix))
    return np.where(above[0] == above[1], diagonal, other) * matrix[above]


def unpacked(triangle: NDArray[np.float64], dimension: int, diagonal: int, other: int) -> NDArray[np.float64]:
    """The symmetric matrix of a weighted upper triangle."""
    above = np.triu_indices(dimension)
    matrix = np.zeros((dimension, dimension))
    matrix[above] = triangle / np.where(above[0] == above[1], diagonal, other)
    return np.asarray(matrix + np.triu(matrix, 1).T)
