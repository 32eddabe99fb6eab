"""copula: the columns' own distributions, joined by correlated normals, for each class where there are some."""

from fractions import Fraction

from understudy.game.data.copula import CopulaPlayer, columns_of, lift_of
from understudy.game.query.looks import Look, Looks, Opening
from understudy.question.marginals import Marginals
from understudy.question.mechanism import Exact
from understudy.question.moments import Moments
from understudy.recipe.moments import estimate_of
from understudy.recipe.recipe import Pairing, Setting, recipe
from understudy.vault.tape import Tape

COLUMNS = Fraction(2, 5)


@recipe(
    "copula",
    cost="40 % all columns (by class), 2 % class sizes, the rest second moments of normal scores",
    choose="many ordered columns of any shape whose relations are monotone",
)
def copula(setting: Setting) -> Pairing:
    """Measure every column, turn cells into normal scores, and ask for the second moments of the scores."""
    estimate = estimate_of(setting)
    label, classes = estimate.label, estimate.classes
    order = list(setting.schema.domain)
    pairs = tuple(tuple(sorted((name, label), key=order.index)) if label else (name,) for name in estimate.space.names)
    opening = Opening(estimate, setting.purse)
    sizes = opening.sizes()
    columns = Marginals(Exact(), pairs)

    def moments(tape: Tape) -> Moments:
        return Moments(Exact(), lift_of(columns_of(tape, estimate)), label, classes, opening.weights)

    rest = 1 - COLUMNS - sum((look.share for look in sizes), Fraction(0))
    looks = (
        *sizes,
        Look("columns", COLUMNS, lambda tape: columns, columns),
        Look("second moments of scores", rest, moments, moments(Tape({}))),
    )
    return Pairing(Looks(looks, setting.purse), CopulaPlayer(estimate))
