"""Small worlds: a schema, a budget, a table that holds any value in any cell, and the tables beside it.

A neighbour differs by one row at a corner (nothing in it, beyond every bound, of the wrong type), or by all rows of one
unit. The empty table and a table of strangers are no neighbours of it: a replay must not tell even those apart.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from understudy.publish.plan import Plan
from understudy.publish.run import plan
from understudy.recipe.recipe import Recipe
from understudy.schema.column import Column, Identifier, Image, Moment, Number, Pending
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

ROWS = 90

PLAIN = {
    "sex": {"kind": "categorical", "values": ["f", "m", "x"]},
    "smokes": {"kind": "boolean"},
    "children": {"kind": "integer", "min": 0, "max": 3},
}
PICTURES = {"picture": {"kind": "image", "height": 8, "width": 8}, "sex": PLAIN["sex"]}
RICH = {
    "patient": {"kind": "identifier", "prefix": "P", "width": 5},
    "visit": {"kind": "identifier", "type": "integer"},
    "ward": {"kind": "categorical", "values": ["north", "south"], "other": "elsewhere"},
    "zip": {"kind": "categorical", "values": ["00501", "10001"], "missing": ["", "NA"]},
    "grade": {"kind": "ordinal", "values": [1, 2, 3]},
    "smokes": {"kind": "boolean", "true": ["yes"], "false": ["no"], "missing": [""]},
    "home": {
        "kind": "place",
        "latitude": "lat",
        "longitude": "lon",
        "missing": [""],
        "decimals": 1,
        "depth": 1,
        "south": 0,
        "north": 8,
        "west": 0,
        "east": 8,
        "outline": "POLYGON ((0 0, 8 0, 0 7.5, 0 0))",
    },
    "age": {"kind": "integer", "min": 0, "max": 119, "step": 40},
    "dose": {"kind": "real", "decimals": 2, "min": 0.5, "max": 9.25, "bins": 3, "missing": [""], "bad": "missing"},
    "born": {"kind": "date", "min": "1920-01-01", "max": "2024-12-31", "bins": 3, "missing": [""]},
    "tie": {
        "kind": "edge",
        "source": "one",
        "target": "other",
        "missing": [""],
        "blocks": {"here": ["never seen before", "ann", "bo"], "there": ["cy"]},
    },
    "seen": {
        "kind": "datetime",
        "min": "2024-01-01T00:00",
        "max": "2024-12-31T23:59",
        "bins": 2,
        "timezone": "Europe/Zurich",
    },
}
OPEN = {
    "town": {"kind": "categorical", "discover": True, "missing": [""]},
    "income": {"kind": "integer", "discover": True, "bins": 3, "missing": [""]},
    "moved": {"kind": "date", "discover": True, "bins": 3},
    "smokes": {"kind": "boolean"},
}

RULES = (
    {"when": {"smokes": ["no"]}, "then": {"dose": {"missing": True}}},
    {"when": {"ward": ["elsewhere"], "age": {"max": 39}}, "then": {"grade": [3], "zip": ["00501"]}},
    {"order": ["born", "seen"]},
)


@dataclass(frozen=True)
class World:
    """What is public about a table, and what may be spent on it."""

    table: dict[str, object]
    columns: dict[str, dict[str, object]]
    epsilon: str = "2"
    delta: str = "1e-6"
    constraints: tuple[dict[str, object], ...] = ()

    @property
    def schema(self) -> Schema:
        table = {"name": "world", "unit": "person", **self.table}
        return from_dict({"table": table, "columns": self.columns, "constraint": list(self.constraints)})

    def plan(self, recipe: str | Recipe) -> Plan:
        """The plan of a recipe, which need not be registered."""
        named = recipe if isinstance(recipe, str) else "independent"
        made = plan(self.schema, epsilon=self.epsilon, delta=self.delta, recipe=named)
        return made if isinstance(recipe, str) else Plan(made.schema, made.budget, recipe, made.workload, made.rows)

    def rows(self, seed: int = 0, n: int = ROWS) -> pd.DataFrame:
        """A table of any values: pandas, with dtype object."""
        rng = np.random.default_rng(seed)
        made = {column.name: [ordinary(column, rng, row) for row in range(n)] for column in self.schema.fields}
        return pd.DataFrame(made, dtype=object)

    def neighbours(self) -> dict[str, pd.DataFrame]:
        """Every corner neighbour, the empty table, and a table of strangers."""
        rows, schema = self.rows(), self.schema
        tables = {"the first row removed": rows.iloc[1:], "no row at all": rows.iloc[:0]}
        tables["a table of strangers"] = self.rows(seed=1, n=2 * ROWS)
        for name in CORNERS:
            new = pd.DataFrame([corner(schema, name)], dtype=object)
            tables[f"a row with {name} added"] = pd.concat([new, rows])
            tables[f"the first row exchanged for one with {name}"] = pd.concat([new, rows.iloc[1:]])
        if schema.unit.column is not None:
            first = rows[schema.unit.column] == rows[schema.unit.column].iloc[0]
            tables["the rows of one unit removed"] = rows[~first]
            crowd = pd.DataFrame([corner(schema, "values beyond every bound")] * 9, dtype=object)
            tables["a unit with too many rows added"] = pd.concat([crowd, rows])
        return tables


def ordinary(column: Column, rng: np.random.Generator, row: int) -> object:
    """A value that is common in its column."""
    kind = column.like if isinstance(column, Pending) else column
    if isinstance(kind, Identifier):
        return f"unit {row // 2}"
    if isinstance(kind, Image):
        return rng.integers(0, 256, kind.pixels, dtype=np.uint8).tobytes()
    if column.nullable and rng.random() < 0.2:
        return None
    if isinstance(kind, Number):
        return int(rng.integers(0, 9)) * (1 if kind is column else 1000)
    if isinstance(kind, Moment):
        return f"2024-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
    words = getattr(kind, "values", ()) or getattr(kind, "true", ())[:1] + getattr(kind, "false", ())[:1]
    return rng.choice(words or ["Bern", "Basel"], p=None if words else [0.7, 0.3])


CORNERS = {
    "nothing": (None, None, None),
    "empty texts": ("", "", ""),
    "not a number": (float("nan"), float("nan"), float("nan")),
    "values beyond every bound": (10**300, "9999-12-31", "never seen before"),
    "values below every bound": (-(10**300), "0001-01-01", "=1+1"),
    "values of a wrong type": ([1], True, b"\xff\0"),
}


def corner(schema: Schema, name: str) -> dict[str, object]:
    """A row of a new unit: one value for numbers, one for moments, one for words."""
    number, moment, word = CORNERS[name]

    def value(column: Column) -> object:
        kind = column.like if isinstance(column, Pending) else column
        if isinstance(kind, Identifier):
            return "a newcomer"
        return number if isinstance(kind, Number) else moment if isinstance(kind, Moment) else word

    return {column.name: value(column) for column in schema.fields}


WORLDS = {
    "plain": World({}, PLAIN),
    "pure epsilon": World({}, PLAIN, delta="0"),
    "replace-one": World({"relation": "replace-one"}, PLAIN),
    "rich, three rows a unit": World({"unit_column": "patient", "rows_per_unit": 3}, RICH),
    "to be discovered": World({}, OPEN, epsilon="8"),
    "constrained": World({}, RICH, constraints=RULES),
    "pictures": World({"label": "sex"}, PICTURES),
}
