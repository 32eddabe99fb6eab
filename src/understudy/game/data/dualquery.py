"""DualQuery: each round the one row that answers the round's draws best; released are the rows that were played against.

    x_t = argmax over rows x of  sum over signed draws +-q of round t of  +-q(x)

Ties are broken by the tape's coin. The first row is a coin's. The average is as coarse as there are rounds, which is a part of
why its rate (eps n)^(-1/3) is slow: it trades accuracy for never holding the domain.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from understudy.game.data.respond import TABLE, Objective
from understudy.game.data.rows import Rows
from understudy.game.measurement import size
from understudy.game.player import Forecast, coin_of
from understudy.game.query.weights import Drawn, Draws
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

TIE = 1e-3
SECONDS = 4e-5  # for one cell of one row, where the solver makes it


@dataclass
class DualQueryPlayer:
    """Responds to the draws on the tape, round after round."""

    draws: Callable[[int], Draws]
    most: int  # rounds, for the forecast where nobody says how many rows there are
    _drawn: Drawn = field(default_factory=Drawn, repr=False)
    _rows: list[dict[str, int]] = field(default_factory=list, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """One solve a round."""
        return solving(schema, self.most if schema.n is None else self.draws(schema.n).rounds)

    def fit(self, tape: Tape, schema: Schema) -> Rows:
        """The rows played against so far, and the one to play against next."""
        self._drawn.follow(tape, schema, self.draws(size(tape, schema)))
        while len(self._rows) <= len(self._drawn.rounds):
            t, objective = len(self._rows), Objective(schema.domain)
            rng = coin_of(tape, f"dualquery {t}")
            for signed in self._drawn.rounds[t - 1] if t else []:
                objective.add(signed.query, signed.sign)
            self._rows.append(objective.best({name: TIE * rng.random(cells) for name, cells in schema.domain.items()}))
        return averaged([[row] for row in self._rows], schema)


def averaged(proposals: list[list[dict[str, int]]], schema: Schema) -> Rows:
    """All proposals but the last, together; the last is to be played against. The first stands for both at first."""
    past, now = proposals[:-1] or proposals, proposals[-1]
    rows = [row for rows in past for row in rows]
    return Rows(coded(rows, schema), schema.domain, now=coded(now, schema))


def coded(rows: list[dict[str, int]], schema: Schema) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.integer]]]:
    """Rows one by one as columns of codes."""
    return {name: np.array([row[name] for row in rows], dtype=np.int64) for name in schema.domain}


def solving(schema: Schema, solves: int) -> Forecast:
    """What so many solves take: next to nothing where the domain is looked through."""
    small, cells = Objective(schema.domain).small, sum(schema.domain.values())
    return Forecast(megabytes=100 + TABLE * 24 / 1e6, seconds=2 + solves * (0.002 if small else SECONDS * cells))
