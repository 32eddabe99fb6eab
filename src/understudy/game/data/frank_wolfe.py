"""The dual Frank-Wolfe of document 001, corrected: fits softmax(q_t / a) to the selected queries, and averages over the rounds.

    q_0 = 0,    q_(t+1) = (1 - gamma) q_t + gamma s_t,      p_t = softmax(q_t / a),      released: (1/T) sum over t < T of p_t

s_t is the signed query that round t selected; a, gamma and T are public (pace.py). In the exponent u = q / a this is
u <- (1 - gamma) u + eta s_t: multiplicative weights with slight forgetting, and MWEM without measurements as a goes to 0.

Law.  At every iterate, with g(q) = max over s of <s - q, p_D - p(q)>:      max over Q of |<q, p_D - p_t>|  <=  g(q_t) + a ln|X|

Forms.  An explicit table of at most ``TABLE`` cells; else a log-linear model, exact on its junction tree as long as that has at
most ``ROOM`` cells; from then on a crowd of Gibbs chains (gibbs.py). Which form is a function of the tape.
"""

from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.gibbs import Potentials, diagnose, sweep
from understudy.game.data.loglinear import LogLinear, tree_cells
from understudy.game.data.rows import Rows, joined
from understudy.game.data.table import Table
from understudy.game.measurement import size
from understudy.game.pace import Pace
from understudy.game.player import Codes, Columns, Forecast, Guess, coin_of
from understudy.game.query.cells import signed_of
from understudy.game.value import mask
from understudy.question.queries import Query
from understudy.question.select_cell import SelectCell, Signed
from understudy.refusal import Infeasible
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

TABLE, MOST_COLUMNS = 2**18, 60
ROOM = 200_000
CLIQUE = 2**22  # cells of one marginal whose cells are potentials
CHAINS, SWEEPS = 4096, 2
KEPT = 512  # chains of each round that the average keeps

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Iterates(Table):
    """The average of the tables so far; ``latest`` is the one to play against."""

    now: Array | None = field(default=None, repr=False)

    @property
    def latest(self) -> Table:
        """p_t."""
        return self if self.now is None else Table(self.columns, self.now)


@dataclass
class FrankWolfePlayer:
    """Follows the selections on the tape, one step each; ``cliques`` are the marginals whose cells may be selected."""

    pace: Pace
    cliques: tuple[Columns, ...]
    table: int = TABLE
    room: int = ROOM
    chains: int = CHAINS
    _taken: list[Signed] = field(default_factory=list, repr=False)
    _shown: Guess | None = field(default=None, repr=False)
    _exponent: Array = field(default_factory=lambda: np.zeros(()), repr=False)
    _sum: Array = field(default_factory=lambda: np.zeros(()), repr=False)
    _places: dict[Query, int] = field(default_factory=dict, repr=False)
    _lines: list[Array] = field(default_factory=list, repr=False)
    _crowd: Codes = field(default_factory=dict, repr=False)
    _pool: list[Codes] = field(default_factory=list, repr=False)

    def small(self, schema: Schema) -> bool:
        """Whether the whole table is held."""
        return prod(schema.domain.values()) <= self.table and len(schema.domain) <= MOST_COLUMNS

    def forecast(self, schema: Schema) -> Forecast:
        """Each round sums the model over every marginal of the workload; Gibbs chains look at every column's cells."""
        rounds = self.pace.most if schema.n is None else self.pace.rounds(schema.n)
        cells = prod(schema.domain.values())
        if self.small(schema):
            return Forecast(100 + cells * 8 * 6 / 1e6, 2 + rounds * len(self.cliques) * cells * 2e-9)
        widest = max(self.cliques, key=schema.cells)
        if schema.cells(widest) > CLIQUE:
            raise Infeasible(
                f"the marginal {' x '.join(widest)} has {schema.cells(widest):,} cells, more than the {CLIQUE:,} that this "
                "recipe keeps a potential for",
                "choose a smaller workload, or use --recipe querygan",
            )
        swept = SWEEPS * self.chains * sum(schema.domain[name] for clique in self.cliques for name in clique)
        queries = sum(schema.cells(clique) for clique in self.cliques)
        pool = rounds * KEPT * len(schema.domain) * 8 + self.chains * max(schema.domain.values()) * 16
        return Forecast(200 + pool / 1e6 + queries * 40 / 1e6, 5 + rounds * (swept * 1.8e-9 + queries * 1.5e-7))

    def fit(self, tape: Tape, schema: Schema) -> Guess:
        """The average of the iterates so far, with the one to play against."""
        n, entries = size(tape, schema), tape.of(SelectCell.kind)
        if self._shown is None:
            self._shown = self._begin(schema)
        for entry in entries[len(self._taken) :]:
            self._taken.append(signed_of(entry, schema))
            self._shown = self._step(self._taken[-1], tape, schema, n)
        return self._shown

    def _begin(self, schema: Schema) -> Guess:
        """p_0, the uniform distribution."""
        if self.small(schema):
            shape = tuple(schema.domain.values())
            self._exponent, self._sum = np.zeros(shape), np.zeros(shape)
            return Table(tuple(schema.domain), softmax(self._exponent))
        return LogLinear(schema.domain, (), np.zeros((1, 0)), np.ones(1))

    def _step(self, taken: Signed, tape: Tape, schema: Schema, n: int) -> Guess:
        eta, gamma = self.pace.eta(n), self.pace.gamma(n)
        if self.small(schema):
            self._sum += softmax(self._exponent)
            # u <- (1 - gamma) u + eta s
            self._exponent *= 1 - gamma
            self._exponent += eta * taken.sign * spread(taken.query, schema)
            average = self._sum / len(self._taken)
            return Iterates(tuple(schema.domain), average / average.sum(), softmax(self._exponent))
        self._lines.append(self._exponent if self._exponent.ndim else np.zeros(0))
        place = self._places.setdefault(taken.query, len(self._places))
        moved = np.zeros(len(self._places))
        moved[: len(self._lines[-1])] = (1 - gamma) * self._lines[-1]
        moved[place] += eta * taken.sign
        self._exponent = moved
        queries = tuple(self._places)
        if not self._crowd and tree_cells(queries, schema.domain) <= self.room:
            lines = np.array([np.pad(line, (0, len(queries) - len(line))) for line in self._lines])
            return LogLinear(schema.domain, queries, lines, np.full(len(lines), 1 / len(lines)), now=moved)
        return self._swept(queries, tape, schema, n)

    def _swept(self, queries: tuple[Query, ...], tape: Tape, schema: Schema, n: int) -> Rows:
        """The chains, moved on; at first they and all iterates so far are drawn from the exact fields."""
        rng = coin_of(tape, f"gibbs {len(self._taken)}")
        if not self._crowd:
            for line in self._lines:
                self._crowd = LogLinear(schema.domain, queries[: len(line)], line[None, :], np.ones(1)).rows(
                    self.chains, rng
                )
                self._pool.append(narrow(self._crowd, schema))
        pool = joined(self._pool)
        model = Potentials.of(queries, self._exponent, schema.domain)
        for _ in range(SWEEPS):
            sweep(self._crowd, model, rng)
        words = {}
        if len(self._taken) == self.pace.rounds(n):
            words = {"chains": self.chains, "rounds": len(self._taken)} | diagnose(dict(self._crowd), model, rng)
        self._pool.append(narrow(self._crowd, schema))
        return Rows(pool, schema.domain, now=dict(self._crowd), words=words)


def softmax(heights: Array) -> Array:
    """exp(u) / sum exp(u)."""
    p = np.exp(heights - heights.max())
    return np.asarray(p / p.sum())


def spread(query: Query, schema: Schema) -> Array:
    """A query on the whole table: an axis of length 1 where it does not look."""
    names = list(schema.domain)
    columns = query.columns
    order = np.argsort([names.index(name) for name in columns])
    shape = [schema.domain[name] if name in columns else 1 for name in names]
    return mask(query, schema.domain).transpose(order).reshape(shape).astype(np.float64)


def narrow(rows: Codes, schema: Schema) -> Codes:
    """Some of the rows, in as few bytes as they need."""
    return {name: codes[:KEPT].astype(np.min_scalar_type(schema.domain[name])) for name, codes in rows.items()}
