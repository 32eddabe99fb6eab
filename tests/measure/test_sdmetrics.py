"""The measures, against sdmetrics, where it computes the same thing (its own are 1 - ours, so that 1 is good).

It is for tests only, and nothing of it is shipped: it depends on copulas, whose licence (BSL 1.1) allows such use.
"""

import numpy as np
import pandas as pd
import pytest

from understudy.measure.association import pearson
from understudy.measure.variation import total_variation
from understudy.schema.read import from_dict

single = pytest.importorskip("sdmetrics.single_column")
pairs = pytest.importorskip("sdmetrics.column_pairs")


def frame(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 300)
    return pd.DataFrame({"a": a, "b": (a + rng.integers(0, 3, 300)) % 5})


def counted(table: pd.DataFrame) -> np.ndarray:
    return np.histogram2d(table["a"], table["b"], bins=[range(5), range(6)])[0]


def test_total_variation_of_a_column():
    real, made = frame(1), frame(2)
    theirs = single.TVComplement.compute(real["b"].astype(str), made["b"].astype(str))
    assert 1 - total_variation(*(np.bincount(t["b"], minlength=5) for t in (real, made))) == pytest.approx(
        theirs, abs=1e-6
    )


def test_total_variation_of_a_pair():
    real, made = frame(1), frame(2)
    theirs = pairs.ContingencySimilarity.compute(real.astype(str), made.astype(str))
    assert 1 - total_variation(counted(real), counted(made)) == pytest.approx(theirs, abs=1e-6)


def test_correlation_of_a_pair():
    words = {"kind": "integer", "min": 0, "max": 4}
    schema = from_dict({"table": {"name": "t"}, "columns": {"a": words, "b": words}})
    real, made = frame(1), frame(2)
    found = [pearson({n: t[n].to_numpy() for n in "ab"}, schema, ("a", "b")) for t in (real, made)]
    theirs = pairs.CorrelationSimilarity.compute(real, made, coefficient="Pearson")
    assert 1 - abs(found[0] - found[1]) / 2 == pytest.approx(theirs)
