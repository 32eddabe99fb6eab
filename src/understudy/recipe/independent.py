"""independent: every column by itself. The baseline that any other recipe must beat."""

from understudy.game.data.product import ProductPlayer
from understudy.game.query.measure import Measure
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "independent",
    cost="one Gaussian look at all one-way marginals",
    choose="single columns matter and relations do not; very wide columns; a baseline",
)
def independent(setting: Setting) -> Pairing:
    """Measure every column once; release their product."""
    columns = tuple((name,) for name in setting.schema.domain)
    return Pairing(Measure(columns, setting.purse), ProductPlayer())
