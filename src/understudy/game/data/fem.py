"""FEM: follow the perturbed leader with rows (FEM), and the same with a separating set of queries (sepFEM).

    D_t = s rows, each   argmax over x of  sum over i < t of +-q_i(x)  +  sum_j noise_j[x_j],       noise anew for each row
    FEM      noise_j[c] exponential of mean ``scale`` sqrt(T)          (on the bits of a row)
    sepFEM   noise_j[c] Laplace of the same scale                      (on a separating set: the one-way cells)

+-q_i is the signed query that round i selected against D_i; the average of all D_t is released. The noise is the learner's
own and public: it hides nothing, it keeps the leader from being exploited.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.dualquery import averaged, solving
from understudy.game.data.respond import Objective
from understudy.game.data.rows import Rows
from understudy.game.measurement import size
from understudy.game.player import Forecast, coin_of
from understudy.game.query.cells import signed_of
from understudy.question.select_cell import SelectCell
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

ROWS = 16  # of one proposal
SCALE = 0.2

Noise = Callable[[np.random.Generator, int], NDArray[np.float64]]


def exponential(rng: np.random.Generator, cells: int) -> NDArray[np.float64]:
    """FEM's perturbation."""
    return rng.exponential(size=cells)


def laplace(rng: np.random.Generator, cells: int) -> NDArray[np.float64]:
    """sepFEM's."""
    return rng.laplace(size=cells)


@dataclass
class FemPlayer:
    """Leads by all selections on the tape, perturbed."""

    noise: Noise
    rounds: Callable[[int], int]  # from the public number of rows
    most: int
    rows: int = ROWS
    scale: float = SCALE
    _objective: Objective | None = field(default=None, repr=False)
    _proposals: list[list[dict[str, int]]] = field(default_factory=list, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """``rows`` solves a round."""
        return solving(schema, self.rows * (self.most if schema.n is None else self.rounds(schema.n)))

    def fit(self, tape: Tape, schema: Schema) -> Rows:
        """All proposals that were played against, and the one to play against next."""
        if self._objective is None:
            self._objective = Objective(schema.domain)
        entries, width = tape.of(SelectCell.kind), self.scale * self.rounds(size(tape, schema)) ** 0.5
        while len(self._proposals) <= len(entries):
            t = len(self._proposals)
            if t:
                signed = signed_of(entries[t - 1], schema)
                self._objective.add(signed.query, signed.sign)
            rng = coin_of(tape, f"leader {t}")
            self._proposals.append([self._leader(rng, width, schema) for _ in range(self.rows)])
        return averaged(self._proposals, schema)

    def _leader(self, rng: np.random.Generator, width: float, schema: Schema) -> dict[str, int]:
        assert self._objective is not None
        return self._objective.best({name: width * self.noise(rng, cells) for name, cells in schema.domain.items()})
