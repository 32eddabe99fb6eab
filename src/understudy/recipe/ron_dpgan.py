"""ron_dpgan: a Gaussian for each class from private moments, refined by a generator against a critic (document 004).

The moments are those of `private_pca`, at its prices within three quarters of the budget; the Gaussians are where the generator
starts and what its noise means, in training and in every draw. Both parts add up: rho_moments + rho_steps.
"""

from dataclasses import replace
from fractions import Fraction

from understudy.game.data.adversary import AdversaryPlayer
from understudy.game.data.bout import Regimen
from understudy.game.data.prior import Opening
from understudy.game.query.in_turn import InTurn
from understudy.game.tempo import Tempo
from understudy.recipe.dpgan import networks, steps_of
from understudy.recipe.private_pca import private_pca
from understudy.recipe.recipe import Pairing, Setting, recipe

MOMENTS = Fraction(3, 4)
TEMPO, REGIMEN = Tempo(batch=256, least=6, most=150), Regimen(maker_rate=2e-5, stress=40.0)


@recipe(
    "ron_dpgan",
    cost="75 % the moments of `private_pca`, 25 % noisy gradients of the critic over samples of rows",
    choose="document 004's second method is wanted; private_pca is faster",
    pictures=True,
    sampled=True,
)
def ron_dpgan(setting: Setting) -> Pairing:
    """Moments, then steps."""
    moments = private_pca.pair(replace(setting, purse=setting.purse.share(MOMENTS)))
    maker = networks(setting)
    steps = steps_of(setting, setting.purse.share(1 - MOMENTS), maker, TEMPO, REGIMEN)
    return Pairing(
        InTurn(moments.query, steps), AdversaryPlayer(maker, steps, REGIMEN, Opening(moments.query, moments.data))
    )
