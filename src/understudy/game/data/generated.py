"""Generated: the distribution of what a trained generator network makes.

    rows       (z, y) drawn anew for each, put through one of the networks, read back to cells, ticks and levels
    marginal   the shares among ``POOL`` rows that are drawn once, from a fixed key
    given      a class is set; of all other values rows are drawn until they agree, and refused where none of the pool does

What is released is not where the generator stood at the end, but the uniform mixture of a few averages of it over the later
half of its steps (adversary.py): a game swings, and its players' averages are what comes near to anything.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.maker import Maker, Parameters, maker_of, program, untrained, with_prior
from understudy.game.data.rows import Rows
from understudy.game.player import GUESSES, Codes, Columns, Details, Model, refuse_impossible
from understudy.schema.column import Image
from understudy.schema.coordinates import UNIT, Values, values
from understudy.schema.schema import Schema

POOL, BATCH, TRIES = 8192, 2048, 64

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Rival:
    """What the generator plays against: the critic's weights, and where private gradients are clipped next."""

    weights: Any
    clip: float


@GUESSES.add("generated")
@dataclass(frozen=True, eq=False)
class Generated:
    """A network's weights at some times, the shares of its components, what is given; its rival, its losses afterwards."""

    maker: Maker
    networks: tuple[Parameters, ...]
    law: Floats
    schema: Schema
    cells: dict[str, int] = field(default_factory=dict)
    rival: Rival | None = field(default=None, repr=False)
    training: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False)

    kind: ClassVar[str] = "generated"

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """Shares of the pool."""
        return self.pool.marginal(columns)

    @cached_property
    def pool(self) -> Rows:
        """Rows that stand for the distribution."""
        return Rows(self.rows(POOL, np.random.default_rng(0)), self.schema.domain)

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows as cells."""
        return self.detailed(n, rng)[0]

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows as cells, with the ticks and levels that the network gave them."""
        batches = self._batches(n, rng)
        codes = {name: np.concatenate([b[name].codes for b in batches])[:n] for name in self.schema.domain}
        finer = [name for name, found in batches[0].items() if found.ticks is not None]
        details = {name: np.concatenate([b[name].ticks for b in batches])[:n] for name in finer}
        return codes, details

    def _batches(self, n: int, rng: np.random.Generator) -> list[dict[str, Values]]:
        """Drawn until there are n rows that agree with what is given; then what agreed again, if it was too little."""
        kept: list[dict[str, Values]] = []
        many = 0
        while many < n and (len(kept) < TRIES or not self._waiting):
            batch = self._drawn(rng)
            agree = np.ones(BATCH, dtype=bool)
            for name, cell in self.cells.items():
                agree &= batch[name].codes == cell
            kept.append({name: chosen(found, np.flatnonzero(agree)) for name, found in batch.items()})
            many += int(agree.sum())
        refuse_impossible(many)
        return kept if many >= n else kept * -(-n // many)

    @property
    def _waiting(self) -> bool:
        """Whether something is given that cannot be set."""
        label = self.maker.label
        return any(label is None or name != label.name for name in self.cells)

    def _drawn(self, rng: np.random.Generator) -> dict[str, Values]:
        """One batch, in any order."""
        word = np.uint32(rng.integers(2**32))
        vectors = np.asarray(program(self.maker, BATCH)(self.networks, self.law.astype(np.float32), word))
        vectors = vectors[rng.permutation(BATCH)].astype(np.float64) * UNIT
        found, start = {}, 0
        for head in (*self.maker.heads, *(() if self.maker.label is None else (self.maker.label,))):
            piece = vectors[:, start : start + head.width]
            start += head.width
            column = self.schema.column(head.name)
            as_cells = head.kind == "cells"
            found[head.name] = Values(piece.argmax(axis=1), None) if as_cells else values(piece, column)
        return found

    def given(self, cells: dict[str, int]) -> "Generated":
        """The class is set; what else is given is waited for."""
        label = self.maker.label
        law = self.law
        if label is not None and label.name in cells:
            law = law * of_class(self.maker, self.networks[0], cells[label.name])
            refuse_impossible(float(law.sum()))
            law = law / law.sum()
        replace(self, law=law).pool.given(cells)  # refused where none of the pool agrees
        return replace(self, law=law, cells={**self.cells, **cells})

    def model(self) -> Model:
        maker = self.maker
        words = {
            "units": maker.units,
            "by_cells": bool(maker.heads) and by_cells(maker, self.schema),
            "convolving": maker.picture is not None,
            "latent": maker.latent,
            "components": maker.components,
            "networks": len(self.networks),
        }
        arrays = {"law": np.asarray(self.law, dtype=np.float64), "training": self.training}
        return words, arrays | flat(self.networks)

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Generated":
        """The guess of a model file."""
        maker = maker_of(schema, int(words["units"]), by_cells=words["by_cells"], convolving=words["convolving"])
        maker = with_prior(maker, int(words["latent"]), int(words["components"]))
        shapes = (untrained(maker, np.random.default_rng(0)),) * int(words["networks"])
        return Generated(maker, unflat(shapes, arrays), arrays["law"], schema, training=arrays["training"])


def of_class(maker: Maker, network: Parameters, cell: int) -> Floats:
    """1 for each component of a class, 0 for others."""
    found: Floats = network["prior"]["classes"][:, cell] if maker.components else np.eye(maker.classes)[cell]
    return np.asarray(found, dtype=np.float64)


def by_cells(maker: Maker, schema: Schema) -> bool:
    """Whether numbers are made as cells."""
    return all(head.kind == "cells" or isinstance(schema.column(head.name), Image) for head in maker.heads)


def chosen(found: Values, places: NDArray[np.intp]) -> Values:
    """Some of the rows."""
    return Values(found.codes[places], None if found.ticks is None else found.ticks[places])


def flat(networks: tuple[Parameters, ...]) -> dict[str, NDArray[Any]]:
    """The weights by their place."""
    jax = lazy.load()
    leaves, _ = jax.tree.flatten(networks)
    return {f"weights.{place:03}": np.asarray(leaf) for place, leaf in enumerate(leaves)}


def unflat(like: tuple[Parameters, ...], arrays: dict[str, NDArray[Any]]) -> tuple[Parameters, ...]:
    """The weights in the shape of some networks; a KeyError or ValueError where they are not of it."""
    jax = lazy.load()
    leaves, tree = jax.tree.flatten(like)
    found = [arrays[f"weights.{place:03}"].reshape(leaf.shape) for place, leaf in enumerate(leaves)]
    restored: tuple[Parameters, ...] = jax.tree.unflatten(tree, found)
    return restored
