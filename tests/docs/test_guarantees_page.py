"""docs/guarantees.md is what its maker makes of the recipes and the results, and has every recipe of the family."""

import importlib.util
from pathlib import Path

import understudy

DOCS = Path(__file__).parents[2] / "docs"


def maker():
    spec = importlib.util.spec_from_file_location("make_guarantees", DOCS / "make_guarantees.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_not_drifted() -> None:
    assert (DOCS / "guarantees.md").read_text(encoding="utf-8") == maker().page(), "run docs/make_guarantees.py"


def test_every_proof_is_of_a_recipe_that_is_there() -> None:
    made = maker()
    assert set(made.PROOFS) <= set(understudy.recipes())
    assert {row.who for row in made.LINES.values()} <= {*understudy.recipes(), "printed"}


def test_the_corrected_algorithm_beats_the_printed_one_at_every_size() -> None:
    """The figures on the page are the results' own, and this is what they show."""
    made = maker()
    lines = {line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ") for line in made.table_5_1()[2:]}
    printed, corrected = (lines[name][3:6] for name in ("This work (`printed`)", "corrected (`dual_frank_wolfe`)"))
    assert all(float(ours) < float(theirs) for ours, theirs in zip(corrected, printed, strict=True))
