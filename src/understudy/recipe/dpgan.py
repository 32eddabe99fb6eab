"""dpgan: a generator network against a critic that sees the private rows through noisy gradients only."""

from understudy.game.data.adversary import AdversaryPlayer, Regimen
from understudy.game.data.duel import DUELS
from understudy.game.data.maker import critic_for, maker_of
from understudy.game.query.critic_steps import CriticSteps
from understudy.game.tempo import Tempo
from understudy.recipe.recipe import Pairing, Setting, recipe

TEMPO, REGIMEN = Tempo(batch=512, least=6, most=2000), Regimen()
WIDEST = 256


@recipe(
    "dpgan",
    cost="2 % the label's classes, where there is one, 98 % noisy gradients of the critic over samples of rows",
    choose="pictures, or the adversarial game of documents 002 and 004; for tables querygan is nearer and faster",
    pictures=True,
    sampled=True,
)
def dpgan(setting: Setting) -> Pairing:
    """Dense networks."""
    return adversaries(setting, TEMPO, REGIMEN)


def adversaries(setting: Setting, tempo: Tempo, regimen: Regimen, channels: int = 0) -> Pairing:
    """Convolutional networks of so many channels, or dense ones, no wider than four units a coordinate."""
    schema = setting.schema
    units = channels or min(WIDEST, 4 * maker_of(schema, 1).coordinates)
    maker = maker_of(schema, units, convolving=channels > 0)
    critic, loss = critic_for(maker, units), DUELS[regimen.duel].loss
    steps = CriticSteps(schema, setting.purse, maker, critic, loss, tempo)
    return Pairing(steps, AdversaryPlayer(maker, critic, tempo, regimen))
