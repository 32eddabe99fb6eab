"""ron_gauss_mixture: RON-Gauss with a Gaussian for each class, along the same random directions."""

from understudy.game.data.gauss import GaussPlayer
from understudy.game.haar import haar
from understudy.game.moments import Array
from understudy.game.query.looks import Looks, Opening
from understudy.recipe.moments import estimate_of, rest_of
from understudy.recipe.recipe import Pairing, Setting, recipe
from understudy.recipe.ron_gauss import DIMENSION, MEANS
from understudy.vault.tape import Tape


@recipe(
    "ron_gauss_mixture",
    cost="30 % sums by class, 2 % each for sizes and clips, the rest second moments by class along 100 random directions",
    choose="document 004's method is wanted for classes; private_pca is nearer",
    pictures=True,
)
def ron_gauss_mixture(setting: Setting) -> Pairing:
    """A Gaussian a class; the classes are those of the schema, and their sizes are asked for."""
    estimate = estimate_of(setting)
    opening = Opening(estimate, setting.purse)

    def directions(tape: Tape) -> Array:
        p = estimate.space.dimension
        return haar(tape, p, min(DIMENSION, p))

    first = (*opening.sizes(), *opening.means(MEANS))
    second = opening.second("projected rows", rest_of(first), True, opening.along(directions), 1)
    return Pairing(Looks((*first, *second), setting.purse), GaussPlayer(estimate, directions=directions))
