"""The players' protocols: all that a contributor must know.

    query player   turns public state (the guess, the tape) into the next question, or stops
    data player    turns the tape into a guess
    guess          a distribution over the domain: it answers marginals and makes rows

A data player has no gate and a query player no rows, so all that they do is post-processing of the tape. Both must be
deterministic functions of what they are given: where they want randomness they take ``coin`` from the tape's header,
which is public. So a replay of the tape repeats them byte for byte.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.question.question import Question
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

Columns = tuple[str, ...]
Codes = dict[str, NDArray[np.integer]]
Model = tuple[dict[str, Any], dict[str, NDArray[Any]]]


class Guess(Protocol):
    """A distribution over the schema's domain."""

    kind: str

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """Probabilities of the cells of a marginal, one axis a column, summing to 1."""
        ...

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows of codes, by column."""
        ...

    def model(self) -> Model:
        """Words and arrays from which the guess can be rebuilt, for the model file."""
        ...


class DataPlayer(Protocol):
    """Fits a guess to the tape. A warm start from its previous guess is its own affair."""

    def fit(self, tape: Tape, schema: Schema) -> Guess: ...


class QueryPlayer(Protocol):
    """Asks the next question, or returns None when it is done."""

    def next(self, guess: Guess, tape: Tape) -> Question | None: ...


def coin_of(tape: Tape, purpose: str) -> np.random.Generator:
    """Public randomness for one purpose, drawn from the coin in the tape's header."""
    words = f"{tape.header['coin']}:{purpose}".encode()
    return np.random.default_rng(np.frombuffer(words, dtype=np.uint8).astype(np.uint32))
