"""querygan_d: document 000's game with a linear critic of mean features that are measured once (oracle D)."""

from understudy.game.data.mean_critic import MeanCriticPlayer
from understudy.game.query.measure import Measure, Stage
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "querygan_d",
    cost="one look at all marginals of the workload",
    choose="a study of the linear critic: after one look the game is free; querygan fits the same look better",
)
def querygan_d(setting: Setting) -> Pairing:
    """Measure the mean features, then play."""
    return Pairing(Measure((Stage("mean features", setting.workload.cliques),), setting.purse), MeanCriticPlayer())
