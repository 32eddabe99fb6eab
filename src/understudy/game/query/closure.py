"""Closure: the marginals that a workload makes worth measuring, and what they have in common with it.

The downward closure of a workload has every part of its marginals. The weight of a part r is the sum over the workload's
marginals s of |r and s|: how many of the workload's columns measuring r would help (McKenna and others, AIM, 2022).

>>> closure((("a", "b"), ("b", "c")), 2)
{('a',): 1, ('a', 'b'): 3, ('b',): 2, ('b', 'c'): 3, ('c',): 1}
"""

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import combinations
from math import gcd
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Columns, Guess
from understudy.refusal import Misuse


@runtime_checkable
class Tree(Guess, Protocol):
    """A guess that has room for some cliques only."""

    def cells(self, columns: Columns) -> int:
        """The cells of a marginal, as the guess sees them."""
        ...

    def tree_cells(self, cliques: Iterable[Columns]) -> int:
        """The cells that the guess would have, had just these cliques been measured."""
        ...


def tree(guess: Guess) -> Tree:
    """A guess that says how much room its tree takes, or a refusal."""
    if not isinstance(guess, Tree):
        raise Misuse(f"a {guess.kind} guess has no tree to keep small", "pair this query player with a graphical one")
    return guess


def closure(workload: Iterable[Columns], most: int) -> dict[Columns, int]:
    """Every part of at most ``most`` columns, with its weight; weights have no common divisor."""
    cliques = list(workload)
    parts = sorted({part for c in cliques for k in range(1, min(most, len(c)) + 1) for part in combinations(c, k)})
    # weight of r = sum over columns v of r of the number of marginals that have v
    having = Counter(name for clique in cliques for name in clique)
    weights = {part: sum(having[name] for name in part) for part in parts}
    divisor = reduce(gcd, weights.values(), 0) or 1
    return {part: weight // divisor for part, weight in weights.items()}


def expected(guess: Guess, candidates: Iterable[Columns], n: int) -> dict[Columns, NDArray[np.int64]]:
    """What a guess expects of n rows, in whole counts."""
    return {c: np.rint(n * guess.marginal(c)).astype(np.int64) for c in candidates}
