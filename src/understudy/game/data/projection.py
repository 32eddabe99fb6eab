"""Projection: of all distributions that agree with what was measured to within its noise, the one of largest entropy (PEP).

    maximise H(p)   subject to   |p_c(cell) - y_c(cell)| <= w_c   for every measured clique c,     w_c = ``WIDTH`` sigma_c / n

y_c are the noisy frequencies, moved to the simplex. The dual is a log-linear model, p(x) proportional to
exp(sum_c theta_c(x_c)), and is climbed one clique at a time, always the one that a step moves by most widths:

    t = clip(s p_c exp(-theta_c), y_c - w_c, y_c + w_c),  s such that t sums to 1;      theta_c <- theta_c + ln(t / p_c)

which is iterative proportional fitting with a tolerance: where w_c = 0, t is y_c. Where MWEM takes a step of public size, this
goes all the way. Sums run on a junction tree: a small domain's is at most one node, the explicit table of all cells.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.entropic import Seen, factors, host
from understudy.game.data.graphical import WIDEST, Graphical, Theta, pooled, seen_by
from understudy.game.data.junction import calibrate, join, summed, triangulate
from understudy.game.data.merging import Groups
from understudy.game.data.product import project
from understudy.game.measurement import measurements, size
from understudy.game.player import Forecast, refuse_wide
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

WIDTH = 1.0
STEPS, ENOUGH = 100, 0.3  # of one fit; widths that a step must move some cell by
LEAST = 1e-9  # no measured cell is given less

Array = NDArray[np.float64]


@dataclass
class ProjectionPlayer:
    """Projects onto the tape; ``room`` is the number of cells that the tree may have."""

    room: int
    width: float = WIDTH
    steps: int = STEPS
    _fitted: tuple[int, Graphical] | None = field(default=None, repr=False)
    _warm: Theta = field(default_factory=dict, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A tree of ``room`` cells, or of the two widest columns where that is more, in every step of every fit."""
        refuse_wide(schema, WIDEST)
        widest = max((schema.cells(pair) for pair in combinations(schema.domain, 2)), default=0)
        most, fits = max(self.room, widest), 3 * len(schema.domain)
        return Forecast(megabytes=150 + 100 * most / 1e6, seconds=2 + fits * STEPS * most * 4e-9)

    def fit(self, tape: Tape, schema: Schema) -> Graphical:
        """The projection of the tape so far, made when it is first asked."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            n = max(size(tape, schema), 1)
            groups = {name: Groups.apart(cells) for name, cells in schema.domain.items()}
            base = [np.zeros(cells) for cells in schema.domain.values()]
            seen = pooled([seen_by(m, groups, n) for m in measurements(tape, schema)])
            self._fitted = looks, Graphical(groups, base, lambda: self._projected(base, seen))
        return self._fitted[1]

    def _projected(self, base: list[Array], seen: list[Seen]) -> Theta:
        """The potentials, from those of the last fit."""
        start = {s.clique: self._warm.get(s.clique, np.zeros_like(s.frequency)) for s in seen}
        self._warm = climb(base, [Goal.of(s, self.width) for s in seen], start, self.steps)
        return self._warm


@dataclass(frozen=True, eq=False)
class Goal:
    """One measured clique: frequencies on the simplex, and how far from each is near enough."""

    clique: tuple[int, ...]
    frequency: Array
    within: float

    @staticmethod
    def of(seen: Seen, width: float) -> "Goal":
        """y_c and w_c."""
        y = project(seen.frequency.ravel()).reshape(seen.frequency.shape)
        return Goal(seen.clique, y, width * float(seen.variance.max()) ** 0.5)

    def move(self, p: Array, theta: Array) -> tuple[float, Array]:
        """From p_c to t: how far the cell that moves most moves, in widths; and the new theta_c."""
        # p exp(-theta) is the marginal of the model without this clique's potential, up to its sum
        free = p * np.exp(theta.min() - theta)
        t = self.nearest(free / free.sum())
        return float(np.abs(t - p).max()) / max(self.within, LEAST), theta + np.log(t / p)

    def nearest(self, p: Array) -> Array:
        """The t of least KL(t || p) within the widths."""
        low, high = np.maximum(self.frequency - self.within, LEAST), self.frequency + max(self.within, LEAST)
        # the sum of clip(s p, low, high) is piecewise linear in s: it bends where a cell leaves low, and where it reaches high
        bends = np.concatenate([(low / p).ravel(), (high / p).ravel()])
        order = np.argsort(bends)
        slopes = np.cumsum(np.concatenate([p.ravel(), -p.ravel()])[order])[:-1]
        sums = float(low.sum()) + np.concatenate([[0.0], np.cumsum(slopes * np.diff(bends[order]))])
        return np.asarray(np.clip(np.interp(1.0, sums, bends[order]) * p, low, high))


def climb(base: list[Array], goals: list[Goal], theta: Theta, steps: int, enough: float = ENOUGH) -> Theta:
    """Coordinate ascent on the dual, from ``theta``."""
    sizes = [len(b) for b in base]
    tree = join(triangulate([goal.clique for goal in goals], sizes), sizes)
    for _ in range(steps if goals else 0):
        found = calibrate(tree, factors(tree, base, list(theta), list(theta.values())))
        moves = {}
        for goal in goals:
            home = host(tree, goal.clique)
            p = np.maximum(summed(found.beliefs[home], tree[home].columns, goal.clique), LEAST**2)
            moves[goal.clique] = goal.move(p, theta[goal.clique])
        worst = max(moves, key=lambda clique: moves[clique][0])
        if moves[worst][0] <= enough:
            break
        theta = theta | {worst: moves[worst][1]}
    return theta
