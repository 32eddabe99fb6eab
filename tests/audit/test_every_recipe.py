"""Every recipe can be audited by enrolment, and its audit finds nothing; one that asks for gradients has its canaries too."""

import pytest
from stand_in import plan, rows

import understudy
from understudy.audit.audit import audit_plan

QUICK = ("dcgan",)
CASES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in understudy.recipes()]


@pytest.mark.parametrize("recipe", CASES)
def test_an_audit_of_a_sound_recipe_finds_nothing(recipe: str) -> None:
    found = audit_plan(plan(recipe), rows(), 100)
    assert found.violations == []
    assert found.verdict.heard > 0
    assert found.one_run is not None or not understudy.recipes()[recipe].sampled
