"""The tutorial notebook is what its script says, it was executed, and it runs again, every cell of it."""

import importlib.util
from pathlib import Path

import nbformat

DOCS = Path(__file__).parents[2] / "docs"


def made():
    spec = importlib.util.spec_from_file_location("make_tutorial", DOCS / "make_tutorial.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(cell: nbformat.NotebookNode) -> str:
    """All that a cell printed, as text."""
    return "".join(
        "".join(output.get("data", {}).get("text/html", "")) + output.get("text", "") for output in cell.outputs
    )


def test_the_notebook_is_the_scripts_and_was_executed():
    notebook, fresh = nbformat.read(DOCS / "tutorial.ipynb", 4), made().notebook()
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in fresh.cells
    ]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert all(cell.outputs for cell in code)


def test_every_cell_runs_and_cards_are_shown(tmp_path):
    notebook = made().executed(str(tmp_path))
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cards = [cell for cell in code if 'class="understudy"' in shown(cell)]
    assert len(cards) == 5, "schema, plan, release, certificate, ledger"
    assert "what was spent is never given back" in shown(code[-1]) and "give or take" in "".join(map(shown, code))
    assert (tmp_path / "stand-in" / "report.html").exists() and not (tmp_path / "another").exists()
