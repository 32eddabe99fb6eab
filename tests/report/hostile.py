"""A schema and its harmless twin: the same table, once with names and values that try to be markup."""

import pandas as pd

import understudy
from understudy.publish.release import Release
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "</style><style>*{display:none}",
    "' onload='alert(1)",
    "\u202egnp.elbbuod",
    "=cmd|' /C calc'!A0",
    "{{ 7 * 7 }}{% for x in y %}",
    "&lt;b&gt;&#60;i&#62;",
    "]]><!--",
)
TAME = tuple(f"tame {i}" for i in range(len(EVIL)))


def schema(words: tuple[str, ...]) -> Schema:
    """Every name and value is one of the words."""
    columns: dict[str, object] = {
        words[0]: {
            "kind": "categorical",
            "values": list(words),
            "other": f"{words[1]} too",
            "missing": [words[2] + "?"],
        },
        words[1]: {"kind": "ordinal", "values": list(words[::-1])},
        words[3]: {"kind": "boolean", "true": [words[4]], "false": [words[5]]},
        words[7]: {"kind": "integer", "min": 0, "max": 40},
        words[9]: {"kind": "identifier", "prefix": words[6]},
    }
    table = {"name": words[0], "unit": words[1], "unit_column": words[9]}
    return from_dict({"table": table, "columns": columns})


def release(words: tuple[str, ...]) -> Release:
    """A release of a few rows in which every word occurs."""
    declared, rows = schema(words), range(200)
    given = {
        words[0]: [words[i % 10] for i in rows],
        words[1]: [words[i % 7] for i in rows],
        words[3]: [words[4 + i % 2] for i in rows],
        words[7]: [i % 41 for i in rows],
        words[9]: [str(i) for i in rows],
    }
    spend = {"epsilon": 2, "delta": "1e-6", "recipe": "independent", "rows": 100}
    return understudy.rehearse(pd.DataFrame(given, dtype=object), declared, seed=4, **spend)
