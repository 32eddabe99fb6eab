"""network: all columns and all pairs, measured once and held by the generator network of document 000."""

from understudy.game.data.network import NetworkPlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "network",
    cost="5 % all columns, 95 % all pairs, one look each",
    choose="querygan with document 000's own generator, a network; nearly as near, and slower",
)
def network(setting: Setting) -> Pairing:
    """Measure all pairs at once, and train the generator on them."""
    return Pairing(columns_and_pairs(setting.schema, setting.purse), NetworkPlayer())
