"""The game: ask, answer, fit, until the query player is content.

    guess_0 = fit(tape)
    repeat   question = query_player.next(guess, tape);  gate.ask(question);  guess = data_player.fit(tape)

The rows are read in ``gate.ask`` and nowhere else in this loop.
"""

from collections.abc import Callable

from understudy.game.player import DataPlayer, Guess, QueryPlayer
from understudy.schema.schema import Schema
from understudy.vault.gate import Gate


def play(
    gate: Gate, schema: Schema, query_player: QueryPlayer, data_player: DataPlayer, tell: Callable[[str], None]
) -> Guess:
    """Play until the query player stops; the last guess."""
    guess = data_player.fit(gate.tape, schema)
    while (question := query_player.next(guess, gate.tape)) is not None:
        tell(f"look {len(gate.tape) + 1:,}: {question.kind}")
        gate.ask(question)
        tell(f"fitting the model to {len(gate.tape):,} answers")
        guess = data_player.fit(gate.tape, schema)
    return guess
