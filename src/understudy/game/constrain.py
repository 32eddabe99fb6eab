"""Constrain: rows of a guess, repaired until every one obeys the schema's rules.

    guess  ->  rows  ->  obey  ->  decode  ->  certificate

Law.  Every row that comes out obeys. It is a function of the guess, the rules and the coin, so it is post-processing and
costs nothing (proof/constrain.md); and the certificate is asked about what comes out, so what the repair does to the
error is counted. On the example clinic 26 % of the rows broke a rule, and the repair made the error smaller.

    1  rows trade cells with each other, which moves no one-way count (exchange.py)
    2  what still breaks a rule has its columns redrawn, those of a ``then`` first, over the permitted cells:
       P[cell] proportional to  guess(cell | the row's columns that stand in a rule with this one)
    3  what that does not mend is replaced by rows of the guess that obey
    4  what is left takes the constrained columns of one row that obeys, found by search
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.game.exchange import exchange
from understudy.game.player import Codes, Columns, Guess
from understudy.schema.rules import Rules

PASSES = 6
CONTEXT = 4096  # cells of the columns that a redrawn column is conditioned on
BLOCK = 2**22  # rows times cells that are worked on at once
FRESH, ROUNDS = 4096, 3  # rows of the guess that are tried, and how often

Mask = NDArray[np.bool_]
Array = NDArray[np.float64]


def obey(codes: Codes, guess: Guess, rules: Rules, rng: np.random.Generator) -> Codes:
    """The rows, each of which obeys; as they are, if all of them do."""
    if not rules.broken(codes).any():
        return codes
    rows: Codes = {name: column.astype(np.int64) for name, column in codes.items()}
    exchange(rows, rules, rng)
    chances = Chances(guess, rules)
    for turn in range(PASSES):
        broken = np.flatnonzero(rules.broken(rows))
        if len(broken) == 0:
            return rows
        part = {name: column[broken] for name, column in rows.items()}
        for name in rules.targets if turn == 0 else rules.columns:
            redraw(part, name, chances, rng)
        for name in rules.columns:
            rows[name][broken] = part[name]
    replace_rows(rows, guess, rules, rng)
    return repaired(rows, rules)


@dataclass
class Chances:
    """The guess's conditional distributions of the constrained columns, each made once."""

    guess: Guess
    rules: Rules
    _tables: dict[str, tuple[Columns, Array]] = field(default_factory=dict)

    def of(self, rows: Codes, name: str, permitted: Mask) -> Array:
        """For each row, weights of a column's cells: 0 where not permitted, positive somewhere else."""
        if name not in self._tables:
            self._tables[name] = self.table(name)
        context, table = self._tables[name]
        sizes = tuple(self.rules.sizes[other] for other in context)
        place = np.ravel_multi_index(tuple(rows[other] for other in context), sizes) if context else 0
        weights = np.where(permitted, table[place], 0)
        for fallback in (self.guess.marginal((name,)), np.ones(self.rules.sizes[name])):
            nothing = weights.sum(axis=1) <= 0
            weights[nothing] = np.where(permitted[nothing], fallback, 0)
        return weights

    def table(self, name: str) -> tuple[Columns, Array]:
        """The columns beside it, as many as fit, and the joint table with it: one row for each of their cells."""
        context: Columns = ()
        cells = 1
        for other in self.rules.beside(name):
            if cells * self.rules.sizes[other] <= CONTEXT:
                context, cells = (*context, other), cells * self.rules.sizes[other]
        return context, self.guess.marginal((*context, name)).reshape(cells, -1)


def redraw(rows: Codes, name: str, chances: Chances, rng: np.random.Generator) -> None:
    """Draw a column anew in the rows where its cell is not permitted, and some other is."""
    rules, step = chances.rules, max(BLOCK // chances.rules.sizes[name], 1)
    for start in range(0, len(rows[name]), step):
        block = {column: codes[start : start + step] for column, codes in rows.items()}
        permitted = rules.permitted(block, name)
        now = permitted[np.arange(len(permitted)), block[name]]
        stuck = ~permitted.any(axis=1)
        if stuck.any():  # no cell pleases every rule: please those that are about this column
            permitted[stuck] = rules.demanded({column: codes[stuck] for column, codes in block.items()}, name)
        wrong = np.flatnonzero(~now & permitted.any(axis=1))
        if len(wrong):
            weights = chances.of({column: codes[wrong] for column, codes in block.items()}, name, permitted[wrong])
            rows[name][start + wrong] = drawn(weights, rng)


def drawn(weights: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """A cell for each row of weights."""
    # the first cell whose cumulative weight exceeds u times the total
    ends = np.cumsum(weights, axis=1)
    return np.asarray((ends <= rng.random((len(weights), 1)) * ends[:, -1:]).sum(axis=1))


def replace_rows(rows: Codes, guess: Guess, rules: Rules, rng: np.random.Generator) -> None:
    """Exchange broken rows for rows of the guess that obey, as far as a few tries find some."""
    for _ in range(ROUNDS):
        broken = np.flatnonzero(rules.broken(rows))
        if len(broken) == 0:
            return
        fresh = guess.rows(FRESH, rng)
        good = np.flatnonzero(~rules.broken(fresh))[: len(broken)]
        for name in rows:
            rows[name][broken[: len(good)]] = fresh[name][good]


def repaired(rows: Codes, rules: Rules) -> Codes:
    """The last resort: the constrained columns of broken rows become those of one row that obeys."""
    broken = rules.broken(rows)
    if broken.any():
        assert rules.example is not None  # the schema was refused otherwise
        for name, cell in rules.example.items():
            rows[name][broken] = cell
    return rows
