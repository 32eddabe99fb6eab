"""Latest: of a guess that is an average over rounds, the one that the next round is played against.

A game's guarantee is about the average of all that the data player has proposed, so that is what is released; a query
player answers the last proposal. A guess that is no average is its own latest.
"""

from typing import Protocol, runtime_checkable

from understudy.game.player import Guess


@runtime_checkable
class Average(Guess, Protocol):
    """The uniform mixture of the guesses that were played against, with the one to play against next."""

    @property
    def latest(self) -> Guess:
        """The proposal of this round; not yet part of the average."""
        ...


def latest(guess: Guess) -> Guess:
    """What to play against."""
    return guess.latest if isinstance(guess, Average) else guess
