"""querygan: all columns and all pairs, the clearest pairs twice, held by a graphical model and a mixture of products.

This is document 000's game with its query player at oracle C (measure what there is: regret 0 on what is measured, and no
choice to pay for), and its generator a blend (data/blend.py): a graphical model of the clearest pairs, which get the other half
of the budget, and a mixture that is trained on what the model leaves, until what it learns costs more than the noise allows.
Both the choice of the pairs and the training are post-processing of the tape, so they are free.

A tree of some 100,000 cells has room for nearly all of the clearest pairs of a narrow table (38 of 42 on adult's 14 columns),
and for few of a wide one. Where it has no room for a strong pair the field is wrong about it, and the mixture can only add.
So a table of more than ``NARROW`` columns, a public fact, is held by the mixture alone, and all pairs share the budget:
on census, 42 columns, the mean distance of pairs was 0.013 so, and 0.025 with a blend.
"""

from understudy.game.data.blend import BlendPlayer
from understudy.game.data.mixture import MixturePlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.game.query.twice import Twice
from understudy.recipe.recipe import Pairing, Setting, recipe

NARROW = 20  # columns


@recipe(
    "querygan",
    cost="5 % all columns, 45 % all pairs, 50 % the clearest pairs again (over 20 columns: 95 % all pairs)",
    choose="nearly always; up to a hundred columns and 4,000 cells in all",
)
def querygan(setting: Setting) -> Pairing:
    """Measure all pairs, then the clearest again; a field for these, a mixture for the rest."""
    if len(setting.schema.domain) > NARROW:
        return Pairing(columns_and_pairs(setting.schema, setting.purse), MixturePlayer())
    return Pairing(Twice(setting.schema, setting.purse), BlendPlayer())
