"""A workload: the marginals that must come out well, and on which the certificate speaks; and queries besides.

    3way             all marginals of three columns
    3way:income      those of them that have the column 'income'
    FILE             a JSON file, question/listed.py

Its query class Q is every cell of every marginal, and every listed query: counts of rows, each row adding 0 or 1. Errors
are absolute, so Q and its complements (1 - q) have the same: the class counts as closed under complement.

>>> ways(("a", "b", "c"), 2)
(('a', 'b'), ('a', 'c'), ('b', 'c'))
"""

import re
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

from understudy.question.listed import listed
from understudy.question.queries import Query
from understudy.refusal import Infeasible, Misuse
from understudy.schema.schema import Schema

Columns = tuple[str, ...]

LARGEST = 2**26  # cells of one marginal that we are willing to count
MANY = 200_000  # marginals of one workload


@dataclass(frozen=True)
class Workload:
    """Marginals by name, each a tuple of distinct columns in schema order; and listed queries."""

    name: str
    cliques: tuple[Columns, ...]
    queries: tuple[Query, ...] = ()
    weights: tuple[int, ...] = ()  # how much each marginal matters to those who choose; all alike where there are none

    @property
    def repeated(self) -> tuple[Columns, ...]:
        """Every marginal as many times as its weight says."""
        each = zip(self.cliques, self.weights or (1,) * len(self.cliques), strict=True)
        return tuple(clique for clique, weight in each for _ in range(weight))

    def refuse_infeasible(self, schema: Schema) -> None:
        """No marginal may have more cells than can be counted; told from the schema alone."""
        for clique in self.cliques:
            cells = schema.cells(clique)
            if cells > LARGEST:
                widest = max(clique, key=lambda name: schema.domain[name])
                raise Infeasible(
                    f"the marginal {' x '.join(clique)} has {cells:,} cells, more than {LARGEST:,}",
                    f"coarsen column '{widest}' ({schema.domain[widest]:,} cells), or choose a smaller workload",
                )


def ways(names: Columns, k: int) -> tuple[Columns, ...]:
    """All k-way marginals."""
    return tuple(combinations(names, k))


def read_workload(words: str, schema: Schema) -> Workload:
    """A workload from the words of a command: 1way, 2way, ..., 3way:column, or a JSON file."""
    names = tuple(column.name for column in schema.modelled)
    way, _, target = words.partition(":")
    if re.fullmatch("[0-9]{1,3}way", way):
        return Workload(words, marginals(int(way[:-3]), names, target))
    weighted, queries = listed(Path(words), schema)
    if not weighted:
        return Workload("listed", marginals(2, names), queries)
    refuse_many(sum(weighted.values()))
    return Workload("listed", tuple(weighted), queries, tuple(weighted.values()))


def marginals(k: int, names: Columns, target: str = "") -> tuple[Columns, ...]:
    """All k-way marginals, or those that have the target; of all columns together where there are fewer than k."""
    if not 1 <= k <= 5:
        raise Misuse("a workload has marginals of 1 to 5 columns", "use 1way to 5way")
    if target and target not in names:
        raise Misuse(f"the workload names '{target}', which is not a modelled column", "name one that the schema has")
    k = min(k, len(names))
    refuse_many(comb(len(names) - 1, k - 1) if target else comb(len(names), k))
    if not target:
        return ways(names, k)
    others = ways(tuple(name for name in names if name != target), k - 1)
    return tuple(tuple(name for name in names if name in (*clique, target)) for clique in others)


def refuse_many(marginals: int) -> None:
    """There is a limit to how many marginals one workload may have."""
    if marginals > MANY:
        raise Infeasible(
            f"the workload has {marginals:,} marginals, more than {MANY:,}", "list the ones that matter in a file"
        )
