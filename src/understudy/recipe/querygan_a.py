"""querygan_a: document 000's game with a private best response for its discriminator (oracle A)."""

from understudy.game.data.generator import GeneratorPlayer
from understudy.game.query.cells import Cells
from understudy.recipe.game import pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 128
HASTE = 8.0  # the leader's rate, in rates of multiplicative weights: nearer than 2 on 6 to 14 columns


@recipe(
    "querygan_a",
    cost="95 % choosing single cells by Gumbel selection, round after round, 5 % what the choices came to",
    choose="document 000's game with its regret certificate is wanted; querygan (oracle C) is nearer",
)
def querygan_a(setting: Setting) -> Pairing:
    """The worst cell against each proposal of the generator; the mixture of the proposals."""
    pace = pace_of(setting, ROUNDS)
    data = GeneratorPlayer(lambda n: 1, lambda n: HASTE * pace.eta(n), pace.most)
    return Pairing(Cells(setting.schema, setting.purse, setting.workload, pace.rounds), data)
