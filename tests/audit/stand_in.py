"""The small invented table that audits are tested on."""

import numpy as np
import pyarrow as pa

import understudy
from understudy.publish.plan import Plan
from understudy.schema.read import from_dict

COLUMNS = {
    "sex": {"kind": "categorical", "values": ["f", "m", "x"]},
    "smokes": {"kind": "boolean"},
    "children": {"kind": "integer", "min": 0, "max": 3},
    "ward": {"kind": "categorical", "values": ["n", "s"]},
}


def plan(recipe: str, relation: str = "add-remove", epsilon: str = "1", delta: str = "1e-6") -> Plan:
    schema = from_dict({"table": {"name": "t", "unit": "person", "relation": relation}, "columns": COLUMNS})
    return understudy.plan(schema, epsilon=epsilon, delta=delta, recipe=recipe)


def rows(n: int = 400, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    smokes = rng.random(n) < 0.3
    return pa.table(
        {
            "sex": rng.choice(["f", "m", "x"], n, p=[0.5, 0.45, 0.05]),
            "smokes": smokes,
            "children": np.where(smokes, 0, rng.integers(0, 4, n)),
            "ward": rng.choice(["n", "s"], n),
        }
    )


def wide_plan(recipe: str, relation: str, epsilon: str) -> Plan:
    columns = {f"c{i}": {"kind": "integer", "min": 0, "max": 7} for i in range(7)}
    schema = from_dict({"table": {"name": "t", "unit": "person", "relation": relation}, "columns": columns})
    return understudy.plan(schema, epsilon=epsilon, delta="1e-6", recipe=recipe)


def wide_rows(n: int = 300) -> pa.Table:
    rng = np.random.default_rng(0)
    return pa.table({f"c{i}": rng.integers(0, 8, n) for i in range(7)})
