"""dualquery: queries drawn from multiplicative weights, answered by the best row, round after round."""

from understudy.game.data.dualquery import DualQueryPlayer
from understudy.game.query.weights import Draws, Weights
from understudy.recipe.game import least_of, pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS, PLAYS = 200, 2000


@recipe(
    "dualquery",
    cost="95 % drawing single cells by Gumbel selection, 5 % what the draws came to",
    choose="a study of the method: rows by a solver, nothing of the size of the domain is held; querygan is far nearer",
)
def dualquery(setting: Setting) -> Pairing:
    """Draw, respond with a row, add the row to the sum that the weights know."""
    pace = pace_of(setting, ROUNDS)

    def draws(n: int) -> Draws:
        return pace.draws(n, least_of(setting, PLAYS))

    return Pairing(Weights(setting.schema, setting.purse, setting.workload, draws), DualQueryPlayer(draws, ROUNDS))
