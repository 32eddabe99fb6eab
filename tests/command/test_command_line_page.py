"""docs/command-line.md is what the help texts say, and has every verb and code."""

import importlib.util
from pathlib import Path

from understudy.command.codes import CODES
from understudy.command.main import command

DOCS = Path(__file__).parents[2] / "docs"


def made_page() -> str:
    spec = importlib.util.spec_from_file_location("make_command_line", DOCS / "make_command_line.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


def test_the_page_has_not_drifted():
    assert (DOCS / "command-line.md").read_text(encoding="utf-8") == made_page(), "run docs/make_command_line.py"


def test_every_verb_and_code_is_on_the_page():
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    for name, verb in command.commands.items():
        for path in [f"{name} {inner}" for inner in getattr(verb, "commands", ())] or [name]:
            assert f"\n## understudy {path}\n" in page
    assert all(f"\n| {code} | " in page for code in CODES)


def test_every_verb_has_help_json_and_quiet():
    for verb in command.commands.values():
        for inner in getattr(verb, "commands", {"": verb}).values():
            assert inner.help and {"json", "quiet"} <= {word.name for word in inner.params}
            assert all(word.help for word in inner.params)
