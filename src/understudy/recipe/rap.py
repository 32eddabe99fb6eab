"""rap: all columns and all pairs, measured once; relaxed rows are trained until they fit (relaxed projection)."""

from understudy.game.data.relaxed import RelaxedPlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "rap",
    cost="5 % all columns, 95 % all pairs, one look each",
    choose="relaxed projection is wanted; as querygan, but every component has the same weight",
)
def rap(setting: Setting) -> Pairing:
    """Measure all pairs at once, and project onto relaxed rows."""
    return Pairing(columns_and_pairs(setting.schema, setting.purse), RelaxedPlayer())
