"""Mean critic: a linear critic of mean features, measured once; then the whole game is free (oracle D).

    phi(x)    every cell of the measured marginals: a one-hot vector for each, which is document 000's one-layer ReLU network
              phi_c(x) = relu(sum over j of x_j[c_j] - (k - 1)), so its linear functionals have every k-way marginal
    critic    theta_t = (y - Phi(g_t)) / ||y - Phi(g_t)||_2,  y = noisy counts / nhat: the best response of the unit ball
    regret    0 for the noisy game; ||noise / nhat||_2 for the true one

A unit moves the features of w marginals by sqrt(w) in l2, whatever their width: the price of the whole game is one look.
"""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from understudy.game.data.generator import Generator, Proposals, forecast
from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import Forecast, coin_of
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

ROUNDS = 64


@dataclass
class MeanCriticPlayer:
    """Plays critic and generator against each other on the tape alone."""

    rounds: int = ROUNDS
    _shown: Proposals | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """So many sweeps."""
        return forecast(schema, self.rounds)

    def fit(self, tape: Tape, schema: Schema) -> Proposals:
        """The mixture of all proposals, once something was measured."""
        measured = measurements(tape, schema)
        if self._shown is None or measured:
            self._shown = self._played(measured, tape, schema)
        return self._shown

    def _played(self, measured: list[Measurement], tape: Tape, schema: Schema) -> Proposals:
        made, n = Generator.begin(schema.domain, coin_of(tape, "generator")), max(size(tape, schema), 1)
        cells = sum(float(np.log(cells)) for cells in schema.domain.values())
        for t in range(self.rounds if measured else 0):
            now = made.shown().latest
            misses = {m.columns: m.counts / n - now.marginal(m.columns) for m in measured}
            norm = sqrt(sum(float((miss**2).sum()) for miss in misses.values())) or 1.0
            # theta_t, at a rate that falls with the rounds: that of multiplicative weights, over marginals of sup norm 1
            rate = sqrt(2 * max(cells, 1) / (t + 1)) * sqrt(len(measured))
            for columns, miss in misses.items():
                made.follow(columns, rate * miss / norm)
            made.propose()
        return made.shown()
