"""ROC curves: true positives by false positives, both axes logarithmic, for low rates are what an enemy lives on.

>>> told = Result("loss", np.arange(50, 150), np.arange(0, 100))
>>> roc([told], 1.0, 1e-6).count("<polyline")
3
"""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from understudy.attack.result import Result
from understudy.page.curve import Curve, curves

POINTS = 24  # of a curve, evenly spaced on the logarithmic axis


def roc(results: Sequence[Result], epsilon: float, delta: float) -> Markup:
    """Every attack's curve, what (epsilon, delta) allows, and chance."""
    lowest = 1 / max(int(np.size(result.outsiders)) for result in results)
    rates = np.geomspace(lowest, 1.0, POINTS)
    lines = [Curve(result.attack, tuple((f, result.tpr(f)) for f in rates)) for result in results]
    lines.append(Curve("allowed by the claim", tuple((f, results[0].allowed(f, epsilon, delta)) for f in rates)))
    lines.append(Curve("chance", tuple((f, f) for f in rates)))
    return curves(lines, "false positives", "true positives", "Members told from outsiders")
