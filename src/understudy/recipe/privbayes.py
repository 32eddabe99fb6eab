"""privbayes: a network of columns, each with the one or two parents that it depends on most, chosen privately and measured."""

from understudy.game.data.bayesian import BayesianPlayer
from understudy.game.query.families import Families
from understudy.recipe.recipe import Pairing, Setting, recipe

ROOM = 100_000  # cells of the junction tree
DEGREE, NARROW = 2, 24  # parents, and up to how many columns; a wider table's columns have one parent each


@recipe(
    "privbayes",
    cost="20 % all columns, 8 % choosing each column's parents by Gumbel selection, 72 % measuring the families",
    choose="a network of conditional tables is wanted, as others publish them; mst and querygan are nearer",
)
def privbayes(setting: Setting) -> Pairing:
    """Grow the network column by column, and take its tables as they are."""
    degree = DEGREE if len(setting.schema.domain) <= NARROW else 1
    return Pairing(Families(setting.schema, setting.purse, degree, ROOM), BayesianPlayer(ROOM))
