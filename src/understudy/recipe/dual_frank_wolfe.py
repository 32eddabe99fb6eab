"""dual_frank_wolfe: document 001's algorithm 7 with its constants made public and its proof made right."""

from math import log

from understudy.game.data.frank_wolfe import FrankWolfePlayer
from understudy.game.pace import Pace
from understudy.game.query.cells import PAYOFF, Cells, queries_of
from understudy.recipe.recipe import Pairing, Setting, recipe

LOOKS = 10**8  # scores that a run computes at most
MOST = 2000  # rounds


@recipe(
    "dual_frank_wolfe",
    cost="95 % choosing single cells by Gumbel selection, round after round, 5 % what the choices came to",
    choose="a bound on every cell that was proved before the run is wanted; it measures nothing, so querygan is nearer",
)
def dual_frank_wolfe(setting: Setting) -> Pairing:
    """Choose the worst cell of the workload, step towards it, average over the rounds."""
    schema, workload = setting.schema, setting.workload
    queries = queries_of(workload, schema)
    log_cells = sum(log(cells) for cells in schema.domain.values())
    most = max(min(LOOKS // (2 * queries), MOST), 1)
    pace = Pace(log_cells, log(2 * queries), setting.purse.share(1 - PAYOFF), most)
    return Pairing(Cells(schema, setting.purse, workload, pace.rounds), FrankWolfePlayer(pace, workload.cliques))
