"""ron_gauss: document 004's RON-Gauss with its noise corrected: a Gaussian along random directions.

Centre by a private mean, project onto public random orthonormal directions, ask for the second moments there, draw from the
Gaussian and take it back. Where the schema has a label, it is a target column beside the directions (the supervised form),
else there is none (the unsupervised one). The printed noise was too small (`audit/saboteur/ron_gauss.py`); the right one, at
delta 0, drowns a hundred directions of fifty thousand pictures: give a delta.
"""

from fractions import Fraction

from understudy.game.data.gauss import GaussPlayer
from understudy.game.haar import beside, haar
from understudy.game.moments import Array
from understudy.game.query.looks import Looks, Opening
from understudy.recipe.moments import rest_of, unlabelled
from understudy.recipe.recipe import Pairing, Setting, recipe
from understudy.vault.tape import Tape

MEANS, DIMENSION = Fraction(3, 10), 100  # as in document 004


@recipe(
    "ron_gauss",
    cost="30 % sums, 2 % each for clips, the rest second moments along 100 random directions",
    choose="document 004's method is wanted, with a delta; random directions lose most: gaussian and private_pca are nearer",
    pictures=True,
)
def ron_gauss(setting: Setting) -> Pairing:
    """One Gaussian along random directions, with the label's coordinates kept as they are."""
    estimate = unlabelled(setting)
    opening = Opening(estimate, setting.purse)
    kept = estimate.space.width_of(setting.schema.label)
    others = estimate.space.dimension - kept

    def directions(tape: Tape) -> Array:
        return beside(haar(tape, others, min(DIMENSION, others)), kept)

    first = opening.means(MEANS)
    second = opening.second("projected rows", rest_of(first), True, opening.along(directions), 1)
    return Pairing(Looks((*first, *second), setting.purse), GaussPlayer(estimate, directions=directions))
