"""docs/saboteurs.md is what the registry says, and every defect of the mutation suite has its saboteur."""

import importlib.util
from pathlib import Path
from types import ModuleType

from understudy.audit.registry import saboteurs

DOCS = Path(__file__).parents[2] / "docs"


def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_saboteurs", DOCS / "make_saboteurs.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_not_drifted() -> None:
    assert (DOCS / "saboteurs.md").read_text(encoding="utf-8") == made().page(), "run docs/make_saboteurs.py"


def test_every_mutation_has_its_saboteur() -> None:
    assert set(made().MUTATIONS.values()) <= set(saboteurs())
    assert len(set(made().MUTATIONS.values())) == 15
