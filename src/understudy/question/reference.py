"""References: public tables that a question compares the private one with; the tape records them by digest.

>>> a = Reference.of_tables({("sex",): np.array([3, 4])})
>>> a.digest == Reference.of_tables({("sex",): np.array([3, 4])}).digest
True
>>> Reference.of_rows({"sex": np.array([0, 1, 1])}, {"sex": 2})[("sex",)].tolist()
[1, 2]
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.question.counting import counts
from understudy.refusal import Misuse

Columns = tuple[str, ...]
Table = NDArray[np.int64]


def unknown(columns: Columns) -> Table:
    """A question read back from a tape has the digest only: it can be priced, not asked."""
    raise TypeError("this question was read from a tape: its reference tables are known by digest only")


@dataclass(frozen=True)
class Reference:
    """Integer tables by columns, known to everybody by their digest."""

    digest: str
    table: Callable[[Columns], Table] = field(default=unknown, compare=False, repr=False)

    def __getitem__(self, columns: Columns) -> Table:
        return self.table(columns)

    def beside(self, exact: Table, columns: Columns) -> Table:
        """The table to compare ``exact`` with: integers, of the same shape. Stretched, it would count a row many times."""
        table = np.asarray(self.table(columns))
        if table.shape != exact.shape or table.dtype != np.int64:
            raise Misuse(
                f"the reference for {' x '.join(columns)} is not an integer table of its marginal's shape",
                "give one int64 count for each cell",
            )
        return table

    @staticmethod
    def of_tables(tables: Mapping[Columns, Table]) -> "Reference":
        """Tables that are there already, digested in their order."""
        digest = hashlib.sha256()
        for columns, table in tables.items():
            digest.update(json.dumps([columns, table.shape]).encode())
            digest.update(np.ascontiguousarray(table, dtype="<i8").tobytes())
        return Reference(digest.hexdigest(), tables.__getitem__)

    @staticmethod
    def of_rows(codes: Mapping[str, NDArray[np.integer]], domain: Mapping[str, int]) -> "Reference":
        """The marginals of coded rows, counted when they are asked for; the digest is that of the rows."""
        digest = hashlib.sha256()
        for name, column in codes.items():
            digest.update(json.dumps([name, domain[name], len(column)]).encode())
            digest.update(np.ascontiguousarray(column, dtype="<u4").tobytes())

        def table(columns: Columns) -> Table:
            return counts([codes[name] for name in columns], tuple(domain[name] for name in columns))

        return Reference(digest.hexdigest(), table)
