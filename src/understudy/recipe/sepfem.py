"""sepfem: the worst cell chosen against rows that follow the perturbed leader, by laplace noise."""

from understudy.game.data.fem import FemPlayer, laplace
from understudy.game.query.cells import Cells
from understudy.recipe.game import pace_of
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 200


@recipe(
    "sepfem",
    cost="95 % choosing single cells by Gumbel selection, round after round, 5 % what the choices came to",
    choose="a study of the method: rows by a solver; querygan is nearer",
)
def sepfem(setting: Setting) -> Pairing:
    """Choose the worst cell against the perturbed leader's rows, and let it lead."""
    pace = pace_of(setting, ROUNDS)
    data = FemPlayer(laplace, pace.rounds, pace.most)
    return Pairing(Cells(setting.schema, setting.purse, setting.workload, pace.rounds), data)
