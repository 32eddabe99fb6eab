"""mwem: the worst marginal of the workload, chosen privately and measured, round after round, on an explicit table."""

from collections import Counter

from understudy.game.data.table import TablePlayer
from understudy.game.query.rounds import Rounds
from understudy.recipe.recipe import Pairing, Setting, recipe


@recipe(
    "mwem",
    cost="20 % all columns, 8 % choosing marginals by Gumbel selection one by one, 72 % measuring them",
    choose="few columns with at most 4,194,304 cells in all; marginals of any width, on an exact model",
)
def mwem(setting: Setting) -> Pairing:
    """As many rounds as a tree has edges twice over, or as there are candidates."""
    candidates = Counter(clique for clique in setting.workload.repeated if len(clique) > 1)
    rounds = min(2 * (len(setting.schema.domain) - 1), len(candidates))
    return Pairing(Rounds(setting.schema, setting.purse, candidates, rounds, 1), TablePlayer(rounds + 1))
