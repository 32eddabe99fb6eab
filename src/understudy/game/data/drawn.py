"""Drawn: a distribution that is known by its rows only. Marginals are counted over public draws, conditions are met by drawing.

    p(cells) = share of ``COUNTED`` public draws that have them, the same draws each time

What has a formula for its rows and none for its marginals inherits from this: it makes rows in ``detailed``. Given a cell of
its label it may know better (``of_class``); given others, rows are drawn until there are enough that have them. Given cells
that fewer than one row in ``RARE`` has are refused.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.rows import joined
from understudy.game.player import Codes, Columns, Details, Model
from understudy.question.counting import counts
from understudy.refusal import Misuse
from understudy.schema.schema import Schema

COUNTED, BATCH, RARE = 20_000, 2**13, 20_000
UNKEPT = "rows given some values are drawn, not kept as a model", "keep the model that they come from"


@dataclass(frozen=True, eq=False)
class Drawn:
    """A schema, and rows of it."""

    schema: Schema
    label: str
    _counted: Codes = field(default_factory=dict, repr=False, kw_only=True)

    kind: ClassVar[str] = ""

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows of codes, and what is finer."""
        raise NotImplementedError

    def of_class(self, cell: int) -> "Drawn":
        """The distribution of one class."""
        raise NotImplementedError

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows of codes."""
        return self.detailed(n, rng)[0]

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """Counted over the public draws."""
        if not self._counted:
            self._counted.update(self.rows(COUNTED, np.random.default_rng(0)))
        table = counts([self._counted[name] for name in columns], tuple(self.schema.domain[name] for name in columns))
        return table / COUNTED

    def given(self, cells: dict[str, int]) -> "Drawn":
        """The rows that have these cells."""
        if self.label in cells:
            others = {name: cell for name, cell in cells.items() if name != self.label}
            return self.of_class(cells[self.label]).given(others)
        return Sifted(self.schema, self.label, self, cells) if cells else self

    def model(self) -> Model:
        raise Misuse(*UNKEPT)

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Drawn":
        """The guess of a model file."""
        raise Misuse(*UNKEPT)


@dataclass(frozen=True, eq=False)
class Sifted(Drawn):
    """A distribution, and the cells that its rows must have."""

    source: Drawn
    cells: dict[str, int]

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows that have the cells: drawn until there are as many."""
        kept: list[tuple[Codes, Details]] = []
        found = tried = 0
        while found < n or not kept:
            codes, details = self.source.detailed(BATCH, rng)
            good = np.logical_and.reduce([codes[name] == cell for name, cell in self.cells.items()])
            kept.append(({k: v[good] for k, v in codes.items()}, {k: v[good] for k, v in details.items()}))
            found, tried = found + int(good.sum()), tried + BATCH
            if tried >= 4 * RARE and found * RARE < tried:
                raise Misuse(
                    "the model has hardly a row with the given values together", "give fewer values, or others"
                )
        codes, details = joined([part for part, _ in kept]), joined([finer for _, finer in kept])
        return {k: v[:n] for k, v in codes.items()}, {k: v[:n] for k, v in details.items()}

    def of_class(self, cell: int) -> Drawn:
        """That class of the source, with the same cells given."""
        return self.source.of_class(cell).given(self.cells)
