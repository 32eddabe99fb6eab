"""dqrs: DualQuery with most of a round's draws kept from the round before, by a public coin.

The published method keeps a draw with a probability that depends on the table, and pays for that. Here the coin is the tape's,
so keeping is free; the weights move by little a round, and a kept draw is one from slightly older weights.
"""

from understudy.game.data.dualquery import DualQueryPlayer
from understudy.game.query.weights import Draws, Weights
from understudy.recipe.game import least_of, pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS, PLAYS = 400, 2000
FRESH = 4  # one draw in so many is new


@recipe(
    "dqrs",
    cost="all of it drawing single cells by Gumbel selection, a quarter as many draws as dualquery uses",
    choose="dualquery's rows with more of them at the same price",
)
def dqrs(setting: Setting) -> Pairing:
    """As dualquery, with a quarter of the draws new in each round."""
    pace = pace_of(setting, ROUNDS)

    def draws(n: int) -> Draws:
        return pace.draws(n, least_of(setting, PLAYS), FRESH)

    asking = Weights(setting.schema, setting.purse, setting.workload, draws, certified=False)
    return Pairing(asking, DualQueryPlayer(draws, ROUNDS))
