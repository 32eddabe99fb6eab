"""querygan_e: document 000's game with a convex logistic critic trained on noisy slopes (oracle E)."""

from understudy.game.data.logistic_critic import LogisticCriticPlayer
from understudy.game.query.critic import Critic
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 12


@recipe(
    "querygan_e",
    cost="12 noisy slopes of the critic over all marginals of the workload, equal parts",
    choose="a study of the convex critic: it has a regret bound for its own game and none for marginals",
)
def querygan_e(setting: Setting) -> Pairing:
    """A slope, a step of the critic, a proposal; the mixture of the proposals."""
    cliques = setting.workload.cliques
    return Pairing(Critic(setting.purse, cliques, ROUNDS), LogisticCriticPlayer(cliques, ROUNDS))
