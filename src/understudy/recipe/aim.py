"""aim: the worst marginal of the workload, chosen and measured round after round, held by a graphical model."""

from understudy.game.data.graphical import GraphicalPlayer
from understudy.game.query.adaptive import Adaptive
from understudy.game.query.closure import closure
from understudy.recipe.recipe import Pairing, Setting, recipe

ROOM = 100_000  # cells of the junction tree
WIDTH = 2  # columns of a candidate
PORTIONS = 3  # the least round is this many times the columns to a whole


@recipe(
    "aim",
    cost="20 % all columns, 8 % choosing marginals by Gumbel selection, 72 % measuring the chosen ones",
    choose="the classical adaptive method is wanted; few columns, of which some pairs matter much more than others",
)
def aim(setting: Setting) -> Pairing:
    """Choose and measure until the purse is empty; the tree stays small."""
    candidates = closure(setting.workload.repeated, WIDTH)
    portions = PORTIONS * len(setting.schema.domain)
    return Pairing(Adaptive(setting.schema, setting.purse, candidates, portions, ROOM), GraphicalPlayer(ROOM))
