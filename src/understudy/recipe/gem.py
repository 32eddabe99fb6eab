"""gem: rounds of privately chosen pairs, held by a generator network (generative networks with the exponential mechanism)."""

from understudy.game.data.network import NetworkPlayer
from understudy.game.query.rounds import Rounds, pairs_within
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 3  # each trains the network anew


@recipe(
    "gem",
    cost="20 % all columns, 8 % choosing pairs by Gumbel selection in 3 rounds, 72 % measuring them",
    choose="a generator network is wanted and few pairs matter; querygan is faster and nearly always nearer",
)
def gem(setting: Setting) -> Pairing:
    """Choose about as many pairs as two trees would have, in a few batches."""
    candidates = pairs_within(setting.workload.repeated)
    total = min(2 * (len(setting.schema.domain) - 1), len(candidates))
    rounds = min(ROUNDS, total)
    batch = total // rounds if rounds else 0
    return Pairing(Rounds(setting.schema, setting.purse, candidates, rounds, batch), NetworkPlayer(fits=rounds))
