"""dpmm's models on a coded table; runs in dpmm's own environment.

The table is coded already, so dpmm's own binning (which would take a tenth of epsilon) is off and its whole budget goes
into the model. ``n_jobs = 1``: its process pools cost more CPU seconds than they save. Domain compression is left on, as
its pipelines have it. The number of rows is public to dpmm; it is private to us and paid for.
"""

import pandas as pd
from dpmm.pipelines import PIPELINE_DICT
from fresh import serve


def make(columns: dict, sizes: list[int], settings: dict) -> tuple[dict, dict]:
    """Fit and draw as many rows as were asked."""
    plain = {f"c{j}": codes.astype("int64") for j, codes in enumerate(columns.values())}
    pipe = PIPELINE_DICT[settings["model"]](
        epsilon=settings["epsilon"],
        delta=settings["delta"],
        max_model_size=settings.get("size"),
        n_jobs=1,
        gen_kwargs=settings.get("knobs", {}),
        disable_processing=True,
    )
    pipe.fit(pd.DataFrame(plain), domain=dict(zip(plain, sizes, strict=True)), random_state=settings["seed"])
    drawn = pipe.generate(n_records=settings["rows"], random_state=settings["seed"])
    return {name: drawn[f"c{j}"].to_numpy() for j, name in enumerate(columns)}, {}


serve(make)
