"""oneshot: the errors of all pairs in one look, the worthwhile ones measured, held by a graphical model."""

from understudy.game.data.graphical import GraphicalPlayer
from understudy.game.query.closure import closure
from understudy.game.query.one_shot import OneShot
from understudy.recipe.recipe import Pairing, Setting, recipe

ROOM = 200_000  # cells of the junction tree
LOOKS = 4  # marginals that are measured at most, for every column


@recipe(
    "oneshot",
    cost="20 % all columns, 5 % the errors of all pairs at once, 75 % measuring the worthwhile ones",
    choose="an exact graphical model is wanted, more accurate and sooner than aim",
)
def oneshot(setting: Setting) -> Pairing:
    """Look once at all errors, then measure what is worth it with the noise that suits its size."""
    parts = closure(setting.workload.repeated, 2)
    candidates = dict(pair for pair in parts.items() if len(pair[0]) > 1) or parts
    looks = min(LOOKS * len(setting.schema.domain), len(candidates))
    return Pairing(OneShot(setting.schema, setting.purse, candidates, looks, ROOM), GraphicalPlayer(ROOM))
