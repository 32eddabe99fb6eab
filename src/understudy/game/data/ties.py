"""Ties: another player's guess of the cells, and edges whose ends have the degrees that the tape says.

    degrees      within a block the nearest sequence that does not fall, to the noisy one (isotonic regression): noise on n
                 numbers that are alike is averaged away
    nodes        which node of a block has which degree is drawn by the tape's coin: it is not known, and not asked
    edges        the blocks of each edge from that guess; its ends by a configuration model: every node has as many of its
                 block's ends as its degree says, up to rounding; then ends are exchanged within blocks until no edge joins
                 a node to itself, and as few as can be join the same two nodes twice

So a graph follows a degree-corrected stochastic block model, with other columns beside its edges.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from understudy.game.data.product import systematic
from understudy.game.player import GUESSES, Codes, Columns, DataPlayer, Details, Forecast, Guess, Model, coin_of
from understudy.question.degrees import Degrees
from understudy.schema.edge import Joins, Nodes, turned
from understudy.schema.pair import Edge
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

PASSES = 30  # over the edges that are to be exchanged

Array = NDArray[np.float64]


@GUESSES.add("ties")
@dataclass(frozen=True, eq=False)
class Tied:
    """A guess of the cells, and for each column of edges the degree of every node."""

    cells: Guess
    columns: dict[str, Edge]
    degrees: dict[str, Array]

    kind: ClassVar[str] = "ties"

    def marginal(self, columns: Columns) -> Array:
        """As the cells have it."""
        return self.cells.marginal(columns)

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """As the cells have them."""
        return self.cells.rows(n, rng)

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """Rows of cells, and the two nodes of every edge that is not missing."""
        codes = self.rows(n, rng)
        details: Details = {}
        for name, degrees in self.degrees.items():
            column, cells = self.columns[name], np.asarray(codes[name], dtype=np.int64)
            there = cells < column.values_size
            details[name] = np.full((n, 2), -1, dtype=np.int64)
            details[name][there] = configuration(column.joins, cells[there], degrees, rng)
        return codes, details

    def given(self, cells: dict[str, int]) -> "Tied":
        """The same nodes, at cells that are given these."""
        return Tied(self.cells.given(cells), self.columns, self.degrees)

    def model(self) -> Model:
        words, arrays = self.cells.model()
        arrays = {f"cells.{name}": array for name, array in arrays.items()}
        return {"kind": self.cells.kind, "words": words}, arrays | {
            f"degrees.{name}": degrees for name, degrees in self.degrees.items()
        }

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Tied":
        """The guess of a model file."""
        inner = {name.removeprefix("cells."): array for name, array in arrays.items() if name.startswith("cells.")}
        edges = by_name(schema)
        degrees = {name: arrays[f"degrees.{name}"] for name in edges if f"degrees.{name}" in arrays}
        return Tied(GUESSES[words["kind"]].rebuild(words["words"], inner, schema), edges, degrees)


@dataclass(frozen=True)
class TiesPlayer:
    """Leaves the cells to another player, and fits the degrees by themselves."""

    inner: DataPlayer

    def forecast(self, schema: Schema) -> Forecast:
        """The other's, and a little for every node."""
        cells = self.inner.forecast(schema)
        nodes = sum(len(column.joins.nodes) for column in by_name(schema).values())
        return Forecast(cells.megabytes + nodes * 1e-3, cells.seconds + nodes * 1e-5)

    def fit(self, tape: Tape, schema: Schema) -> Tied:
        """The cells and the degrees of the tape so far."""
        edges = by_name(schema)
        degrees = {}
        for entry in tape.of(Degrees.kind):
            assert isinstance(entry.answer, np.ndarray)
            name = str(entry.question["column"])
            degrees[name] = degrees_of(entry.answer, edges[name].joins, coin_of(tape, f"nodes of {name}"))
        return Tied(self.inner.fit(tape, schema), edges, degrees)


def by_name(schema: Schema) -> dict[str, Edge]:
    """The columns of edges, by name."""
    return {column.name: column for column in schema.modelled if isinstance(column, Edge)}


def degrees_of(noisy: NDArray[np.integer], joins: Joins, rng: np.random.Generator) -> Array:
    """A degree for every node: the nearest sorted ones of each block, dealt out at random."""
    blocks = np.split(noisy.astype(np.float64), np.cumsum(joins.sizes)[:-1])
    # argmin sum (x_i - y_i)^2 over x_1 <= x_2 <= ...
    return np.concatenate([rng.permutation(np.maximum(isotonic_regression(block).x, 0)) for block in blocks])


def configuration(joins: Joins, cells: Nodes, degrees: Array, rng: np.random.Generator) -> Nodes:
    """The two nodes of every edge: each block's ends dealt to its nodes in proportion to their degrees."""
    blocks = joins.pairs[cells].ravel()
    ends = np.empty(len(blocks), dtype=np.int64)
    places = [np.flatnonzero(blocks == block) for block in range(len(joins.sizes))]
    for first, size, here in zip(joins.first, joins.sizes, places, strict=True):
        weight = degrees[first : first + size]
        share = weight / weight.sum() if weight.sum() > 0 else np.full(size, 1 / size)
        ends[here] = first + rng.permutation(systematic(share, len(here), rng))
    for _ in range(PASSES):
        again = repeated(ends.reshape(-1, 2))
        for place in 2 * again + rng.integers(2, size=len(again)):
            here = places[blocks[place]]
            other = here[rng.integers(len(here))]
            ends[place], ends[other] = ends[other], ends[place]
        if not len(again):
            break
    pairs = ends.reshape(-1, 2)
    alone = np.flatnonzero(pairs[:, 0] == pairs[:, 1])  # where one node has most ends of its block
    pairs[alone] = joins.draw(cells[alone], rng)
    return turned(pairs, rng)


def repeated(pairs: Nodes) -> NDArray[np.intp]:
    """The edges from a node to itself, and those between two nodes that an earlier edge has joined."""
    _, first = np.unique(np.sort(pairs, axis=1), axis=0, return_index=True)
    again = np.ones(len(pairs), dtype=bool)
    again[first] = False
    return np.flatnonzero(again | (pairs[:, 0] == pairs[:, 1]))
