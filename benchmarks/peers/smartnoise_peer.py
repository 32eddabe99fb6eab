"""SmartNoise Synth's MST and AIM on a coded table; runs in SmartNoise's own environment.

These are private-pgm's reference recipes (mechanisms/mst.py and mechanisms/aim.py), ported by SmartNoise to mbi 1.1. The
domain is handed over as public, so that no value is read off the private table and no budget goes into bounds.
"""

import numpy as np
import pandas as pd
from fresh import serve
from snsynth.aim import AIMSynthesizer
from snsynth.mst import MSTSynthesizer
from snsynth.transform.table import TableTransformer

MODELS = {"mst": MSTSynthesizer, "aim": AIMSynthesizer}


class Coded(TableTransformer):
    """Codes in, codes out; as many cells a column as its public domain has."""

    def __init__(self, sizes: list[int]):
        self.sizes, self.transformers, self.output_width = sizes, [], len(sizes)

    fit_complete = True

    @property
    def cardinality(self) -> list[int]:
        """As declared."""
        return self.sizes

    def transform(self, data: pd.DataFrame) -> list:
        """The codes as they are."""
        return data.to_numpy().tolist()

    def inverse_transform(self, rows: list) -> np.ndarray:
        """The codes as they are."""
        return np.array(rows)


def make(columns: dict, sizes: list[int], settings: dict) -> tuple[dict, dict]:
    """Fit and draw as many rows as were asked."""
    np.random.seed(settings["seed"])
    synthesizer = MODELS[settings["model"]](
        epsilon=float(settings["epsilon"]), delta=settings["delta"], **settings.get("knobs", {})
    )
    table = pd.DataFrame({f"c{j}": codes.astype(int) for j, codes in enumerate(columns.values())})
    synthesizer.fit(table, transformer=Coded(sizes))
    drawn = synthesizer.sample(settings["rows"])
    return {name: drawn[:, j] for j, name in enumerate(columns)}, {}


serve(make)
