"""Gibbs: a crowd of chains that follows a log-linear model whose junction tree is too large.

    one sweep    for every column in turn, in every chain:    x_j ~ p(x_j | the others)  proportional to  exp(sum_q u_q q(x))
    annealing    the potentials change by one selected query a round, so the chains start from where they stood

The crowd is a sample of the model up to mixing; no privacy claim depends on it (the selection's scores are exact counts less a
public number, whatever that number is). How well it mixed is told in public words:

    R-hat        sqrt( variance over all / variance within a chain ) of the log potential, over some last sweeps; 1 is best
    ESS          sweeps x chains / (1 + 2 sum of positive autocorrelations), the number of independent draws they are worth
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.loglinear import potentials
from understudy.game.player import Codes, Columns
from understudy.question.queries import Query

Array = NDArray[np.float64]

WATCHED = 16  # sweeps that the diagnostics look at


@dataclass(frozen=True, eq=False)
class Potentials:
    """The tables of a log-linear model, by their columns."""

    tables: dict[Columns, Array]
    domain: dict[str, int]

    @staticmethod
    def of(queries: tuple[Query, ...], weights: Array, domain: dict[str, int]) -> "Potentials":
        """One table for each set of columns."""
        return Potentials(potentials(queries, weights, domain), domain)

    def conditional(self, name: str, rows: Codes) -> Array:
        """log p(x_j | the others) of every chain, up to a constant."""
        chains = len(next(iter(rows.values())))
        heights = np.zeros((chains, self.domain[name]))
        for columns, table in self.tables.items():
            if name in columns:
                last = np.moveaxis(table, columns.index(name), -1)
                heights += last[tuple(rows[other] for other in columns if other != name)]
        return heights

    def height(self, rows: Codes) -> Array:
        """The log potential of every chain."""
        chains = len(next(iter(rows.values())))
        return np.asarray(sum((t[tuple(rows[c] for c in cs)] for cs, t in self.tables.items()), np.zeros(chains)))


def sweep(rows: Codes, model: Potentials, rng: np.random.Generator) -> None:
    """Every column once, in place."""
    for name in rows:
        heights = model.conditional(name, rows)
        # one uniform number a chain, by inversion of the softmax of its heights
        ends = np.exp(heights - heights.max(axis=1, keepdims=True)).cumsum(axis=1)
        point = rng.random((len(ends), 1)) * ends[:, -1:]
        rows[name] = (ends[:, :-1] <= point).sum(axis=1)


def diagnose(rows: Codes, model: Potentials, rng: np.random.Generator) -> dict[str, float]:
    """R-hat and ESS of the log potential over some more sweeps of the same chains, which move on."""
    seen = []
    for _ in range(WATCHED):
        sweep(rows, model, rng)
        seen.append(model.height(rows))
    return {"r_hat": round(r_hat(np.array(seen)), 3), "ess": round(effective(np.array(seen)))}


def r_hat(seen: Array) -> float:
    """Of draws x chains."""
    draws = len(seen)
    within = float(seen.var(axis=0, ddof=1).mean())
    between = float(seen.mean(axis=0).var(ddof=1)) if seen.shape[1] > 1 else 0.0
    if within <= 0:
        return 1.0 if between <= 1e-12 else float("inf")
    # var = (draws - 1) / draws within + between
    return float((((draws - 1) / draws * within + between) / within) ** 0.5)


def effective(seen: Array) -> float:
    """Draws x chains, less what their autocorrelation costs."""
    draws, chains = seen.shape
    centred = seen - seen.mean()
    variance = float((centred**2).mean())
    if variance <= 1e-12:
        return float(draws * chains)
    total: float = 0.0
    for lag in range(1, draws // 2):
        rho = float((centred[:-lag] * centred[lag:]).mean()) / variance
        if rho <= 0:
            break
        total += rho
    return float(draws * chains / (1 + 2 * total))
