"""gem: rounds of privately chosen pairs, held by a generator network (generative networks with the exponential mechanism)."""

from understudy.game.data.network import NetworkPlayer
from understudy.game.query.rounds import few_rounds
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 3  # each trains the network anew


@recipe(
    "gem",
    cost="20 % all columns, 8 % choosing pairs by Gumbel selection in 3 rounds, 72 % measuring them",
    choose="a generator network is wanted and few pairs matter; querygan is faster and nearly always nearer",
)
def gem(setting: Setting) -> Pairing:
    """Choose about as many pairs as two trees would have, in a few batches."""
    query = few_rounds(setting.schema, setting.purse, setting.workload.repeated, ROUNDS)
    return Pairing(query, NetworkPlayer(fits=query.rounds))
