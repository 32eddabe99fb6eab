"""Training: how a trained model came to its loss, step by step. A function of the tape, kept in the model file.

The loss is of the noisy answers, never of private rows: a curve that falls shows that the steps were enough, not that the
model is near. How near it is, the certificate says. A generator's loss against its critic need not fall: both learn. Where
a loss is 0 or less, both axes are plain.

>>> points = thinned(np.arange(1000.0, 0.0, -1.0))
>>> len(points) <= POINTS, points[0], points[-1]
(True, [1, 1000.0], [1000, 1.0])
"""

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from understudy.game.player import Guess, Trained
from understudy.page.curve import Curve, curves

POINTS = 60

Points = list[list[float]]


def training(guess: Guess) -> Points:
    """Step and loss, at most ``POINTS`` of them; none where nothing was trained."""
    return thinned(guess.training) if isinstance(guess, Trained) else []


def thinned(losses: NDArray[np.float64]) -> Points:
    """Steps evenly apart on a logarithmic axis, the first and the last among them."""
    if not losses.size or not np.isfinite(losses).all():
        return []
    steps = np.unique(np.rint(np.geomspace(1, losses.size, min(POINTS, losses.size))).astype(int))
    return [[int(step), float(f"{losses[step - 1]:.5g}")] for step in steps]


def training_curve(points: Points) -> Markup | None:
    """The curve, where something was trained."""
    if len(points) < 2:
        return None
    lines, logarithmic = (
        [Curve("loss", tuple((step, loss) for step, loss in points))],
        all(loss > 0 for _, loss in points),
    )
    return curves(lines, "step", "loss on the noisy answers", "Loss of the model by step", logarithmic=logarithmic)
