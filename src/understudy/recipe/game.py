"""What recipes of single cells share: their pace, and how many selections there is time for.

A selection computes a score for every cell of the workload with both signs; ``LOOKS`` scores are what a run has time for.
"""

from math import log

from understudy.game.pace import Pace
from understudy.game.query.cells import PAYOFF, queries_of
from understudy.recipe.recipe import Setting

LOOKS = 10**9  # about a minute


def pace_of(setting: Setting, most: int) -> Pace:
    """The pace of a game over the workload's cells, with at most so many rounds."""
    log_cells = sum(log(cells) for cells in setting.schema.domain.values())
    many = log(2 * queries_of(setting.workload, setting.schema))
    return Pace(log_cells, many, setting.purse.share(1 - PAYOFF), least_of(setting, most))


def least_of(setting: Setting, most: int) -> int:
    """So many selections, or as many as there is time for."""
    return max(min(LOOKS // (2 * queries_of(setting.workload, setting.schema)), most), 1)
