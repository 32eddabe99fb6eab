"""What recipes of moments share: by which classes, and how the purse is divided."""

from fractions import Fraction

from understudy.game.moments import Estimate
from understudy.game.query.looks import SMALL, Look
from understudy.game.space import Space
from understudy.recipe.recipe import Setting

MEANS = Fraction(1, 10)  # of the purse, for sums


def estimate_of(setting: Setting) -> Estimate:
    """By the schema's label, if it has one and other columns."""
    schema = setting.schema
    by_class = schema.label is not None and len(schema.domain) > 1
    label = schema.label if by_class and schema.label else ""
    return Estimate(schema, Space.of(schema, label or None), label)


def unlabelled(setting: Setting) -> Estimate:
    """All columns alike, the label among them."""
    return Estimate(setting.schema, Space.of(setting.schema))


def rest_of(looks: tuple[Look, ...]) -> Fraction:
    """What is left for second moments, once their clip is paid."""
    return 1 - sum((look.share for look in looks), SMALL)
