"""warm_dpgan: dpgan whose networks have learned from the rows of `pairs` before they see a noisy gradient.

Document 002 starts warm from 2 % of the private rows, who then have no privacy. Here the rows are those of a guess that the
tape holds already: they are public, and cost what the tape's measurements cost. Every column is seen by its cells.
"""

from dataclasses import replace
from fractions import Fraction

from understudy.game.data.adversary import AdversaryPlayer
from understudy.game.data.prior import Opening
from understudy.game.query.in_turn import InTurn
from understudy.recipe.dpgan import TABLES, TEMPO, networks, steps_of
from understudy.recipe.pairs import pairs
from understudy.recipe.recipe import Pairing, Setting, recipe

SCHOOL = Fraction(1, 2)


@recipe(
    "warm_dpgan",
    cost="50 % as `pairs`, 50 % noisy gradients of the critic over samples of rows",
    choose="a study of document 002's warm start; pairs alone is nearer",
    sampled=True,
)
def warm_dpgan(setting: Setting) -> Pairing:
    """Measure, go to school, then play."""
    measured = pairs.pair(replace(setting, purse=setting.purse.share(SCHOOL)))
    maker = networks(setting, by_cells=True)
    steps = steps_of(setting, setting.purse.share(1 - SCHOOL), maker, TEMPO, TABLES)
    opening = Opening(measured.query, measured.data)
    return Pairing(InTurn(measured.query, steps), AdversaryPlayer(maker, steps, TABLES, opening))
