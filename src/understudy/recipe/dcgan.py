"""dcgan: dpgan with the convolutional networks of document 004, group norm in the place of its batch norm."""

from understudy.game.data.bout import Regimen
from understudy.game.tempo import Tempo
from understudy.recipe.dpgan import adversaries, dpgan, networks
from understudy.recipe.recipe import Pairing, Setting, recipe

TEMPO, REGIMEN = Tempo(batch=512, least=6, most=600), Regimen(critic_rate=1e-3, maker_rate=1e-3)
CHANNELS = 32  # of the first layer; they double as the sides halve


@recipe(
    "dcgan",
    cost="2 % the label's classes, where there is one, 98 % noisy gradients of the critic over samples of rows",
    choose="one picture a row, and time: its steps are slower than dpgan's; without a picture it is dpgan",
    pictures=True,
    sampled=True,
)
def dcgan(setting: Setting) -> Pairing:
    """Convolutions where a row has one picture of fitting sides, dense networks elsewhere."""
    if len(setting.schema.images) == 1 and (maker := networks(setting, CHANNELS)).halvings:
        return adversaries(setting, maker, TEMPO, REGIMEN)
    return dpgan.pair(setting)
