"""querygan: all columns and all pairs, measured once and held by a mixture of products.

This is document 000's game with its query player at oracle C (measure everything once: regret 0 on what is measured, one
charge, and no round trip), and its generator a mixture that is trained on the tape until what it learns costs more than
the noise allows. Selection buys nothing here: an all-pairs look is as precise as sixty rounds of an adaptive one, and the
mixture's price on information does the choosing afterwards, for free.
"""

from understudy.game.data.mixture import MixturePlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "querygan",
    cost="5 % all columns, 95 % all pairs, one look each",
    choose="nearly always; up to a hundred columns and 4,000 cells in all",
)
def querygan(setting: Setting) -> Pairing:
    """Measure all pairs at once, and let the mixture decide what stands out from the noise."""
    return Pairing(columns_and_pairs(setting.schema, setting.purse), MixturePlayer())
