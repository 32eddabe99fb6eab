"""querygan_b: document 000's game with multiplicative weights over queries for its discriminator (oracle B)."""

from understudy.game.data.generator import GeneratorPlayer
from understudy.game.query.weights import Draws, Weights
from understudy.recipe.game import least_of, pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS, PLAYS = 128, 1000
HASTE = 8.0  # as in querygan_a


@recipe(
    "querygan_b",
    cost="95 % drawing single cells from multiplicative weights, 5 % what the draws came to",
    choose="a discriminator that plays a mixture of queries is wanted; querygan (oracle C) is nearer",
)
def querygan_b(setting: Setting) -> Pairing:
    """A few draws from the weights against each proposal; the mixture of the proposals."""
    pace = pace_of(setting, ROUNDS)

    def draws(n: int) -> Draws:
        return pace.draws(n, least_of(setting, PLAYS))

    data = GeneratorPlayer(lambda n: draws(n).draws, lambda n: HASTE * pace.eta(n), pace.most)
    return Pairing(Weights(setting.schema, setting.purse, setting.workload, draws), data)
