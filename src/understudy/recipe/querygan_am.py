"""querygan_am: document 000's game with a private best response that is measured too (oracle A')."""

from understudy.game.data.mixture import MixturePlayer
from understudy.game.query.rounds import few_rounds
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 4  # each trains the generator anew


@recipe(
    "querygan_am",
    cost="20 % all columns, 8 % choosing pairs by Gumbel selection in 4 rounds, 72 % measuring them",
    choose="a study of oracle A': the discriminator's best responses, measured; querygan (oracle C) is nearer",
)
def querygan_am(setting: Setting) -> Pairing:
    """Choose about as many pairs as two trees would have, in a few batches, and fit the mixture to all of them."""
    query = few_rounds(setting.schema, setting.purse, setting.workload.repeated, ROUNDS)
    return Pairing(query, MixturePlayer(fits=query.rounds))
