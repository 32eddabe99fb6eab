"""Logistic critic: a convex discriminator trained on noisy slopes, and a generator that follows it (oracle E).

    V(theta, g) = E_S[ -softplus(-s) ] + E_g[ -softplus(s) ],     s(x) = sum over marginals c of theta_c[x_c]
    theta       moves by STEP along  (answer / (2^10 nhat))  -  E_g[ sigmoid(s) 1[x in q] ]   (by sampled rows)
    generator   follows the sum of all theta, at ``RATE``

V is concave in theta and linear in g. The answers are slopes of the private half at the theta of their round.
"""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from understudy.game.data.generator import Generator, Potentials, Proposals, forecast
from understudy.game.measurement import size
from understudy.game.player import Columns, Forecast, coin_of
from understudy.question.critic_gradient import UNIT, WEIGHT, CriticGradient, summed
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

STEP, RATE = 8.0, 1.0
DRAWN = 2000  # rows of a proposal for the public half
NOISE = 1.4e-5  # seconds for an entry


@dataclass
class LogisticCriticPlayer:
    """Moves the critic along each answer, and lets the generator follow."""

    cliques: tuple[Columns, ...]
    rounds: int
    _generator: Generator | None = field(default=None, repr=False)
    _theta: Potentials = field(default_factory=dict, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """So many sweeps, and noise on every cell's slope in every round."""
        sweeps, cells = forecast(schema, self.rounds), sum(schema.cells(clique) for clique in self.cliques)
        return Forecast(sweeps.megabytes, sweeps.seconds + self.rounds * cells * NOISE)

    def fit(self, tape: Tape, schema: Schema) -> Proposals:
        """The proposals, with the critic of the next round."""
        if self._generator is None:
            self._generator = Generator.begin(schema.domain, coin_of(tape, "generator"))
            self._theta = {c: np.zeros([schema.domain[name] for name in c]) for c in self.cliques}
        made, n = self._generator, max(size(tape, schema), 1)
        for entry in tape.of(CriticGradient.kind)[len(made.proposals) - 1 :]:
            assert isinstance(entry.answer, np.ndarray)
            ends = np.cumsum([schema.cells(c) for c in self.cliques])[:-1]
            private = dict(zip(self.cliques, np.split(entry.answer / (WEIGHT * n), ends), strict=True))
            public = self._public_slope(tape, schema)
            for clique, theta in self._theta.items():
                theta += STEP / sqrt(len(self.cliques)) * (private[clique].reshape(theta.shape) - public[clique])
                made.follow(clique, RATE * theta)
            made.propose()
        return made.shown(dict(self._theta))

    def _public_slope(self, tape: Tape, schema: Schema) -> Potentials:
        """E_g[ sigmoid(s) 1[x in q] ] over rows of the latest proposal."""
        assert self._generator is not None
        t = len(self._generator.proposals)
        rows = self._generator.shown().latest.rows(DRAWN, coin_of(tape, f"critic {t}"))
        whole = {c: np.rint(theta * UNIT) / UNIT for c, theta in self._theta.items()}
        s = sum((whole[c][tuple(rows[name] for name in c)] for c in self.cliques), np.zeros(DRAWN))
        high = np.rint(WEIGHT / (1 + np.exp(np.clip(-s, -50, 50)))).astype(np.int64)
        found = {}
        for clique, theta in self._theta.items():
            place = np.ravel_multi_index(tuple(rows[name] for name in clique), theta.shape)
            found[clique] = summed(place, high, theta.size).reshape(theta.shape) / (WEIGHT * DRAWN)
        return found
