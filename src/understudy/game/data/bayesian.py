"""Bayesian: a network of conditional distributions, each made of one noisy family as it is (PrivBayes).

    p(x) = prod over columns of p(x_j | x_parents(j)),      p(x_j | parents) = family table, moved to the simplex, over its sum

The families are the measured marginals of more than one column, in the order of the tape: the new column of each is the child.
Parents that the table never saw have a child as its column says. Nothing is fitted: what two families say of the same parents
is not reconciled, and the first has the word. As a field on the families' junction tree it answers every marginal exactly.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.graphical import FLOOR, WIDEST, Graphical, Theta
from understudy.game.data.junction import Clique
from understudy.game.data.merging import Groups
from understudy.game.data.product import product_of, project
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import Forecast, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

Array = NDArray[np.float64]


@dataclass
class BayesianPlayer:
    """Makes a network of the families on the tape; ``room`` is the number of cells that their tree may have."""

    room: int
    _fitted: tuple[int, Graphical] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A tree of ``room`` cells, or of the two widest columns where that is more, for each column."""
        refuse_wide(schema, WIDEST)
        widest = max((schema.cells(pair) for pair in combinations(schema.domain, 2)), default=0)
        most, columns = max(self.room, widest), len(schema.domain)
        return Forecast(megabytes=150 + 100 * most / 1e6, seconds=2 + columns**3 * 1e-3 + columns * most * 1e-6)

    def fit(self, tape: Tape, schema: Schema) -> Graphical:
        """The network of the tape so far."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            alone = product_of(tape, schema).columns
            base = [np.log(np.maximum(alone[name], FLOOR)) for name in schema.domain]
            groups = {name: Groups.apart(cells) for name, cells in schema.domain.items()}
            theta = network(measurements(tape, schema), list(alone.values()), list(schema.domain), size(tape, schema))
            self._fitted = looks, Graphical(groups, base, lambda: theta)
        return self._fitted[1]


def network(measured: Iterable[Measurement], alone: list[Array], names: list[str], n: int) -> Theta:
    """Potentials that turn the product of the columns into the network: ln of p(child | parents) / p(child)."""
    theta: Theta = {}
    inside: set[int] = set()
    for m in measured:
        if len(m.columns) == 1:
            continue
        clique: Clique = tuple(sorted(names.index(name) for name in m.columns))
        order = sorted(range(len(clique)), key=lambda i: names.index(m.columns[i]))
        table = project(m.counts.ravel() / max(n, 1)).reshape(m.counts.shape).transpose(order)
        child, *root = (v for v in clique if v not in inside)
        theta[clique] = ratio(table, clique.index(child), alone[child])
        for v in root:  # of the first family neither column is known
            seen = table.sum(axis=1 - clique.index(v), keepdims=True)
            theta[clique] = theta[clique] + logarithm(seen, alone[v].reshape(seen.shape))
        inside |= set(clique)
    return theta


def ratio(table: Array, axis: int, alone: Array) -> Array:
    """ln of p(child | parents) / p(child), the child along one axis."""
    parents = table.sum(axis=axis, keepdims=True)
    shape = [len(alone) if i == axis else 1 for i in range(table.ndim)]
    column = np.broadcast_to(alone.reshape(shape), table.shape)
    given = np.divide(table, parents, out=column.copy(), where=parents > 0)
    return logarithm(given, column)


def logarithm(p: Array, q: Array) -> Array:
    """ln(p / q), neither below the floor."""
    return np.asarray(np.log(np.maximum(p, FLOOR)) - np.log(np.maximum(q, FLOOR)))
