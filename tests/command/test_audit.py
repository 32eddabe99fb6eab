"""The verb `audit`: the claim beside what is certified, in words and as a document; a violation is exit code 9."""

import pytest

from understudy.audit import audit as auditing


def test_the_claim_stands_beside_the_bound(say, bundle):
    said = say(f"audit {bundle} --runs 100")
    assert said.code == 0
    assert "claimed    epsilon 1 at delta 1e-06" in said.out
    assert "no violation found, with power" in said.out
    assert "verified" not in said.out


def test_machines_get_one_document(say, bundle):
    found = say(f"audit {bundle} --runs 100 --json").document
    assert found["violations"] == [] and found["replay"] == []
    assert found["certified"]["gaussian_shape"] <= found["claimed"]["epsilon"]
    assert {part["name"] for part in found["parts"]} == {"noise", "all"}


def test_the_page_shows_the_claim_and_the_curve(say, bundle, folder):
    assert say(f"audit {bundle} --runs 100 --html audit.html").code == 0
    page = (folder / "audit.html").read_text()
    assert "No violation was found" in page and "certified, whatever its shape" in page
    assert page.count("<polyline") == 3 and "allowed by the claim" in page
    assert say(f"audit {bundle} --runs 100 --html audit.html").code == 5, "nothing is overwritten"


def test_a_violation_is_told_by_the_exit_code(say, bundle, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(auditing.Audit, "violations", property(lambda self: ["mu is at least 9; 1 is claimed"]))
    said = say(f"audit {bundle} --runs 100")
    assert (said.code, said.err) == (
        9,
        "refused: mu is at least 9; 1 is claimed; release nothing with it, and report the recipe\n",
    )


def test_what_is_no_bundle_is_refused(say, folder):
    assert say("audit nowhere").code == 5
