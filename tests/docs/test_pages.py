"""The pages in docs/ are programs too: every block of Python runs, every schema in TOML is read, links lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest

from understudy.schema.kinds import WORDS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in sorted(DOCS.glob("*.md")) if page.name != "command-line.md"]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_python_runs_and_prints_what_it_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), {})
        due = re.findall(r"print\(.*\)  # (.*)$", block, flags=re.M)
        assert capsys.readouterr().out.splitlines() == due


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_schema_has_known_words(page: Path) -> None:
    for block in blocks(page, "toml"):
        for words in tomllib.loads(block)["columns"].values():
            assert set(words) <= WORDS[words["kind"]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
