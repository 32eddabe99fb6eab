"""Documents are programs: the README's quickstart runs, and the recipe in CONTRIBUTING obeys the road."""

import importlib
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

import understudy
from understudy.command.main import answer
from understudy.schema.kinds import WORDS
from understudy.schema.read import TABLE_WORDS

ROOT = Path(__file__).parents[2]


def python_blocks(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), flags=re.S)


def test_the_quickstart_runs(tmp_path, monkeypatch, capsys):
    (quickstart,) = python_blocks("README.md")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    if not (tmp_path / "examples/clinic/clinic.csv").exists():
        make = {"__name__": "__main__", "__file__": str(tmp_path / "examples/clinic/make.py")}
        monkeypatch.setattr(sys, "argv", ["make.py"])
        exec(compile((tmp_path / "examples/clinic/make.py").read_text(), "make.py", "exec"), make)
    assert len([line for line in quickstart.splitlines() if line]) == 5
    exec(compile(quickstart, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert "release of 'clinic'" in shown
    assert "patient_id" in shown
    assert (tmp_path / "stand-in" / "certificate.json").exists()


PATIENTS = """\
[table]
name = "patients"
unit = "patient"
unit_column = "patient_id"

[columns.patient_id]
kind = "identifier"

[columns.age]
kind = "integer"
min = 0
max = 99
step = 10

[columns.smokes]
kind = "boolean"
true = ["yes"]
false = ["no"]
"""


def test_the_commands_of_the_readme_run(tmp_path, monkeypatch, capsys):
    """In the order in which they stand, on a table of one's own; between the first two the owner does the TODOs."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i},{i % 90},{'yes' if i % 3 else 'no'}\n" for i in range(400))
    Path("patients.csv").write_text(f"patient_id,age,smokes\n{rows}")
    block = re.findall(r"^    understudy (.*?)(?:  #.*)?$", (ROOT / "README.md").read_text(), flags=re.M)
    assert [line.split()[0] for line in block] == ["schema", "plan", "ledger", "release", "verify"]
    for line in block:
        words, _, file = line.partition(" > ")
        assert answer(shlex.split(words)) == 0, line
        said = capsys.readouterr().out
        if file:
            assert "# TODO" in said
            Path(file.strip()).write_text(PATIENTS)
    assert "ok  ledger" in said


def test_the_recipe_of_contributing_is_enrolled_by_its_file_alone(tmp_path, monkeypatch):
    (source,) = python_blocks("CONTRIBUTING.md")
    (tmp_path / "star.py").write_text(source)
    package = importlib.import_module("understudy.recipe")
    recipe = importlib.import_module("understudy.recipe.recipe")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setattr(recipe.RECIPES, "_things", dict(recipe.RECIPES.all()))
    monkeypatch.delitem(sys.modules, "understudy.recipe.star", raising=False)
    assert "star" in understudy.recipes()
    schema = tmp_path / "t.toml"
    schema.write_text('[table]\nname = "t"\n' + "".join(f'[columns.{c}]\nkind = "boolean"\n' for c in "abc"))
    table = tmp_path / "t.csv"
    table.write_text("a,b,c\n" + "true,true,false\nfalse,false,true\n" * 200)
    made = understudy.release(table, schema, epsilon=1, delta="1e-6", recipe="star")
    sys.modules.pop("understudy.recipe.star", None)
    assert made.table.column_names == ["a", "b", "c"]


ELSEWHERE = {"place", "edge"}  # on pages of their own


def test_the_schema_of_its_page_is_read_and_has_every_word(tmp_path):
    page = (ROOT / "docs/schema.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    (tmp_path / "visits.toml").write_text(block)
    schema = understudy.read_schema(tmp_path / "visits.toml")
    shown = {words["kind"] for words in tomllib.loads(block)["columns"].values()}
    assert shown == set(WORDS) - {"image", *ELSEWHERE}
    told = {*TABLE_WORDS, *(word for kind in WORDS if kind not in ELSEWHERE for word in WORDS[kind])}
    assert [word for word in sorted(told) if not re.search(rf"\b{word}\b", page)] == []
    kept = understudy.plan(schema, epsilon=1, delta="1e-6", recipe="independent")
    assert [column.name for column in schema.pending] == ["income", "town"] and kept.reserved_delta > 0


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text()):
        assert (ROOT / target).exists(), target
