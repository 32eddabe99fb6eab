"""Rows: the empirical distribution of some synthetic rows.

    p(x) = (number of rows that are x) / (number of rows)

What players of rows propose (DualQuery, FEM, genetic search), and what a crowd of Gibbs chains stands for. ``now`` are the
rows of the latest round, where the guess is the average over rounds; ``words`` are public diagnostics in the model file.

>>> Rows({"a": np.array([0, 1, 1, 1])}, {"a": 2}).marginal(("a",)).tolist()
[0.25, 0.75]
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.product import systematic
from understudy.game.player import GUESSES, Codes, Columns, Model, refuse_impossible
from understudy.question.counting import counts
from understudy.schema.schema import Schema


@GUESSES.add("rows")
@dataclass(frozen=True, eq=False)
class Rows:
    """Coded rows, with the cells of each column."""

    codes: Codes
    domain: dict[str, int]
    now: Codes | None = field(default=None, repr=False)
    words: dict[str, Any] = field(default_factory=dict, repr=False)

    kind: ClassVar[str] = "rows"

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    @property
    def latest(self) -> "Rows":
        """The rows of the latest round."""
        return self if self.now is None else Rows(self.now, self.domain)

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """Counts over the number of rows."""
        table = counts([self.codes[name] for name in columns], tuple(self.domain[name] for name in columns))
        return table / len(self)

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """Each row n / (number of rows) times, rounded up or down, in any order."""
        order = rng.permutation(len(self))
        chosen = order[rng.permutation(systematic(np.full(len(self), 1 / len(self)), n, rng))]
        return {name: codes[chosen].astype(np.int64) for name, codes in self.codes.items()}

    def given(self, cells: dict[str, int]) -> "Rows":
        """The rows that have these cells."""
        kept = np.ones(len(self), dtype=bool)
        for name, cell in cells.items():
            kept &= self.codes[name] == cell
        refuse_impossible(float(kept.mean()))
        return Rows({name: codes[kept] for name, codes in self.codes.items()}, self.domain)

    def model(self) -> Model:
        least = {name: np.min_scalar_type(size) for name, size in self.domain.items()}
        return self.words, {f"column.{name}": codes.astype(least[name]) for name, codes in self.codes.items()}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Rows":
        """The guess of a model file."""
        codes: Codes = {name: arrays[f"column.{name}"].astype(np.int64) for name in schema.domain}
        return Rows(codes, schema.domain, words=words)


def uniform(domain: dict[str, int], n: int, rng: np.random.Generator) -> Codes:
    """Rows of independent uniform cells, as even as n rows can be."""
    return {name: rng.permutation(systematic(np.full(size, 1 / size), n, rng)) for name, size in domain.items()}


def joined(parts: list[Codes]) -> Codes:
    """Rows one after another."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
