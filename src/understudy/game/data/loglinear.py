"""Log-linear: the average of fields whose potentials are weighted sums of a few public queries.

    p_t(x) = exp( sum_q u_tq q(x) ) / Z_t,        p = sum_t s_t p_t

The queries are those that were selected; u has one line for each round that is averaged. Each field is exact on its junction
tree, whose cliques are the columns of the queries with a weight that is not zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.combing import comb_rows
from understudy.game.data.entropic import factors
from understudy.game.data.junction import Calibrated, Clique, calibrate, cells, join, marginal, triangulate
from understudy.game.data.product import systematic
from understudy.game.player import GUESSES, Codes, Columns, Model, refuse_impossible
from understudy.game.value import mask
from understudy.question.queries import Query
from understudy.question.spec import plain, query
from understudy.schema.schema import Schema

Array = NDArray[np.float64]
KEPT = 2**24  # cells of all fields together, 128 megabytes


@GUESSES.add("loglinear")
@dataclass(frozen=True, eq=False)
class LogLinear:
    """Queries, a line of weights for each averaged field, the fields' shares, and the line to play against next."""

    domain: dict[str, int]
    queries: tuple[Query, ...]
    weights: Array
    shares: Array
    base: tuple[Array, ...] = ()  # logarithms, one array a column: what a given cell rules out
    now: Array | None = field(default=None, repr=False)

    kind: ClassVar[str] = "loglinear"

    @property
    def latest(self) -> "LogLinear":
        """The field of this round by itself."""
        return self if self.now is None else LogLinear(self.domain, self.queries, self.now[None, :], np.ones(1))

    def field(self, line: int) -> Calibrated:
        """One calibrated field; it is kept where all of them together are small."""
        if line in self._kept:
            return self._kept[line]
        found = self._calibrated(line)
        if sum(table.size for table in found.beliefs) * len(self.weights) <= KEPT:
            self._kept[line] = found
        return found

    @cached_property
    def _kept(self) -> dict[int, Calibrated]:
        return {}

    def _calibrated(self, line: int) -> Calibrated:
        names, sizes = list(self.domain), list(self.domain.values())
        theta = potentials(self.queries, self.weights[line], self.domain)
        cliques = {tuple(sorted(names.index(name) for name in columns)): columns for columns in theta}
        tables: list[Array] = [
            theta[columns].transpose([columns.index(names[v]) for v in clique]) for clique, columns in cliques.items()
        ]
        tree = join(triangulate(cliques, sizes), sizes)
        base = list(self.base) or [np.zeros(size) for size in sizes]
        return calibrate(tree, factors(tree, base, list(cliques), tables))

    def marginal(self, columns: Columns) -> Array:
        """The average of the fields' marginals."""
        places = [list(self.domain).index(name) for name in columns]
        ascending: Clique = tuple(sorted(places))
        fields = zip(self.shares, (self.field(line) for line in range(len(self.weights))), strict=True)
        table = np.asarray(sum(share * marginal(found, ascending) for share, found in fields))
        return table.transpose([ascending.index(place) for place in places])

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """Rows of every field in proportion to its share, in any order."""
        many = np.bincount(systematic(self.shares, n, rng), minlength=len(self.shares))
        parts = [comb_rows(self.field(line), int(m), rng) for line, m in enumerate(many) if m]
        order = rng.permutation(n)
        if not parts:
            return {name: np.zeros(0, dtype=np.int64) for name in self.domain}
        return {name: np.concatenate([part[v] for part in parts])[order] for v, name in enumerate(self.domain)}

    def given(self, cells: dict[str, int]) -> "LogLinear":
        """Bayes over the fields, in each of which every other cell of the given columns is ruled out."""
        base = list(self.base) or [np.zeros(size) for size in self.domain.values()]
        for name, cell in cells.items():
            place = list(self.domain).index(name)
            base[place] = np.where(np.arange(self.domain[name]) == cell, base[place], -np.inf)
        narrowed = LogLinear(self.domain, self.queries, self.weights, self.shares, tuple(base))
        lines = range(len(self.weights))
        chance = np.array([narrowed.field(line).log_z - self.field(line).log_z for line in lines])
        shares = self.shares * np.exp(chance)
        refuse_impossible(float(shares.sum()))
        return LogLinear(self.domain, self.queries, self.weights, shares / shares.sum(), tuple(base))

    def model(self) -> Model:
        arrays: dict[str, NDArray[Any]] = {"weights": self.weights, "shares": self.shares}
        arrays |= {f"base.{v}": table for v, table in enumerate(self.base)}
        return {"queries": [plain(q) for q in self.queries]}, arrays

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "LogLinear":
        """The guess of a model file."""
        queries = tuple(query(q) for q in words["queries"])
        base = tuple(arrays[f"base.{v}"] for v in range(len(schema.domain))) if "base.0" in arrays else ()
        return LogLinear(schema.domain, queries, arrays["weights"], arrays["shares"], base)


def potentials(queries: tuple[Query, ...], weights: Array, domain: Mapping[str, int]) -> dict[Columns, Array]:
    """One table for each set of columns: the sum of its queries, each times its weight."""
    found: dict[Columns, Array] = {}
    for asked, weight in zip(queries, weights, strict=True):
        if weight == 0:
            continue
        columns = asked.columns
        table = found.setdefault(columns, np.zeros([domain[name] for name in columns]))
        table += weight * mask(asked, domain)
    return merged(found)


def merged(found: dict[Columns, Array]) -> dict[Columns, Array]:
    """Tables over the same columns in another order are added up."""
    kept: dict[Columns, Array] = {}
    for columns, table in found.items():
        ordered = tuple(sorted(columns))
        turned = table.transpose([columns.index(name) for name in ordered])
        kept[ordered] = kept[ordered] + turned if ordered in kept else turned
    return kept


def tree_cells(queries: tuple[Query, ...], domain: Mapping[str, int]) -> int:
    """The cells of the junction tree that these queries need."""
    names, sizes = list(domain), list(domain.values())
    return cells(triangulate({tuple(sorted(names.index(c) for c in q.columns)) for q in queries}, sizes), sizes)
