"""Every question, every noise, and every part that the guarantee rests on has a proof page of its module's name."""

import re
from pathlib import Path

import pytest

from understudy.question.spec import MECHANISMS, QUESTIONS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "understudy"
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted((ROOT / "proof").glob("*.md"))}

ASKED = {kind.__module__.rpartition(".")[2] for kind in QUESTIONS.values()}
NOISES = {re.sub("(?<=.)([A-Z])", r"_\1", kind.__name__).lower() for kind in MECHANISMS} - {"exact"}
GUARANTEE = {"charge", "accountant", "purse", "ledger", "gate", "tape", "certificate", "discover", "unit", "encode"}


OURS = sorted(ASKED | NOISES | GUARANTEE)


@pytest.mark.parametrize("name", OURS)
def test_there_is_a_page_that_claims_proves_and_says_what_is_tested(name):
    assert name in PAGES
    for part in (r"\*\*(Claim|Theorem)", "[Pp]roof", "## What the test checks"):
        assert re.search(part, PAGES[name]), part
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_*]+\.py)`", PAGES[name])
    assert any(Path(path).stem == name for path in named if not path.startswith("tests"))
    assert any(path.startswith("tests") for path in named)


@pytest.mark.parametrize("name", PAGES)
def test_every_file_that_a_page_names_is_there(name):
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_*]+\.py)`", PAGES[name])
    missing = [path for path in named if not any(list(root.glob(path)) for root in (SOURCE, ROOT))]
    assert named
    assert not missing
