"""pairs: all columns and the pairs that matter most, held by a mixture of products."""

from understudy.game.data.mixture import MixturePlayer
from understudy.game.query.pairs import ChosenPairs, strongest
from understudy.question.workload import ways
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "pairs",
    cost="20 % all columns, 10 % choosing pairs by Gumbel selection, 70 % measuring the chosen pairs",
    choose="relations between columns matter; up to a few dozen columns and 4,000 cells in all",
)
def pairs(setting: Setting) -> Pairing:
    """Choose twice as many pairs as a tree would have, and fit a mixture to them."""
    candidates = ways(tuple(setting.schema.domain), 2)
    rounds = min(2 * (len(setting.schema.domain) - 1), len(candidates))
    return Pairing(ChosenPairs(setting.schema, setting.purse, rounds, strongest(candidates)), MixturePlayer())
