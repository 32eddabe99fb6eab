"""Value: what a guess gives to one listed query, and where a query holds on the grid of its columns.

    q(g) = sum of g's marginal over q's columns, where q holds

>>> from understudy.question.queries import Box
>>> mask(Box((("a", 1, 1), ("b", 0, 1))), {"a": 2, "b": 3}).astype(int).tolist()
[[0, 0, 0], [1, 1, 0]]
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Columns, Guess
from understudy.question.queries import Box, Query
from understudy.question.reference import Reference
from understudy.question.select_cell import LISTED


def mask(query: Query, domain: Mapping[str, int]) -> NDArray[np.bool_]:
    """q on every cell of the marginal over its columns, one axis a column."""
    if isinstance(query, Box):
        table = np.zeros([domain[name] for name in query.columns], dtype=bool)
        table[tuple(slice(low, high + 1) for _, low, high in query.sides)] = True
        return table
    grid = np.indices([domain[name] for name in query.columns])
    return query.matches(dict(zip(query.columns, grid, strict=True)))


def value(guess: Guess, query: Query, domain: Mapping[str, int]) -> float:
    """q(g)."""
    return float(guess.marginal(query.columns)[mask(query, domain)].sum())


def expectations(
    guess: Guess, cliques: tuple[Columns, ...], queries: tuple[Query, ...], domain: Mapping[str, int]
) -> dict[Columns, NDArray[np.float64]]:
    """A guess's marginals and its values of the listed queries, as a selection of cells names them."""
    found = {clique: guess.marginal(clique) for clique in cliques}
    return found | ({LISTED: np.array([value(guess, q, domain) for q in queries])} if queries else {})


def rounded(expected: Mapping[Columns, NDArray[np.float64]], n: int) -> Reference:
    """What n rows would have of it, in whole rows."""
    return Reference.of_tables({name: np.rint(n * table).astype(np.int64) for name, table in expected.items()})
