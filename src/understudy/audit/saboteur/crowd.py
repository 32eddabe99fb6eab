"""One person with many rows, charged as if there were one: the marginals move by R, not by 1.

The commonest real failure: the unit of privacy is a visit in the ledger and a patient in the promise.
"""

from itertools import product

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.schema.relation import Relation

ROWS, CELLS = 3, 4


def trial(rows: int) -> Moves:
    """A histogram of four cells without one person, and with all that this person's three rows may be."""
    before = np.array([2, 0, 1, 5])
    after = [before + np.bincount(cells, minlength=CELLS) for cells in product(range(CELLS), repeat=ROWS)]
    declared = Marginals(Exact(), (("ward",),)).sensitivity(rows, Relation.ADD_REMOVE)
    norms = {"l1": declared.l1, "l2": declared.l2sq**0.5, "linf": declared.linf}
    return Moves(norms, [(before, table) for table in after])


@saboteur(
    "crowd",
    defect="several rows of one person charged as one",
    printed="documents 000 to 004 assume that a row is a person, and none of them checks it",
    caught_by=Moves,
    sound=lambda: trial(ROWS),
)
def crowd() -> Moves:
    return trial(1)
