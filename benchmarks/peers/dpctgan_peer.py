"""SmartNoise Synth's DPCTGAN on a coded table; runs in SmartNoise's own environment.

Categories one-hot over the public domain, numbers as their cells between public bounds, so that no budget goes into bounds and
no value is read off the private table. Its defaults, but for epsilon, delta and the number of epochs, which its budget ends.
"""

import numpy as np
import pandas as pd
import torch
from fresh import serve
from snsynth.pytorch.nn import DPCTGAN
from snsynth.transform import ChainTransformer, LabelTransformer, MinMaxTransformer, OneHotEncoder
from snsynth.transform.table import TableTransformer


def make(columns: dict, sizes: list[int], settings: dict) -> tuple[dict, dict]:
    """Fit and draw as many rows as were asked."""
    torch.manual_seed(settings["seed"])
    np.random.seed(settings["seed"])
    transformers = [
        MinMaxTransformer(lower=0, upper=size - 1, nullable=False)
        if name in settings["numbers"]
        else ChainTransformer([LabelTransformer(nullable=False), OneHotEncoder()])
        for name, size in zip(columns, sizes, strict=True)
    ]
    table = pd.DataFrame({name: codes.astype(int) for name, codes in columns.items()})
    # one row of each cell tells the encoders the public domain, and is in the table no longer
    public = pd.DataFrame({name: np.arange(max(sizes)) % size for name, size in zip(columns, sizes, strict=True)})
    transformer = TableTransformer(transformers)
    transformer.fit(public)
    made = DPCTGAN(epsilon=float(settings["epsilon"]), delta=float(settings["delta"]), cuda=False, verbose=False)
    made.fit(table, transformer=transformer, preprocessor_eps=0.0)
    drawn = made.sample(settings["rows"])
    drawn = drawn if isinstance(drawn, pd.DataFrame) else pd.DataFrame(drawn, columns=list(columns))
    bounded = {
        name: np.clip(np.rint(drawn[name].astype(float)), 0, size - 1).astype(int)
        for name, size in zip(columns, sizes, strict=True)
    }
    return bounded, {}


serve(make)
