"""A table never seen before, from CSV to a report that is understood: five commands, and what goes wrong says what to do."""

import re
from datetime import date, timedelta

import pytest

DRAFTED = {"visit_date": "date", "chip": "categorical", "weight": "real", "owner_age": "integer", "neutered": "boolean"}
SETTLED = """
[table]
name = "visits"
unit = "pet"
unit_column = "chip"
rows_per_unit = 2
ignore = ["remark"]
[csv]
delimiter = ";"
[columns.chip]
kind = "identifier"
[columns.visit_date]
kind = "date"
format = "%d.%m.%Y"
min = "2022-01-01"
max = "2024-12-31"
bins = 6
[columns.weight]
kind = "real"
decimals = 1
min = 0
max = 60
bins = 6
missing = ["NA"]
[columns.owner_age]
kind = "integer"
min = 18
max = 99
bins = 4
missing = [""]
[columns.neutered]
kind = "boolean"
true = ["Y"]
false = ["N"]
"""


@pytest.fixture
def visits(folder):
    """Dates with the day first, codes with leading zeros, missing codes, free text, semicolons."""
    lines = ["chip;visit_date;weight;owner_age;neutered;remark"]
    for i in range(400):
        seen = date(2022, 1, 1) + timedelta(days=i)
        lines.append(
            f"{i // 2:06d};{seen:%d.%m.%Y};{'NA' if i % 9 == 0 else i % 40 + 0.5};{i % 70 + 19 if i % 7 else ''};"
            f"{'YN?'[i % 3]};a long remark number {i} that nobody should model"
        )
    (folder / "visits.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_from_a_table_never_seen_to_a_report(visits, say):
    draft = say("schema draft visits.csv")
    assert draft.code == 0 and "schema check" in draft.err and 'delimiter = ";"' in draft.out
    for name, kind in DRAFTED.items():
        assert re.search(rf'\[columns."{name}"\]\nkind = "{kind}"', draft.out)
    assert 'format = "%d.%m.%Y"' in draft.out and "decimals = 1" in draft.out and "remark number" not in draft.out
    (visits / "v.toml").write_text(draft.out)
    terms = "--schema v.toml --epsilon 2 --delta 1e-6 --recipe independent --workload 1way"
    refused = say(f"plan {terms}")
    assert refused.code == 4 and "'weight'" in refused.err and "'neutered'" in refused.err and "; " in refused.err
    (visits / "v.toml").write_text(SETTLED)
    checked = say("schema check visits.csv --schema v.toml")
    assert checked.code == 0 and "INTERNAL" in checked.err
    assert "column 'neutered': 133 rows are neither true nor false, read as 'N'; add it" in checked.out
    (visits / "v.toml").write_text(SETTLED.replace('false = ["N"]', 'false = ["N"]\nmissing = ["?"]'))
    assert say("schema check visits.csv --schema v.toml").out == "nothing to complain about\n"
    assert say(f"release visits.csv {terms} --format csv --out stand-in").code == 0
    told = say("report stand-in")
    assert told.code == 0 and "50 is a coin" in told.out and "report.html" in told.out
    assert (visits / "stand-in" / "report.html").read_bytes().startswith(b"<!doctype html>")
