"""querygan_am: document 000's game with a private best response that is measured too (oracle A')."""

from understudy.game.data.mixture import MixturePlayer
from understudy.game.query.rounds import Rounds, pairs_within
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 4  # each trains the generator anew


@recipe(
    "querygan_am",
    cost="20 % all columns, 8 % choosing pairs by Gumbel selection in 4 rounds, 72 % measuring them",
    choose="a study of oracle A': the discriminator's best responses, measured; querygan (oracle C) is nearer",
)
def querygan_am(setting: Setting) -> Pairing:
    """Choose about as many pairs as two trees would have, in a few batches, and fit the mixture to all of them."""
    candidates = pairs_within(setting.workload.repeated)
    total = min(2 * (len(setting.schema.domain) - 1), len(candidates))
    rounds = min(ROUNDS, total)
    batch = total // rounds if rounds else 0
    return Pairing(Rounds(setting.schema, setting.purse, candidates, rounds, batch), MixturePlayer(fits=rounds))
