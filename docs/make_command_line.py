"""Writes docs/command-line.md from the help texts of the command line.

    python docs/make_command_line.py

A test compares the page with what this makes, so that the two cannot drift apart.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from understudy.command.codes import CODES
from understudy.command.main import command

PAGE = Path(__file__).with_name("command-line.md")
HEAD = """\
# The command line

Made from the help texts by `docs/make_command_line.py`: edit those, not this page.

    understudy release DATA --schema S.toml --epsilon E --delta D --out BUNDLE

* stdout is data, stderr is for people: what a verb was asked for goes to stdout, remarks and refusals to stderr.
* `--json`, on every verb, makes stdout one JSON document and nothing else. A refusal is one too:
  `{"refused": RULE, "remedy": REMEDY, "code": CODE}`. `--quiet` leaves out remarks and progress, never a refusal.
* A refusal is one line, `refused: RULE; REMEDY`, and an exit code. It is made of public facts: the command, the schema,
  the tape. Two private tables that fail differently give the same line and the same code.
* Progress is shown on terminals only, and `NO_COLOR` is honoured. `understudy --install-completion` sets up the shell.
* Epsilon and delta have no default. They are read exactly: 0.1 is one tenth, and 1/3 is one third.
"""


def page() -> str:
    """The whole page."""
    codes = "\n".join(["| code | meaning |", "|---|---|", *(f"| {code} | {words} |" for code, words in CODES.items())])
    return "\n".join([HEAD, f"## Exit codes\n\n{codes}\n", *sections(command, "understudy")])


def sections(verb: Any, path: str) -> Iterator[str]:
    """A section for each verb, in the order of the help."""
    context = typer.Context(verb, info_name=path)
    for name in verb.list_commands(context):
        found = verb.commands[name]
        if hasattr(found, "commands"):
            yield from sections(found, f"{path} {name}")
        else:
            yield section(found, f"{path} {name}")


def section(verb: Any, path: str) -> str:
    """One verb: its help, its usage, its words."""
    usage = " ".join([path, *(shown(word) for word in verb.params if word.required), "[OPTIONS]"])
    rows = [row(word) for word in verb.params]
    return "\n".join(
        [
            f"## {path}\n",
            verb.help.strip(),
            f"\n    {usage}\n",
            "| word | meaning | default |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def shown(word: Any) -> str:
    """A word as it is typed."""
    return word.metavar if word.param_type_name == "argument" else f"{word.opts[0]} {word.metavar or ''}".strip()


def row(word: Any) -> str:
    """One word in a table, its bars escaped."""
    standard = "required" if word.required else word.default or ""
    cells = [f"`{shown(word)}`", word.help, str(getattr(standard, "value", standard))]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
