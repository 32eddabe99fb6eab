"""The commands of the readers' pages run, in the order in which they stand, on the demo's table."""

import re
import shlex
from pathlib import Path

import pytest

from understudy.command import example
from understudy.command.main import answer

DOCS = Path(__file__).parents[2] / "docs"
READERS = ("steward.md", "analyst.md", "engineer.md", "researcher.md")


def commands(page: str) -> list[str]:
    """The commands of a page."""
    blocks = re.findall(r"```console\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.S)
    return [line.removeprefix("$ understudy ") for block in blocks for line in block.splitlines()]


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    (folder / "library.csv").write_text(example.guests())
    (folder / "library.toml").write_text(example.SCHEMA)
    return folder


def test_every_command_of_every_reader_runs(table, monkeypatch, capfd):
    monkeypatch.chdir(table)
    made = []
    for page in READERS:
        assert commands(page), page
        for line in commands(page):
            words, _, file = line.partition(" > ")
            assert answer(shlex.split(words)) == 0, line
            said = capfd.readouterr().out
            if file:
                Path(file.strip()).write_text(said)
                made.append(file.strip())
    assert made and all(Path(file).stat().st_size for file in made)
    for path in ("plan.html", "stand-in/report.html", "internal/report.html", "nightly/certificate.json", "more.csv"):
        assert Path(path).exists(), path


def test_every_page_is_found_from_the_first():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (*DOCS.glob("*.md"), *DOCS.glob("*.ipynb"))} - {"README.md"}
    assert pages == set(re.findall(r"\]\(([^)/]+)\)", index))
