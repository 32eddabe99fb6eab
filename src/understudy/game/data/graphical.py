"""Graphical: a Markov random field on the measured cliques, exact on its junction tree.

    p(x) = q(x) exp( sum over measured cliques c of theta_c(x_c) ) / Z,     q = the product of the columns

The columns' rare cells are merged first (merging.py), theta is fitted so that what is learned stands out from the noise
(entropic.py), sums run on a junction tree (junction.py), rows are drawn along it (combing.py). A fit begins where the
last one ended, and happens only when somebody asks the guess: several measurements in a row cost one fit.

The tree must be small. ``tree_cells`` says how large it would be with other cliques; a query player that asks for no more
than it allows keeps it so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.combing import comb_rows
from understudy.game.data.entropic import Dual, Seen, descend, factors
from understudy.game.data.junction import Calibrated, Clique, calibrate, cells, join, marginal, triangulate
from understudy.game.data.merging import Groups, gathered, parted
from understudy.game.data.product import project
from understudy.game.measurement import Measurement, columns_of, measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, refuse_impossible, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

FRUGAL = 1.0  # what information costs, in standard deviations of the noise
TOLERANCE, STEPS = 0.05, 300  # root mean square of the gradient in standard deviations, and how often we try
FLOOR = 1e-6  # no cell of q has less
WIDEST = 20_000  # cells of all columns together

Array = NDArray[np.float64]
Theta = dict[Clique, Array]


@GUESSES.add("graphical")
@dataclass(frozen=True, eq=False)
class Graphical:
    """A Markov random field over merged columns; ``fitted`` gives theta when it is first needed."""

    groups: dict[str, Groups]
    base: list[Array]
    fitted: Callable[[], Theta] = field(repr=False)

    kind: ClassVar[str] = "graphical"

    @cached_property
    def theta(self) -> Theta:
        """The potentials."""
        return self.fitted()

    @cached_property
    def field(self) -> Calibrated:
        """The calibrated tree."""
        sizes = [len(b) for b in self.base]
        tree = join(triangulate(self.theta, sizes), sizes)
        return calibrate(tree, factors(tree, self.base, list(self.theta), list(self.theta.values())))

    def marginal(self, columns: Columns) -> Array:
        """A sum over the tree, its merged cells parted again."""
        places = [list(self.groups).index(name) for name in columns]
        ascending = tuple(sorted(places))
        table = marginal(self.field, ascending).transpose([ascending.index(place) for place in places])
        return parted(table, [self.groups[name] for name in columns])

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows along the tree, then a cell for each merged one."""
        drawn = comb_rows(self.field, n, rng)
        return {name: groups.split(drawn[v], rng) for v, (name, groups) in enumerate(self.groups.items())}

    def given(self, cells: dict[str, int]) -> "Graphical":
        """The field in which every other cell of the given columns has potential minus infinity."""
        groups, base = dict(self.groups), list(self.base)
        for name, cell in cells.items():
            place, group = list(groups).index(name), groups[name].group
            groups[name] = Groups(
                group, np.where(group == group[cell], np.arange(len(group)) == cell, groups[name].share)
            )
            base[place] = np.where(np.arange(len(base[place])) == group[cell], base[place], -np.inf)
        narrowed = Graphical(groups, base, lambda: self.theta)
        refuse_impossible(float(np.isfinite(narrowed.field.log_z)))
        return narrowed

    def chance(self, cells: dict[str, int]) -> float:
        """Z with all other cells of these columns ruled out, over Z, times the cells' shares of their groups."""
        base, share = list(self.base), 1.0
        for place, (name, groups) in enumerate(self.groups.items()):
            if name in cells:
                kept = groups.group[cells[name]]
                base[place] = np.where(np.arange(len(base[place])) == kept, base[place], -np.inf)
                share *= float(groups.share[cells[name]])
        narrowed = Graphical(self.groups, base, lambda: self.theta)
        return share * float(np.exp(narrowed.field.log_z - self.field.log_z))

    def cells(self, columns: Columns) -> int:
        """The cells of a marginal, as the field sees them."""
        return prod(self.groups[name].size for name in columns)

    def tree_cells(self, cliques: Iterable[Columns]) -> int:
        """The cells of the junction tree, had just these cliques been measured."""
        places = {name: v for v, name in enumerate(self.groups)}
        sizes = [len(b) for b in self.base]
        return cells(triangulate([tuple(sorted(places[name] for name in c)) for c in cliques], sizes), sizes)

    def model(self) -> Model:
        arrays: dict[str, NDArray[Any]] = {f"theta.{i}": table for i, table in enumerate(self.theta.values())}
        for v, groups in enumerate(self.groups.values()):
            arrays |= {f"base.{v}": self.base[v], f"group.{v}": groups.group, f"share.{v}": groups.share}
        return {"cliques": [list(clique) for clique in self.theta]}, arrays

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Graphical":
        """The guess of a model file."""
        groups = {name: Groups(arrays[f"group.{v}"], arrays[f"share.{v}"]) for v, name in enumerate(schema.domain)}
        theta = {tuple(clique): arrays[f"theta.{i}"] for i, clique in enumerate(words["cliques"])}
        return Graphical(groups, [arrays[f"base.{v}"] for v in range(len(groups))], lambda: theta)


@dataclass
class GraphicalPlayer:
    """Fits a Markov random field to the tape; ``room`` is the number of cells that its tree may have."""

    room: int
    frugal: float = FRUGAL
    _fitted: tuple[int, Graphical] | None = field(default=None, repr=False)
    _warm: Theta = field(default_factory=dict, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A tree of ``room`` cells, or of the two widest columns where that is more, in every step of some fits."""
        refuse_wide(schema, WIDEST)
        widest = max((schema.cells(pair) for pair in combinations(schema.domain, 2)), default=0)
        most = max(self.room, widest)
        return Forecast(megabytes=150 + 100 * most / 1e6, seconds=2 + 10 * STEPS * most * 2e-8)

    def fit(self, tape: Tape, schema: Schema) -> Graphical:
        """The field of the tape so far."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            self._fitted = looks, self._fit(tape, schema)
        return self._fitted[1]

    def _fit(self, tape: Tape, schema: Schema) -> Graphical:
        measured, n = measurements(tape, schema), max(size(tape, schema), 1)
        first = {m.columns[0]: m for m in reversed(measured) if len(m.columns) == 1}
        return self.explaining(measured, columns_of(list(first.values()), schema, n), n)

    def explaining(self, measured: list[Measurement], alone: dict[str, Measurement], n: int) -> Graphical:
        """The field of some measurements of n rows, over what is known of each column by itself."""
        groups, base = dict[str, Groups](), list[Array]()
        for name, seen in alone.items():
            groups[name] = Groups.of_counts(seen.counts, seen.variance)
            base.append(np.log(np.maximum(project(gathered(seen.counts / n, [groups[name]])), FLOOR)))
        noisy = [seen_by(m, groups, n) for m in measured]
        joint = [m.variance for m in measured if len(m.columns) > 1]
        if not joint:
            return Graphical(groups, base, dict)
        # price = frugal / sigma: theta is worth as much as it lowers the misfit, in standard deviations
        sigma = float(np.exp(np.mean(np.log(np.maximum(joint, 1e-9)))) ** 0.5) / n
        return Graphical(groups, base, lambda: self._solve(base, pooled(noisy), self.frugal / sigma))

    def _solve(self, base: list[Array], seen: list[Seen], price: float) -> Theta:
        """The potentials of least dual value, from those of the last fit."""
        sizes = [len(b) for b in base]
        dual = Dual(join(triangulate([s.clique for s in seen], sizes), sizes), base, seen, price)
        noise = np.concatenate([s.variance.ravel() for s in seen]) ** 0.5
        start = [self._warm.get(s.clique, np.zeros_like(s.frequency)).ravel() for s in seen]
        theta = descend(
            dual.slope, np.concatenate(start), lambda g: float(np.mean((g / noise) ** 2)) < TOLERANCE**2, STEPS
        )
        self._warm = dict(zip((s.clique for s in seen), dual.parts(theta), strict=True))
        return self._warm


def seen_by(m: Measurement, groups: dict[str, Groups], n: int) -> Seen:
    """A measurement over merged columns, in frequencies."""
    places = {name: v for v, name in enumerate(groups)}
    merged = [groups[name] for name in m.columns]
    order = sorted(range(len(merged)), key=lambda i: places[m.columns[i]])
    frequency = gathered(m.counts / n, merged)
    variance = gathered(np.full(m.counts.shape, max(m.variance, 1e-9) / n**2), merged)
    clique = tuple(places[m.columns[i]] for i in order)
    return Seen(clique, frequency.transpose(order), variance.transpose(order))


def pooled(seen: list[Seen]) -> list[Seen]:
    """One table a clique: what was measured twice is averaged by precision, 1 / v = sum of 1 / v_i."""
    found: dict[Clique, Seen] = {}
    for s in seen:
        if (before := found.get(s.clique)) is not None:
            variance = 1 / (1 / before.variance + 1 / s.variance)
            mean = variance * (before.frequency / before.variance + s.frequency / s.variance)
            s = Seen(s.clique, mean, variance)
        found[s.clique] = s
    return list(found.values())
