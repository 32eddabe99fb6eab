"""Vote: how many teachers, each with its own shard of the rows, take a public candidate for real (PATE).

    copy of a row z            1, 2, 3, ... for the rows of the same cells as z
    shard of a row z           a public hash of z's cells and its copy, modulo the number of teachers
    K(z, x)                    a (a + 1) / 2 with a the number of columns in which z and x are in the same cell
    teacher s says yes to x    its shard has rows, and the mean of K(z, x) over them is at least that over the candidates

A teacher is the sign of the witness between its shard and the candidates: a discriminator in closed form, compared in whole
numbers, so that it is a function of its shard alone, in whatever order.

Math.  f(S) = the number of teachers that say yes to each of n candidates. As pairs (cells, copy), a table is a set, and a row
more or less of some cells is one pair more or less: the last copy. So one row changes one shard, whatever the other rows are
and however they are ordered, and a teacher moves each count by at most 1. With at most R rows a unit

    add-remove:   l1 = n R,     l2sq = n R^2,     linf = R
    replace-one:  l1 = 2 n R,   l2sq = 4 n R^2,   linf = 2 R
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.relation import Relation

CANDIDATES = ("candidates",)  # what the reference calls them: a line for each, a column for each column
BLOCK = 4096  # rows that are compared at once
MOST_TEACHERS = 2**16

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Vote(Question):
    """The votes of so many ``teachers`` on ``n`` candidates, which the reference holds."""

    columns: tuple[str, ...]
    reference: Reference
    n: int
    teachers: int

    kind: ClassVar[str] = "vote"

    def __post_init__(self) -> None:
        if self.n < 1 or not 1 <= self.teachers <= MOST_TEACHERS:
            raise Misuse("a vote has at least one candidate, and 1 to 65,536 teachers", "choose them so")

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        moved = sides * rows
        return Sensitivity(l1=self.n * moved, l2sq=self.n * moved**2, linf=moved)

    def statistic(self, rows: Rows) -> Ints:
        candidates = self.reference[CANDIDATES]
        if candidates.shape != (self.n, len(self.columns)):
            raise Misuse("the candidates are not as many as the question says", "give a line for each")
        cells = np.stack([np.asarray(rows.codes(name), dtype=np.int64) for name in self.columns], axis=1)
        return votes(cells, shards(cells, self.teachers), candidates, self.teachers)


def votes(cells: Ints, shard: Ints, candidates: Ints, teachers: int) -> Ints:
    """How many teachers say yes to each candidate, each row being in its shard."""
    likeness, sizes = np.zeros((teachers, len(candidates)), dtype=np.int64), np.bincount(shard, minlength=teachers)
    for start in range(0, len(cells), BLOCK):
        block = slice(start, start + BLOCK)
        np.add.at(likeness, shard[block], kernel(cells[block], candidates))
    # mean over the shard >= mean over the candidates, without dividing
    own = kernel(candidates, candidates).sum(axis=0)
    says_yes = (len(candidates) * likeness >= sizes[:, None] * own) & (sizes[:, None] > 0)
    return np.asarray(says_yes.sum(axis=0), dtype=np.int64)


def kernel(one: Ints, other: Ints) -> Ints:
    """K of every row of one with every row of the other: columns and pairs of columns in which they agree."""
    agree = np.zeros((len(one), len(other)), dtype=np.int64)
    for column in range(one.shape[1]):
        agree += one[:, column, None] == other[None, :, column]
    return agree * (agree + 1) // 2


def shards(cells: Ints, teachers: int) -> Ints:
    """The shard of each row: its cells and its copy mixed one after another (splitmix64), modulo 2^64, then the teachers."""
    mixed = np.zeros(len(cells), dtype=np.uint64)
    for column in [*cells.T, copies(cells)]:
        mixed += column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return (mixed % np.uint64(teachers)).astype(np.int64)


def copies(cells: Ints) -> Ints:
    """1, 2, 3, ... for the rows of the same cells."""
    _, kind, many = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(kind.ravel(), kind="stable")
    copy = np.empty(len(cells), dtype=np.int64)
    copy[order] = np.arange(len(cells)) - np.repeat(np.cumsum(many) - many, many) + 1
    return copy
