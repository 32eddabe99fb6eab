"""Small tools of the internal report: every k-th row, and changes of pairs.

>>> thinned({"a": np.arange(5)}, 2, 1)["a"].tolist()
[1, 3]
>>> changes({("a", "b"): 0.5}, {("a", "b"): 0.25}, {("a", "b"): 0.4}, {("a", "b"): 0.5})["largest"]
0.25
"""

from typing import Any

import numpy as np

from understudy.game.player import Codes, Columns

Pairs = dict[Columns, float]


def thinned(table: Codes, step: int, start: int) -> Codes:
    """Every ``step``-th row."""
    return {name: column[start :: max(step, 1)] for name, column in table.items()}


def changes(real: Pairs, synthetic: Pairs, one: Pairs, other: Pairs) -> dict[str, Any]:
    """By how much pairs changed, the largest changes first; beside it, how far two halves of the private table differ."""
    moved = sorted(real, key=lambda pair: -abs(synthetic[pair] - real[pair]))
    sizes, usual = ([abs(b[pair] - a[pair]) for pair in real] for a, b in ((real, synthetic), (one, other)))
    return {
        "pairs": len(real),
        "mean": float(np.mean(sizes)) if sizes else 0.0,
        "mean_achievable": float(np.mean(usual)) if usual else 0.0,
        "largest": max(sizes, default=0.0),
        "largest_achievable": max(usual, default=0.0),
        "worst": [{"columns": list(p), "private": real[p], "synthetic": synthetic[p]} for p in moved[:10]],
    }
