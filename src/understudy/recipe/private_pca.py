"""private_pca: the directions in which a table varies, then a Gaussian for each class along them."""

from fractions import Fraction

from understudy.game.data.components import ComponentsPlayer
from understudy.game.query.looks import Looks, Opening
from understudy.question.lift import Ball, centre_of
from understudy.recipe.moments import estimate_of, rest_of
from understudy.recipe.recipe import Pairing, Setting, recipe
from understudy.vault.tape import Tape

SUMS, DIRECTIONS = Fraction(3, 20), Fraction(3, 10)


@recipe(
    "private_pca",
    cost="15 % sums by class, 30 % second moments of all, 2 % each for sizes and clips, the rest second moments by class",
    choose="pictures with classes; wide numeric tables in which classes differ",
    pictures=True,
)
def private_pca(setting: Setting) -> Pairing:
    """Find the directions that stand out from the noise; ask for each class's second moments along them only."""
    estimate = estimate_of(setting)
    opening = Opening(estimate, setting.purse)

    def of_all(tape: Tape, clip: int) -> Ball:
        return opening.ball(clip, centre_of(estimate.centre(tape)))

    first = (*opening.sizes(), *opening.means(SUMS), *opening.second("all rows", DIRECTIONS, False, of_all, 1))
    second = opening.second("classes", rest_of(first), True, opening.along(estimate.directions), 2)
    return Pairing(Looks((*first, *second), setting.purse), ComponentsPlayer(estimate, look=1))
