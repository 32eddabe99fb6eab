"""dp_merf: mean random features of each class, asked for once, and a generator network trained to have them."""

from fractions import Fraction

import numpy as np

from understudy.game.data.merf import MerfPlayer
from understudy.game.query.looks import Look, Looks, Opening
from understudy.game.waves import FREQUENCIES, frequencies
from understudy.question.lift import Waves
from understudy.question.mean_features import MeanFeatures
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.recipe.moments import estimate_of
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "dp_merf",
    cost="2 % each for class sizes and lengths, the rest mean random features by class",
    choose="a generator network from one look is wanted; private_pca and querygan are nearer",
    pictures=True,
)
def dp_merf(setting: Setting) -> Pairing:
    """One release of random features; all the rest is training."""
    estimate = estimate_of(setting)
    space = estimate.space
    opening = Opening(estimate, setting.purse)

    def features(steps: np.ndarray) -> MeanFeatures:
        lift = Waves(space.names, 2 * FREQUENCIES, Reference.of_tables({("frequencies",): steps}))
        return MeanFeatures(Exact(), lift, estimate.label, estimate.classes)

    first = (*opening.sizes(), opening.lengths())
    rest = 1 - sum((look.share for look in first), Fraction(0))
    asked = Look(
        "mean random features",
        rest,
        lambda tape: features(frequencies(tape, estimate)),
        features(np.zeros((space.dimension, FREQUENCIES), dtype=np.int64)),
    )
    return Pairing(Looks((*first, asked), setting.purse), MerfPlayer(estimate))
