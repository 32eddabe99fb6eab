"""The game: ask, answer, fit, until the query player is content.

    guess_0 = fit(tape)
    repeat   question = query_player.next(guess, tape);  gate.ask(question);  guess = data_player.fit(tape)

The rows are read in ``gate.ask`` and nowhere else in this loop.
"""

from collections.abc import Callable

from understudy.game.player import DataPlayer, Guess, Lasting, QueryPlayer
from understudy.game.stage import Stage
from understudy.schema.schema import Schema
from understudy.vault.gate import Gate
from understudy.vault.tape import Tape


def play(
    gate: Gate, schema: Schema, query_player: QueryPlayer, data_player: DataPlayer, tell: Callable[[str], None]
) -> Guess:
    """Play until the query player stops; the last guess."""
    guess = data_player.fit(gate.tape, schema)
    while (question := query_player.next(guess, gate.tape)) is not None:
        tell(stage_of(query_player, question.kind, gate.tape))
        gate.ask(question)
        if not isinstance(query_player, Lasting):
            tell(f"fitting the model to {len(gate.tape):,} answers")
        guess = data_player.fit(gate.tape, schema)
    return guess


def stage_of(player: QueryPlayer, kind: str, tape: Tape) -> Stage:
    """What is asked next, and, where a player knows it, how far the run has come."""
    if not isinstance(player, Lasting):
        return Stage(f"look {len(tape) + 1:,}: {kind}")
    done, due = player.progress(tape)
    return Stage(f"look {len(tape) + 1:,}: {kind}, {due - done:,} to go", done, due)
