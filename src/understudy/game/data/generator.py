"""Generator: latent points that follow the regularised leader, and the mixture of all that they proposed (document 000).

    point k      a product of columns p_kj, a mean-field answer to the critics so far:
                 p_kj = softmax( b_kj + sum over critics of their potential, averaged over the point's other columns )
    proposal     the uniform mixture of the points;       b_kj public noise of their own, so that they part
    released     the uniform mixture of the proposals that were played against, never the last one alone

A critic is a table of potentials over some columns. The leader follows the *sum* of all critics (follow the leader), b
perturbs it and the softmax regularises it; each proposal starts from the one before. There is no theorem about how near it
comes: document 000's own is false. What it reaches is certified afterwards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.mixture import WIDEST, Mixture
from understudy.game.measurement import size
from understudy.game.player import Columns, Forecast, coin_of, refuse_wide
from understudy.game.query.cells import signed_of
from understudy.game.value import mask
from understudy.question.select_cell import SelectCell
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

POINTS, BLUR, SWEEPS = 32, 1.0, 2

Array = NDArray[np.float64]
Potentials = dict[Columns, Array]


@dataclass(frozen=True, eq=False)
class Proposals(Mixture):
    """The average of the proposals, the one to play against next, and its critic where the pairing has one."""

    now: Mixture | None = field(default=None, repr=False)
    critic: Potentials = field(default_factory=dict, repr=False)

    @property
    def latest(self) -> Mixture:
        """The proposal of this round."""
        return self if self.now is None else self.now


@dataclass
class Generator:
    """The points, what they follow, and what they proposed."""

    domain: dict[str, int]
    blur: dict[str, Array]
    points: dict[str, Array] = field(default_factory=dict)
    leader: Potentials = field(default_factory=dict)
    proposals: list[dict[str, Array]] = field(default_factory=list)

    @staticmethod
    def begin(domain: dict[str, int], rng: np.random.Generator, points: int = POINTS) -> "Generator":
        """Uniform columns, blurred: the first proposal."""
        made = Generator(domain, {name: BLUR * rng.normal(size=(points, cells)) for name, cells in domain.items()})
        made.points = {name: softmax(b) for name, b in made.blur.items()}
        made.propose()
        return made

    def follow(self, columns: Columns, potential: Array) -> None:
        """One more critic for the sum."""
        before = self.leader.get(columns)
        self.leader[columns] = potential.copy() if before is None else before + potential

    def propose(self) -> None:
        """Mean-field sweeps from where the points stand."""
        for _ in range(SWEEPS if self.leader else 0):
            for name in self.domain:
                heights = self.blur[name].copy()
                for columns, table in self.leader.items():
                    if name in columns:
                        heights += averaged(table, columns, name, self.points)
                self.points[name] = softmax(heights)
        self.proposals.append(dict(self.points))

    def shown(self, critic: Potentials | None = None) -> Proposals:
        """The average of all proposals but the last, which is to be played against."""
        past, now = self.proposals[:-1] or self.proposals, self.proposals[-1]
        columns = {name: np.concatenate([proposal[name] for proposal in past]) for name in self.domain}
        many, few = (len(next(iter(c.values()))) for c in (columns, now))
        latest = Mixture(np.full(few, 1 / few), now)
        return Proposals(np.full(many, 1 / many), columns, now=latest, critic=critic or {})


@dataclass
class GeneratorPlayer:
    """Follows the signed queries on the tape, ``draws`` of them a round, each of weight ``rate`` / draws."""

    draws: Callable[[int], int]  # from the public number of rows
    rate: Callable[[int], float]
    most: int  # rounds, for the forecast
    _generator: Generator | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Every round sweeps the leader's tables."""
        return forecast(schema, self.most)

    def fit(self, tape: Tape, schema: Schema) -> Proposals:
        """The proposals so far."""
        if self._generator is None:
            self._generator = Generator.begin(schema.domain, coin_of(tape, "generator"))
        made, n = self._generator, size(tape, schema)
        entries, draws = tape.of(SelectCell.kind), self.draws(n)
        while len(made.proposals) <= len(entries) // draws:
            t = len(made.proposals)
            for entry in entries[(t - 1) * draws : t * draws]:
                signed = signed_of(entry, schema)
                weight = self.rate(n) / draws * signed.sign
                table = np.where(mask(signed.query, schema.domain), weight, 0.0)
                made.follow(signed.query.columns, table)
            made.propose()
        return made.shown()


def averaged(table: Array, columns: Columns, name: str, points: dict[str, Array]) -> Array:
    """The potential of each cell of one column, every other column averaged over each point."""
    letters = dict(zip(columns, ascii_lowercase, strict=False))
    others = [column for column in columns if column != name]
    terms = ["".join(letters.values()), *("z" + letters[column] for column in others)]
    path = f"{','.join(terms)}->{'z' if others else ''}{letters[name]}"
    found = np.einsum(path, table, *(points[other] for other in others), optimize=True)
    return np.asarray(found)


def softmax(heights: Array) -> Array:
    """Row by row."""
    e = np.exp(heights - heights.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def forecast(schema: Schema, rounds: int) -> Forecast:
    """Tables over pairs of columns, swept for every point and round; the mixture of all proposals."""
    refuse_wide(schema, WIDEST)
    cells = sum(schema.domain.values())
    pool: Any = rounds * POINTS * cells * 8
    return Forecast(200 + (pool * 3 + 40 * cells**2) / 1e6, 3 + rounds * SWEEPS * POINTS * cells**2 * 2e-9)
