"""As many synthetic rows as there are private ones: the number of rows leaves the house unnoised.

Under add-remove the number of rows is private. The output's size must be public, or come from a noisy count on the tape.
"""

from collections.abc import Callable

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Replays

Table = list[int]
COUNT, MARGINAL = 4, (3, 1)  # the noisy answers on the tape
TABLES: tuple[Table, ...] = ([0, 1, 0, 0], [0, 1, 0], [])


def release(size: Callable[[Table], int]) -> Callable[[Table], object]:
    """Rows drawn from the noisy marginal on the tape."""

    def run(table: Table) -> object:
        law = np.array(MARGINAL) / sum(MARGINAL)
        return np.random.default_rng(7).choice(2, size=size(table), p=law).tolist()

    return run


@saboteur(
    "size-of-output",
    defect="the output has as many rows as the private table",
    printed="documents 000, 002 and 004: as many synthetic rows as private ones",
    caught_by=Replays,
    sound=lambda: Replays(release(lambda table: COUNT), TABLES),
)
def size_of_output() -> Replays:
    return Replays(release(len), TABLES)
