"""The players' protocols: all that a contributor must know.

    query player   turns public state (the guess, the tape) into the next question, or stops
    data player    turns the tape into a guess
    guess          a distribution over the domain: it answers marginals and makes rows

A data player has no gate and a query player no rows, so all that they do is post-processing of the tape. Both must be
deterministic functions of what they are given: where they want randomness they take the coin from the tape's header,
which is public. So a replay of the tape repeats them byte for byte.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from understudy.game.registry import Registry
from understudy.question.question import Question
from understudy.refusal import Infeasible, Misuse
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

Columns = tuple[str, ...]
Codes = dict[str, NDArray[np.integer]]
Details = dict[str, NDArray[np.integer]]
Model = tuple[dict[str, Any], dict[str, NDArray[Any]]]


class Guess(Protocol):
    """A distribution over the schema's domain."""

    kind: ClassVar[str]

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """Probabilities of the cells of a marginal, one axis a column, summing to 1."""
        ...

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows of codes, by column."""
        ...

    def given(self, cells: dict[str, int]) -> "Guess":
        """The distribution of the rows that have these columns in these cells; Misuse where they have no chance."""
        ...

    def model(self) -> Model:
        """Words and arrays from which the guess can be rebuilt, for the model file."""
        ...

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Guess":
        """The guess of a model file."""
        ...


@runtime_checkable
class Detailed(Protocol):
    """A guess that knows more of a value than its cell. It makes pictures; others make cells only."""

    def detailed(self, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
        """n rows of codes, and what is finer: the ticks of numbers and moments, the levels of pictures."""
        ...


@runtime_checkable
class Trained(Protocol):
    """A guess that was trained by steps, and remembers what its loss was before each; none where it was not."""

    @property
    def training(self) -> NDArray[np.float64]:
        """The losses: a function of the tape, like the guess, and part of its model file."""
        ...


GUESSES: Registry[type[Guess]] = Registry("understudy.game.data", "kind of model", "this version knows")


@dataclass(frozen=True)
class Step:
    """A part of what a query player will ask: questions at their price, told before anything is asked."""

    what: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Forecast:
    """What a fit takes at most: the memory and the time, from public facts."""

    megabytes: float
    seconds: float


class QueryPlayer(Protocol):
    """Asks the next question, or returns None when it is done."""

    def script(self) -> tuple[Step, ...]:
        """All that it may ask, at its price, in order; what is not known yet stands for itself by its size."""
        ...

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The next question, a deterministic function of public state."""
        ...


@runtime_checkable
class Lasting(Protocol):
    """A query player of so many questions that people want to know how far it has come."""

    def progress(self, tape: Tape) -> tuple[int, int]:
        """How many are answered, and how many there will be."""
        ...


class DataPlayer(Protocol):
    """Fits a guess to the tape. A warm start from its previous guess is its own affair."""

    def forecast(self, schema: Schema) -> Forecast:
        """What a fit will take; Infeasible, naming the column and its cells, where it is too much."""
        ...

    def fit(self, tape: Tape, schema: Schema) -> Guess:
        """The guess of the tape so far."""
        ...


def refuse_wide(schema: Schema, widest: int) -> None:
    """A data player that keeps all columns' cells at once has a limit to how many."""
    cells = sum(schema.domain.values())
    if cells > widest:
        name = max(schema.domain, key=lambda name: schema.domain[name])
        raise Infeasible(
            f"the columns have {cells:,} cells together, more than the {widest:,} that this recipe takes",
            f"coarsen column '{name}' ({schema.domain[name]:,} cells), or use --recipe independent",
        )


def refuse_impossible(chance: float) -> None:
    """Nothing can be drawn given what never happens."""
    if not chance > 0:
        raise Misuse("the model gives the given values no chance together", "give fewer values, or others")


def coin_of(tape: Tape, purpose: str) -> np.random.Generator:
    """Public randomness for one purpose, drawn from the coin in the tape's header."""
    words = f"{tape.header['coin']}:{purpose}".encode()
    return np.random.default_rng(np.frombuffer(words, dtype=np.uint8).astype(np.uint32))
