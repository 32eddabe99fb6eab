"""dual_frank_wolfe: document 001's algorithm 7 with its constants made public and its proof made right."""

from understudy.game.data.frank_wolfe import FrankWolfePlayer
from understudy.game.query.cells import Cells
from understudy.recipe.game import pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

MOST = 2000  # rounds


@recipe(
    "dual_frank_wolfe",
    cost="95 % choosing single cells by Gumbel selection, round after round, 5 % what the choices came to",
    choose="a bound on every cell that was proved before the run is wanted; it measures nothing, so querygan is nearer",
)
def dual_frank_wolfe(setting: Setting) -> Pairing:
    """Choose the worst cell of the workload, step towards it, average over the rounds."""
    pace = pace_of(setting, MOST)
    query = Cells(setting.schema, setting.purse, setting.workload, pace.rounds)
    return Pairing(query, FrankWolfePlayer(pace, setting.workload.cliques))
