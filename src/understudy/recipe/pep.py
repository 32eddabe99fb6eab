"""pep: mwem by entropy projection: the worst marginal is chosen and measured, and the model is of largest entropy near all."""

from understudy.game.data.projection import ProjectionPlayer
from understudy.game.query.adaptive import Adaptive
from understudy.game.query.closure import closure
from understudy.recipe.recipe import Pairing, Setting, recipe

ROOM = 100_000  # cells of the junction tree; of all columns together where they are fewer
WIDTH = 3  # columns of a candidate
PORTIONS = 2


@recipe(
    "pep",
    cost="20 % all columns, 8 % choosing marginals by Gumbel selection, 72 % measuring the chosen ones",
    choose="mwem is wanted on more columns than a table of all cells can hold; querygan is faster",
)
def pep(setting: Setting) -> Pairing:
    """Choose and measure until the purse is empty, and project onto what was measured."""
    candidates = closure(setting.workload.repeated, WIDTH)
    portions = PORTIONS * len(setting.schema.domain)
    return Pairing(Adaptive(setting.schema, setting.purse, candidates, portions, ROOM), ProjectionPlayer(ROOM))
