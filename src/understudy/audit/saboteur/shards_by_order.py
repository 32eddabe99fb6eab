"""Rows cut into equal parts for the teachers, as they stand: one more at the head, and every teacher has other rows.

The printed sensitivity of PATE, one record one teacher, is true of shards that a record is in whatever the others are.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.question.vote import Vote, shards, votes
from understudy.schema.relation import Relation

TEACHERS = 20
QUESTION = Vote(Exact(), ("a", "b"), Reference("public"), 3, TEACHERS)

Ints = NDArray[np.int64]


def equal_parts(cells: Ints, teachers: int) -> Ints:
    """As many rows as each can have, the first to the first teacher, and so on; the rest to the last."""
    return np.minimum(np.arange(len(cells)) // (len(cells) // teachers), teachers - 1)


def trial(deal: Callable[[Ints, int], Ints]) -> Moves:
    """A table of two kinds of rows, two of each in turn, and the table with one row of every kind more at its head."""
    declared = QUESTION.sensitivity(1, Relation.ADD_REMOVE)
    norms = {"l1": declared.l1, "l2": declared.l2sq**0.5, "linf": declared.linf}
    rows, candidates = np.tile([[0, 0], [0, 0], [1, 1], [1, 1]], (TEACHERS // 2, 1)), np.array([[0, 0], [0, 0], [1, 1]])
    pairs = []
    for first in np.ndindex(2, 2):
        tables = rows, np.concatenate([[first], rows])
        one, other = (votes(table, deal(table, TEACHERS), candidates, TEACHERS) for table in tables)
        pairs.append((one, other))
    return Moves(norms, pairs)


@saboteur(
    "shards-by-order",
    defect="teachers' shards cut in the order of the rows, so that one row more moves all the others",
    printed="common in public code of PATE-GAN, which splits an array into equal parts",
    caught_by=Moves,
    sound=lambda: trial(shards),
)
def shards_by_order() -> Moves:
    return trial(equal_parts)
