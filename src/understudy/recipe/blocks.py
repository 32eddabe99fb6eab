"""blocks: a degree-corrected stochastic block model, with what stands beside the edges.

The cells (pairs of blocks, and the other columns) in a mixture, as querygan holds a wide table; then the sorted degrees of the
nodes of each block. Without a column of edges it is the mixture.
"""

from fractions import Fraction

from understudy.game.data.mixture import MixturePlayer
from understudy.game.data.ties import TiesPlayer
from understudy.game.query.measure import columns_and_pairs
from understudy.game.query.ties import Ties, edges_of
from understudy.recipe.recipe import Pairing, Setting, recipe

HALF = Fraction(1, 2)


@recipe(
    "blocks",
    cost="half for all columns and all pairs; half for the degrees of the nodes",
    choose="the table is an edge list: its communities and its degrees matter",
)
def blocks(setting: Setting) -> Pairing:
    """Measure all pairs, then the degrees."""
    edges = edges_of(setting.schema)
    cells = columns_and_pairs(setting.schema, setting.purse.share(HALF) if edges else setting.purse)
    return Pairing(Ties(cells, edges, setting.purse.share(HALF)), TiesPlayer(MixturePlayer()))
