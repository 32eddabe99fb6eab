"""Respond: the one row that does best on a weighted sum of queries, the oracle of DualQuery, FEM and their kin.

    x* = argmax over rows x of  sum_q w_q q(x)  +  sum_j h_j[x_j]

A domain of at most ``TABLE`` cells is looked through. A larger one is a mixed-integer program, solved by SCIP: a binary for
each cell of each column, one of them 1; for each query a z between 0 and 1 that its cells push down (w > 0) or up (w < 0). Its
limit is a number of nodes, not a time, so that a replay finds the same row; no privacy depends on how good the row is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.value import mask
from understudy.question.queries import Box, HalfSpace, Query
from understudy.refusal import Misuse

TABLE = 2**14
NODES = 200

Array = NDArray[np.float64]
Linear = Mapping[str, Array]


@dataclass
class Objective:
    """Weighted queries, added up as they come."""

    domain: dict[str, int]
    weights: dict[Query, float] = field(default_factory=dict)
    _table: Array | None = field(default=None, repr=False)

    @property
    def small(self) -> bool:
        """Whether every row can be looked at."""
        return prod(self.domain.values()) <= TABLE and len(self.domain) <= 30

    def add(self, query: Query, weight: float) -> None:
        """One more query."""
        self.weights[query] = self.weights.get(query, 0) + weight
        if self.small:
            if self._table is None:
                self._table = np.zeros(tuple(self.domain.values()))
            self._table += weight * across(mask(query, self.domain), query.columns, self.domain)

    def best(self, linear: Linear) -> dict[str, int]:
        """The best row."""
        if not self.small:
            return solve({query: w for query, w in self.weights.items() if w}, linear, self.domain)
        table = np.zeros(tuple(self.domain.values())) if self._table is None else self._table
        for name, heights in linear.items():
            table = table + across(heights, (name,), self.domain)
        place = np.unravel_index(int(np.argmax(table)), table.shape)
        return {name: int(code) for name, code in zip(self.domain, place, strict=True)}


def across(table: NDArray[Any], columns: tuple[str, ...], domain: Mapping[str, int]) -> Array:
    """A table over some columns with an axis of length 1 for every other one."""
    names = list(domain)
    order = np.argsort([names.index(name) for name in columns])
    shape = [domain[name] if name in columns else 1 for name in names]
    return np.asarray(table.transpose(order).reshape(shape), dtype=np.float64)


def solve(weights: Mapping[Query, float], linear: Linear, domain: Mapping[str, int]) -> dict[str, int]:
    """The best row that SCIP finds within its nodes."""
    model = scip()
    x = {(name, c): model.addVar(vtype="B") for name, size in domain.items() for c in range(size)}
    for name, size in domain.items():
        model.addCons(sum(x[name, c] for c in range(size)) == 1)
    gain = [float(heights[c]) * x[name, c] for name, heights in linear.items() for c in range(domain[name])]
    for query, weight in weights.items():
        # in a box z is whole by itself, as its cells are
        z = model.addVar(vtype="C" if isinstance(query, Box) else "B", lb=0, ub=1)
        gain.append(weight * z)
        if isinstance(query, Box):
            tie_box(model, z, query, weight, x)
        else:
            tie_half_space(model, z, query, weight, x, domain)
    model.setObjective(sum(gain), "maximize")
    model.optimize()
    found = model.getBestSol()
    return {name: max(range(size), key=lambda c: model.getSolVal(found, x[name, c])) for name, size in domain.items()}


def tie_box(model: Any, z: Any, query: Box, weight: float, x: Mapping[tuple[str, int], Any]) -> None:
    """z is at most each side's sum (w > 0), or at least their sum less the other sides (w < 0)."""
    sides = [sum(x[name, c] for c in range(low, high + 1)) for name, low, high in query.sides]
    if weight > 0:
        for side in sides:
            model.addCons(z <= side)
    else:
        model.addCons(z >= sum(sides) - (len(sides) - 1))


def tie_half_space(
    model: Any, z: Any, query: HalfSpace, weight: float, x: Mapping[tuple[str, int], Any], domain: Mapping[str, int]
) -> None:
    """z may be 1 only where the sum reaches the threshold (w > 0), or must be where it does (w < 0)."""
    height = sum(a * c * x[name, c] for name, a in query.weights for c in range(domain[name]))
    ends = [(a * (domain[name] - 1)) for name, a in query.weights]
    low, high = sum(min(0, end) for end in ends), sum(max(0, end) for end in ends)
    if weight > 0:
        # height >= low + (t - low) z
        model.addCons(height >= low + (query.at_least - low) * z)
    else:
        # height <= t - 1 + (high - t + 1) z
        model.addCons(height <= query.at_least - 1 + max(high - query.at_least + 1, 0) * z)


def scip() -> Any:
    """A silent model with a limit by nodes, always the same seeds, one thread."""
    try:
        from pyscipopt import Model
    except ImportError:
        raise Misuse(
            "this recipe needs the solver SCIP, which is not installed", "pip install 'understudy[solvers]'"
        ) from None
    model = Model()
    model.hideOutput()
    model.setParam("limits/nodes", NODES)
    model.setParam("randomization/randomseedshift", 0)
    return model
