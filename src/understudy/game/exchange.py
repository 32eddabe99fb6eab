"""Exchange: rows that break a rule trade one column's cells with other rows, where that leaves less broken.

A trade moves no one-way count: what a column has in all rows together stays as the guess said. A redraw cannot promise
that; where visits are spread over a year and discharges do not come before them, redrawing discharges pushes them all to
the end of the year, while trading puts each beside a visit that it can follow.

    violations(r) + violations(s)  falls   =>   r and s trade

Each round pairs the broken rows among themselves (what one lacks another may have too much of), then with rows that obey;
no row is in two trades of a round, so that all of them can happen at once.
"""

import numpy as np
from numpy.typing import NDArray

from understudy.game.player import Codes
from understudy.schema.rules import Rules

ROUNDS = 60
IDLE = 6  # rounds without a trade after which there will be none


def exchange(rows: Codes, rules: Rules, rng: np.random.Generator) -> None:
    """Trade in place, until nothing is broken or nothing is gained."""
    idle = 0
    for _ in range(ROUNDS):
        gained = 0
        for name in rules.targets:
            wrong = rules.violations(rows)
            broken = rng.permutation(np.flatnonzero(wrong))
            if len(broken) == 0:
                return
            half = len(broken) // 2
            gained += trade(rows, name, broken[:half], broken[half : 2 * half], rules)
            broken, sound = np.flatnonzero(wrong), rng.permutation(np.flatnonzero(wrong == 0))
            gained += trade(rows, name, broken[: len(sound)], sound[: len(broken)], rules)
        idle = 0 if gained else idle + 1
        if idle == IDLE:
            return


def trade(rows: Codes, name: str, r: NDArray[np.intp], s: NDArray[np.intp], rules: Rules) -> int:
    """Exchange a column between rows r and s wherever that leaves less broken; how many did."""
    apart = rows[name][r] != rows[name][s]
    r, s = r[apart], s[apart]
    if len(r) == 0:
        return 0
    at_r, at_s = ({column: rows[column][i] for column in rules.columns} for i in (r, s))
    before = rules.violations(at_r) + rules.violations(at_s)
    at_r[name], at_s[name] = at_s[name], at_r[name]
    better = rules.violations(at_r) + rules.violations(at_s) < before
    r, s = r[better], s[better]
    rows[name][r], rows[name][s] = rows[name][s], rows[name][r]
    return len(r)
