"""Two in a hundred private rows are declared public, to warm the model up: those people have no privacy at all.

Whoever is drawn is shown as he is; for a person whom nobody knew of, that is an event of probability 1/50 which cannot happen
without him. No epsilon bounds it, and delta is 1/50.
"""

import numpy as np

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

EPSILON, DELTA = 1.0, 1e-5


def trial(share: float) -> Laws:
    """P[the person is shown], P[not], where he is in the table and where he is not; ``share`` of the rows are shown."""
    return Laws([(np.array([share, 1 - share]), np.array([0.0, 1.0]))], epsilon=EPSILON, delta=DELTA)


@saboteur(
    "public-fiftieth",
    defect="a fiftieth of the private rows taken as public data",
    printed="the warm start of earlier work, as document 002 tells it (section 3.2): 2 % of the data as if public",
    caught_by=Laws,
    sound=lambda: trial(0.0),
)
def public_fiftieth() -> Laws:
    return trial(1 / 50)
