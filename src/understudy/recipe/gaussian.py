"""gaussian: a Gaussian for each class, with all of its second moments."""

from understudy.game.data.gauss import GaussPlayer
from understudy.game.query.looks import Looks, Opening
from understudy.question.lift import centre_of
from understudy.recipe.moments import MEANS, estimate_of, rest_of
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "gaussian",
    cost="10 % sums by class, 2 % each for class sizes and clips, the rest second moments by class",
    choose="numbers whose covariances matter, up to a thousand; pictures without classes",
    pictures=True,
)
def gaussian(setting: Setting) -> Pairing:
    """Centre every class by its own mean, then ask for its second moments."""
    estimate = estimate_of(setting)
    opening = Opening(estimate, setting.purse)
    first = (*opening.sizes(), *opening.means(MEANS))
    second = opening.second(
        "centred rows",
        rest_of(first),
        True,
        lambda tape, clip: opening.ball(clip, centre_of(estimate.centres(tape))),
        1,
    )
    return Pairing(Looks((*first, *second), setting.purse), GaussPlayer(estimate))
