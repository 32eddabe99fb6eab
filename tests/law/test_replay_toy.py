"""A recipe is one file: put it in the folder, and it is registered, planned, run, verified and held to the law."""

import sys
from pathlib import Path

import pytest
from replaying import differences, first_run
from worlds import WORLDS

import understudy
import understudy.recipe
from understudy.game.player import GUESSES
from understudy.recipe.recipe import RECIPES

TOY = '''
"""toy: one column by itself, all others uniform."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.game.data.product import Product, product_of
from understudy.game.player import GUESSES, Forecast
from understudy.game.query.measure import Measure, Stage
from understudy.recipe.recipe import Pairing, recipe


@GUESSES.add("toy")
class Toy(Product):
    kind: ClassVar[str] = "toy"

    @staticmethod
    def rebuild(words, arrays, schema):
        return Toy(Product.rebuild(words, arrays, schema).columns)


class ToyPlayer:
    def forecast(self, schema):
        return Forecast(megabytes=1, seconds=1)

    def fit(self, tape, schema):
        return Toy(product_of(tape, schema).columns)


@recipe("toy", cost="one look at one column", choose="never")
def toy(setting):
    return Pairing(Measure((Stage("one column", (tuple(setting.schema.domain)[:1],)),), setting.purse), ToyPlayer())
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of recipes, one file longer; and short again afterwards."""
    folder = tmp_path / "recipes"
    folder.mkdir()
    (folder / "toy.py").write_text(TOY)
    understudy.recipes()
    for registry in (RECIPES, GUESSES):
        registry.all()
        monkeypatch.setattr(registry, "_things", dict(registry._things))
    monkeypatch.setattr(understudy.recipe, "__path__", [*understudy.recipe.__path__, str(folder)])
    yield "toy"
    sys.modules.pop("understudy.recipe.toy", None)
    vars(understudy.recipe).pop("toy", None)


def test_a_file_in_the_folder_is_a_recipe(toy: str) -> None:
    assert understudy.recipes()[toy].choose == "never"
    assert WORLDS["plain"].plan(toy).script[1].what == "one column"


def test_without_its_file_it_is_none() -> None:
    assert "toy" not in understudy.recipes()


PLAIN = {name: world for name, world in WORLDS.items() if not world.schema.images}  # it makes no pictures


@pytest.mark.parametrize("world", PLAIN.values(), ids=list(PLAIN))
def test_it_is_held_to_the_law(toy: str, world, tmp_path: Path) -> None:
    run = first_run(world.plan(toy), world.rows(), tmp_path)
    assert b'"kind": "toy"' in run.files["model.json"]
    broken = {name: differences(run, table, name) for name, table in world.neighbours().items()}
    assert {name: shown for name, shown in broken.items() if shown} == {}
    assert understudy.verify(tmp_path / "first").certificate["recipe"] == toy
