"""mst: all columns and a privately chosen spanning tree of pairs, held by a graphical model."""

from understudy.game.data.graphical import GraphicalPlayer
from understudy.game.query.pairs import ChosenPairs, spanning
from understudy.question.workload import ways
from understudy.recipe.recipe import Pairing, Setting, recipe

ROOM = 0  # a tree of pairs needs no more than its pairs


@recipe(
    "mst",
    cost="20 % all columns, 10 % choosing a spanning tree by Gumbel selection, 70 % measuring its pairs",
    choose="a few strong relations carry the table; an exact model of what was measured is wanted",
)
def mst(setting: Setting) -> Pairing:
    """Choose a maximum spanning tree, and fit the field of largest entropy to it."""
    names = tuple(setting.schema.domain)
    spanning_tree = ChosenPairs(setting.schema, setting.purse, len(names) - 1, spanning(ways(names, 2)))
    return Pairing(spanning_tree, GraphicalPlayer(ROOM))
