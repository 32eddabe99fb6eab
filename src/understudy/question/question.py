"""A question: a frozen, public request that declares how far one unit can move its answer.

    mechanism    which noise, at which exact scale                       (public, chosen by the query player)
    sensitivity  the largest move of the statistic between neighbours    (a law of the question, proved and tested)
    statistic    the exact integer function of the rows                  (computed in the vault only)

The gate prices ``mechanism`` at ``sensitivity``, charges, and only then computes ``statistic``. A question may depend
on the private table through earlier answers only; what it carries of them stands in its ``spec`` (large public tables
by their digest), and the spec is what the tape records.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.question.mechanism import Mechanism
from understudy.question.rows import Rows
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation

Exact = NDArray[np.int64] | dict[str, int]


@dataclass(frozen=True)
class Question:
    """The base of all questions. ``rows`` below is the bound on rows a unit, R."""

    mechanism: Mechanism

    kind: ClassVar[str] = ""
    long: ClassVar[bool] = False  # whether its answer has so many numbers that the tape keeps their digest only

    def sensitivity(self, rows: int, relation: Relation) -> Sensitivity:
        """The declared law."""
        raise NotImplementedError

    def statistic(self, rows: Rows) -> Exact:
        """The exact answer, inside the vault."""
        raise NotImplementedError

    def spec(self) -> dict[str, Any]:
        """The question as JSON: everything its price depends on, and a digest of everything else."""
        from understudy.question.spec import to_spec

        return to_spec(self)

    @property
    def digest(self) -> str:
        """SHA-256 of the spec."""
        return hashlib.sha256(json.dumps(self.spec(), sort_keys=True).encode()).hexdigest()
