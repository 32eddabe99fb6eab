"""pategan: teachers on shards of the rows vote on what a generator makes; a student learns from the noisy votes (PATE-GAN).

The teachers, which alone see rows, live inside the question; the student and the generator see the tape. Every vote is paid for
by its worst case: the accountant of the published method looks at how the teachers voted, and its epsilon is private itself.
"""

from understudy.game.data.student import StudentPlayer
from understudy.game.query.votes import Votes
from understudy.recipe.recipe import Pairing, Setting, recipe

ROUNDS = 8


@recipe(
    "pategan",
    cost="20 % all columns, 80 % the votes of teachers in eight rounds",
    choose="a study of the method; it needs very many rows, and querygan is far nearer",
)
def pategan(setting: Setting) -> Pairing:
    """Few rounds of votes, and the mixture of what the generator proposed."""
    return Pairing(Votes(setting.schema, setting.purse, ROUNDS), StudentPlayer(ROUNDS))
