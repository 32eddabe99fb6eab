"""What a statistic may look at. The vault implements this protocol; nobody else holds one.

A question is public, so its code can be read by anybody; the rows that it is computed on are handed to it inside the
vault, by the gate, after the charge.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.question.queries import Query


class Rows(Protocol):
    """The sealed table, encoded by its schema."""

    def __len__(self) -> int: ...

    def counts(self, columns: tuple[str, ...]) -> NDArray[np.int64]:
        """The exact marginal over some columns, one axis a column."""
        ...

    def matches(self, query: Query) -> int:
        """How many rows a listed query holds for."""
        ...

    def numbers(self, columns: tuple[str, ...]) -> NDArray[np.int16]:
        """Every row as a vector of whole numbers, the coordinates of these columns one after another.

        From 0 to UNIT, as `schema/coordinates.py` says; a row's vector depends on that row alone.
        """
        ...

    def codes(self, column: str) -> NDArray[np.integer]:
        """The cell of every row in one column."""
        ...

    def ends(self, column: str) -> NDArray[np.int64]:
        """The numbers of the two nodes of every edge in a column, -1 where there is none."""
        ...

    def ticks(self, column: str) -> list[int]:
        """The ticks of a column whose bounds are not settled yet, one for each row that has one."""
        ...

    def texts(self, column: str) -> dict[str, int]:
        """The values of a column whose list is not settled yet, each with its number of rows."""
        ...
