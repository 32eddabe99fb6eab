"""Student: learns from the teachers' noisy votes what is real, and teaches the generator (PATE-GAN).

    y_j     = noisy votes on candidate j / teachers, cut to [0, 1], less their mean over the round
    student   g(x) = sum over j of a_j K(x_j, x),   a = (K + L I)^-1 y,   L = LEAST + variance of the noise / teachers^2
    generator follows, for each column and pair of columns, the potential  RATE sum over j of a_j [x agrees with x_j there]

K is the teachers' kernel (`question/vote.py`), so g is their witness learned from votes alone. The generator begins at the
product of the noisy columns. Nothing is proved about how near it comes.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.generator import Generator, Proposals, forecast
from understudy.game.data.product import product_of
from understudy.game.measurement import variance_of
from understudy.game.player import Columns, Forecast, coin_of
from understudy.game.query.votes import candidates_of
from understudy.question.vote import Ints, Vote, kernel
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

LEAST, RATE = 1.0, 8.0
FLOOR = 1e-4  # of a column's share, before its logarithm

Array = NDArray[np.float64]


@dataclass
class StudentPlayer:
    """A student and its generator; ``rounds`` of votes at most."""

    rounds: int
    _generator: Generator | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """Every round sweeps the tables of all pairs."""
        return forecast(schema, self.rounds)

    def fit(self, tape: Tape, schema: Schema) -> Proposals:
        """The proposals so far."""
        if not tape.of("marginals"):
            return Generator.begin(schema.domain, coin_of(tape, "generator")).shown()
        if self._generator is None:
            self._generator = begun(tape, schema)
        made = self._generator
        votes = tape.of(Vote.kind)
        while len(made.proposals) <= len(votes):
            place = len(made.proposals) - 1
            candidates = candidates_of(made.shown(), tape, schema, place)
            for columns, table in potentials(candidates, learned(candidates, votes[place]), schema).items():
                made.follow(columns, table)
            made.propose()
        return made.shown()


def begun(tape: Tape, schema: Schema) -> Generator:
    """The generator at the product of the noisy columns, blurred."""
    made = Generator.begin(schema.domain, coin_of(tape, "generator"))
    for name, share in product_of(tape, schema).columns.items():
        made.follow((name,), np.log(np.maximum(share, FLOOR)))
    made.proposals.clear()
    made.propose()
    return made


def learned(candidates: Ints, entry: Entry) -> Array:
    """a: what each candidate adds to the student."""
    assert isinstance(entry.answer, np.ndarray)
    teachers = int(entry.question["teachers"])
    share = np.clip(entry.answer / teachers, 0, 1)
    noise = variance_of(entry.question["mechanism"]) / teachers**2
    likeness = kernel(candidates, candidates).astype(np.float64)
    steady = likeness + (LEAST + noise * likeness.mean()) * np.eye(len(candidates))
    return np.asarray(np.linalg.solve(steady, share - share.mean()))


def potentials(candidates: Ints, weight: Array, schema: Schema) -> dict[Columns, Array]:
    """The student as tables: it is a sum over columns and pairs of columns."""
    names, found = tuple(schema.domain), {}
    for clique in [*combinations(range(len(names)), 1), *combinations(range(len(names)), 2)]:
        columns = tuple(names[place] for place in clique)
        table = np.zeros(tuple(schema.domain[name] for name in columns))
        np.add.at(table, tuple(candidates[:, place] for place in clique), RATE * weight)
        found[columns] = table
    return found
