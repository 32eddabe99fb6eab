"""Stand-in rows for a plan: invented from the schema alone, so that a release can be tried before anybody is looked at.

Five kinds of rows, each with its own distribution over every column; which rows, and which distributions, follows from the
schema's digest. So the same schema has the same stand-in on every machine, and there is nothing private in it. It is as
correlated as five kinds of people make it; a real table may be easier or harder.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from understudy.game.data.mixture import Mixture
from understudy.game.discover import assumed
from understudy.game.player import coin_of
from understudy.publish.release import rows_of
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

KINDS = 5
SPREAD = 0.6  # of the Dirichlet distributions: below 1, a kind of row has some cells that are much more frequent


def invented(schema: Schema, rows: int) -> tuple[Schema, pa.Table]:
    """The schema with everything declared, and so many rows of it, each a unit of its own."""
    declared = assumed(schema)
    if declared.unit.column is not None:
        declared = replace(declared, unit=replace(declared.unit, column=None, rows=1))
    tape = Tape({"coin": declared.digest})
    rng = coin_of(tape, "kinds of rows")
    weights = rng.dirichlet(np.full(KINDS, 3.0))
    columns = {name: rng.dirichlet(np.full(cells, SPREAD), size=KINDS) for name, cells in declared.domain.items()}
    return declared, rows_of(Mixture(weights, columns), declared, tape, rows, 0)[1]
