"""An invented network: a thousand people of a school town in seven communities; nothing of it is real.

nodes     1,000, public, each in one of seven districts (public): the blocks
ties      private: who knows whom, drawn with heavy-tailed popularities and more ties within districts than across
beside    how they know each other (school, work, sport, family) and for how many years; both depend on the districts
"""

import numpy as np
import pandas as pd

SIZES = {"old town": 240, "harbour": 200, "hill": 170, "mill": 140, "station": 110, "orchard": 90, "island": 50}
KINDS = ["school", "work", "sport", "family"]
EDGES = 9_000


def blocks() -> dict[str, list[str]]:
    """The public nodes in their blocks."""
    return {name: [f"{name[:2]}{i:03d}" for i in range(size)] for name, size in SIZES.items()}


def schema(edges: int) -> dict:
    """An edge with two columns beside it."""
    tie = {"kind": "edge", "source": "one", "target": "other", "blocks": blocks()}
    others = {
        "how": {"kind": "categorical", "values": KINDS},
        "years": {"kind": "integer", "min": 0, "max": 39, "step": 4},
    }
    return {"table": {"name": "town", "unit": "tie", "rows": edges}, "columns": {"tie": tie, **others}}


def ties(seed: int) -> pd.DataFrame:
    """A simple graph of so many edges, and what is known of each."""
    rng = np.random.default_rng(seed)
    names = np.array([node for nodes in blocks().values() for node in nodes])
    block = np.repeat(np.arange(len(SIZES)), list(SIZES.values()))
    popular = rng.pareto(2.5, len(names)) + 0.3
    close = np.full((7, 7), 0.04) + np.diag(np.full(7, 0.96))
    close[0, 1] = close[1, 0] = close[4, 5] = close[5, 4] = 0.25
    close[6] *= 0.3
    close[:, 6] *= 0.3
    close[6, 6] = 2.0  # an island is close
    u, v = np.triu_indices(len(names), 1)
    weight = popular[u] * popular[v] * close[block[u], block[v]]
    chosen = np.sort(rng.choice(len(u), size=EDGES, replace=False, p=weight / weight.sum()))
    one, other = u[chosen], v[chosen]
    within, old = block[one] == block[other], (block[one] == 0) | (block[other] == 0)
    chance = np.where(within[:, None], [0.45, 0.1, 0.15, 0.3], [0.1, 0.6, 0.25, 0.05])
    chance = np.where(((block[one] == 4) | (block[other] == 4))[:, None], [0.05, 0.8, 0.1, 0.05], chance)
    how = (rng.random(EDGES)[:, None] > np.cumsum(chance, axis=1)).sum(axis=1).clip(0, 3)
    years = np.minimum(rng.gamma(2, np.where(how == 3, 9, np.where(old, 5, 2.5))), 39).astype(int)
    return pd.DataFrame({"one": names[one], "other": names[other], "how": np.array(KINDS)[how], "years": years})
