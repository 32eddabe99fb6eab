"""A tiny table, its schema, and the command line in one call."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from understudy.command.main import answer

SCHEMA = """\
[table]
name = "survey"
unit = "person"
unit_column = "id"

[columns.id]
kind = "identifier"

[columns.age]
kind = "integer"
min = 0
max = 99
step = 10

[columns.smokes]
kind = "boolean"
true = ["y"]
false = ["n"]
"""


@dataclass(frozen=True)
class Said:
    """What one command line came to."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the commands run: a table of 200 people, and its schema."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SCHEMA)
    rows = "".join(f"p{i},{i % 90},{'y' if i % 3 else 'n'}\n" for i in range(200))
    (tmp_path / "t.csv").write_text("id,age,smokes\n" + rows)
    return tmp_path


@pytest.fixture
def say(folder, capsysbinary):
    """Carry out one command line, as a pipeline would."""

    def said(words: str) -> Said:
        capsysbinary.readouterr()
        code = answer(words.split())
        out, err = capsysbinary.readouterr()
        return Said(code, out.decode(), err.decode())

    return said


TERMS = "--schema s.toml --epsilon 1 --delta 1e-6 --recipe independent"


@pytest.fixture
def bundle(say):
    """A bundle, and a ledger that was charged for it."""
    assert say("ledger init L --epsilon 1 --delta 1e-6 --unit person --population survey").code == 0
    assert say(f"release t.csv {TERMS} --ledger L --id one --out B").code == 0
    return "B"
