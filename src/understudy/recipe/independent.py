"""independent: every column by itself. The baseline that any other recipe must beat."""

from understudy.game.data.product import ProductPlayer
from understudy.game.query.measure import Measure, Stage
from understudy.question.workload import ways
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "independent",
    cost="one look at all one-way marginals",
    choose="single columns matter and relations do not; very wide columns; a baseline",
)
def independent(setting: Setting) -> Pairing:
    """Measure every column once; release their product."""
    columns = Stage("all columns", ways(tuple(setting.schema.domain), 1))
    return Pairing(Measure((columns,), setting.purse), ProductPlayer())
