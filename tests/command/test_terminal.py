"""On a terminal there is a spinner, off it there is none; NO_COLOR has no colour; the shell can complete."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.command.main import answer
from understudy.command.voice import Voice, visible

RUN = [sys.executable, "-c", "from understudy.command.main import run; run()"]
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("voice", "spins"), [(Voice(), True), (Voice(json=True), False), (Voice(quiet=True), False)])
def test_the_spinner_is_for_terminals(monkeypatch, voice, spins):
    monkeypatch.setenv("TERM", "xterm")
    for stderr, shown in ((Terminal(), spins), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stderr)
        with voice.telling() as tell:
            tell("counting rows")
        assert ("counting rows" in stderr.getvalue()) is shown


STAGES = {
    "schema draft t.csv": "reading the header",
    "schema check t.csv --schema s.toml": "reading the private table",
    "plan --schema s.toml --epsilon 1 --delta 1e-6 --recipe independent --trial": "trying epsilon",
    "release t.csv --schema s.toml --epsilon 1 --delta 1e-6 --recipe independent --out C": "fitting the model",
    "sample B --rows 5 --out more.csv": "drawing 5 rows",
    "verify B": "checked rows",
    "report B --against t.csv --out internal/page.html": "comparing marginals",
    "audit B --runs 100": "replaying",
}


def test_whoever_waits_at_a_terminal_sees_the_stage_unless_quiet(bundle, monkeypatch, capsysbinary):
    """Every verb that may take more than two seconds; with NO_COLOR without any colour."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    for more, seen in ((" --quiet", set()), ("", set(STAGES))):
        shutil.rmtree("C", ignore_errors=True)
        told = {}
        for words in STAGES:
            Path("more.csv").unlink(missing_ok=True)
            Path("internal/page.html").unlink(missing_ok=True)
            monkeypatch.setattr(sys, "stderr", terminal := Terminal())
            assert answer((words + more).split()) == 0
            told[words] = terminal.getvalue()
        assert {words for words, stage in STAGES.items() if stage in told[words]} == seen
        assert not any(COLOUR.search(shown) for shown in told.values())


def test_a_pipeline_gets_no_escapes(say):
    said = say("release t.csv --schema s.toml --epsilon 1 --delta 1e-6 --recipe independent --out B")
    assert said.out == "" and "\x1b" not in said.err and "counting" not in said.err
    assert "\x1b" not in say("recipes").out


def test_no_color_means_no_colour():
    environment = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    told = subprocess.run([*RUN, "--help"], env=environment, capture_output=True, text=True).stdout
    assert "release" in told and not COLOUR.search(told)


def test_the_shell_completes_verbs_and_recipes():
    for words, at, expected in (
        ("understudy re", 1, ["release", "report", "recipes"]),
        ("understudy plan --recipe ind", 3, ["independent"]),
    ):
        asked = {"_UNDERSTUDY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        told = subprocess.run(RUN, env={**os.environ, **asked}, capture_output=True, text=True)
        assert told.stdout.split() == expected


def test_help_imports_nothing_heavy():
    program = "import sys; from understudy.command import main; main.answer(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.split()
    assert "typer" in loaded and not {"numpy", "pyarrow", "opendp", "jax", "dp_accounting", "mbi"} & set(loaded)


def test_visible_leaves_words_alone():
    assert visible("Größe, 寸法") == "Größe, 寸法"
    assert visible("a\nb\u202e") == "a\\nb\\u202e"
