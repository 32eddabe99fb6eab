"""private_gsd: all columns and all pairs, measured once; a table of rows evolves until it fits (private genetic search)."""

from understudy.game.data.genetic import GeneticPlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "private_gsd",
    cost="5 % all columns, 95 % all pairs, one look each",
    choose="a study of the method: rows at every step and no gradient; querygan fits the same look better and sooner",
)
def private_gsd(setting: Setting) -> Pairing:
    """Measure all pairs at once, and breed rows for them."""
    return Pairing(columns_and_pairs(setting.schema, setting.purse), GeneticPlayer())
