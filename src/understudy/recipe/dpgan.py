"""dpgan: a generator network against a critic that sees the private rows through noisy gradients only."""

from fractions import Fraction

from understudy.game.data.adversary import AdversaryPlayer, Regimen
from understudy.game.data.duel import DUELS
from understudy.game.data.maker import Maker, critic_for, maker_of
from understudy.game.query.critic_steps import CriticSteps
from understudy.game.query.in_turn import InTurn
from understudy.game.query.measure import Measure, Stage
from understudy.game.tempo import Tempo
from understudy.privacy.purse import Purse
from understudy.recipe.recipe import Pairing, Setting, recipe

TEMPO, TABLES, PICTURES = Tempo(batch=256, least=6, most=600), Regimen(), Regimen(variety=0.05)
WIDEST, CRITIC = 256, 64  # units; noise grows with the critic's weights, not with the generator's
LABEL = Fraction(1, 50)


@recipe(
    "dpgan",
    cost="2 % the label's classes, where there is one, 98 % noisy gradients of the critic over samples of rows",
    choose="pictures, or the adversarial game of documents 002 and 004; for tables querygan is nearer and faster",
    pictures=True,
    sampled=True,
)
def dpgan(setting: Setting) -> Pairing:
    """Dense networks."""
    return adversaries(setting, TEMPO, PICTURES if setting.schema.images else TABLES)


def adversaries(setting: Setting, tempo: Tempo, regimen: Regimen, channels: int = 0) -> Pairing:
    """Convolutional networks of so many channels, or dense ones; the label's classes first, where there is one."""
    purse = setting.purse
    maker = networks(setting, channels)
    if maker.label is None:
        steps = steps_of(setting, purse, maker, tempo, regimen)
        return Pairing(steps, AdversaryPlayer(maker, steps, regimen))
    classes = Measure((Stage("classes", ((maker.label.name,),)),), purse.share(LABEL))
    steps = steps_of(setting, purse.share(1 - LABEL), maker, tempo, regimen)
    return Pairing(InTurn(classes, steps), AdversaryPlayer(maker, steps, regimen))


def networks(setting: Setting, channels: int = 0) -> Maker:
    """Of so many channels, or dense ones no wider than four units a coordinate."""
    units = channels or min(WIDEST, 4 * maker_of(setting.schema, 1).coordinates)
    return maker_of(setting.schema, units, convolving=channels > 0)


def steps_of(setting: Setting, purse: Purse, maker: Maker, tempo: Tempo, regimen: Regimen) -> CriticSteps:
    """The steps of a critic: as many channels as the generator, or fewer units."""
    critic = critic_for(maker, min(maker.units, CRITIC))
    return CriticSteps(setting.schema, purse, maker, critic, DUELS[regimen.duel].loss, tempo)
