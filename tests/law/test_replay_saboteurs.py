"""Saboteurs: recipes that read the private table past the gate, or draw past the coin. Replay must catch every one.

Each is a plausible slip: a data player that opens the file "for the column widths", one that holds on to the vault, a
number of rows that a closure brought along, a warm start from a global generator, a stop rule on the exact error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from replaying import differences, first_run
from worlds import PLAIN, World

from understudy.game.data.product import Product, ProductPlayer, product_of
from understudy.game.player import Forecast
from understudy.game.query.measure import Measure, Stage
from understudy.publish.run import Vault
from understudy.question.count import Count
from understudy.recipe.recipe import Pairing, Recipe, Setting

WORLD = World({}, PLAIN)
Tilt = Callable[[], float]


@dataclass
class Tilted:
    """A data player whose model leans a little by what it should not know."""

    tilt: Tilt

    def forecast(self, schema: object) -> Forecast:
        return ProductPlayer().forecast(schema)

    def fit(self, tape, schema) -> Product:
        columns = dict(product_of(tape, schema).columns)
        lean = np.arange(len(columns["sex"])) * self.tilt() * 1e-9
        columns["sex"] = (columns["sex"] + lean) / (columns["sex"] + lean).sum()
        return Product(columns)


def tilted(tilt: Tilt) -> Recipe:
    """The independent recipe with a tilted data player."""

    def pair(setting: Setting) -> Pairing:
        columns = tuple((name,) for name in setting.schema.domain)
        return Pairing(Measure((Stage("all columns", columns),), setting.purse), Tilted(tilt))

    return Recipe("tilted", "", "", pair)


@pytest.fixture
def vaults(monkeypatch: pytest.MonkeyPatch) -> list[Vault]:
    """The vaults that were opened, for whoever holds on to them."""
    opened: list[Vault] = []
    over = Vault.over

    def kept(data: object, schema: object) -> Vault:
        opened.append(over(data, schema))
        return opened[-1]

    monkeypatch.setattr(Vault, "over", staticmethod(kept))
    return opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The private file, where a recipe can find it."""
    return tmp_path / "private.csv"


def caught(recipe: Recipe, table: pd.DataFrame, file: Path) -> list[str]:
    """What a replay over another table shows; the private file holds the table of the day."""
    WORLD.rows().to_csv(file, index=False)
    run = first_run(WORLD.plan(recipe), file, file.parent)
    assert differences(run, file, "the same table") == [] or recipe.name == "undetermined"
    table.to_csv(file, index=False)
    return differences(run, file, "another table")


TABLES = {"one row fewer": WORLD.rows().iloc[1:], "no row at all": WORLD.rows().iloc[:0]}
each_table = pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
MODEL = {"model.safetensors", "certificate.json"}


@each_table
def test_an_honest_one_is_not_caught(table: pd.DataFrame, file: Path) -> None:
    assert caught(tilted(lambda: 1.0), table, file) == []


@each_table
def test_a_data_player_that_reads_the_private_file(table: pd.DataFrame, file: Path) -> None:
    assert set(caught(tilted(lambda: len(file.read_bytes())), table, file)) >= MODEL


@each_table
def test_a_data_player_that_holds_the_vault(table: pd.DataFrame, file: Path, vaults: list[Vault]) -> None:
    found = caught(tilted(lambda: len(vaults[-1]._Vault__rows)), table, file)  # type: ignore[attr-defined]
    assert set(found) >= MODEL


@each_table
def test_a_data_player_that_asks_the_vault_itself(table: pd.DataFrame, file: Path, vaults: list[Vault]) -> None:
    def peek() -> float:
        return float(vaults[-1]._look(Count(None))[0])  # type: ignore[arg-type]

    WORLD.rows().to_csv(file, index=False)
    run = first_run(WORLD.plan(tilted(peek)), file, file.parent)
    assert "a look: count" in differences(run, file, "the same table"), "even where the answers agree"


@each_table
def test_a_number_of_rows_that_a_closure_brought_along(table: pd.DataFrame, file: Path) -> None:
    def pair(setting: Setting) -> Pairing:
        n = len(pd.read_csv(file))
        return tilted(lambda: n).pair(setting)

    assert set(caught(Recipe("smuggler", "", "", pair), table, file)) >= MODEL


@each_table
def test_a_number_of_rows_that_comes_out_as_rows(table: pd.DataFrame, file: Path) -> None:
    class Sized(Product):
        def rows(self, n: int, rng: np.random.Generator):
            return super().rows(len(pd.read_csv(file)) + 1, rng)

    class SizedPlayer(ProductPlayer):
        def fit(self, tape, schema):
            return Sized(product_of(tape, schema).columns)

    def pair(setting: Setting) -> Pairing:
        return Pairing(tilted(float).pair(setting).query, SizedPlayer())

    assert caught(Recipe("sized", "", "", pair), table, file)


@each_table
def test_a_query_player_that_stops_by_the_exact_table(table: pd.DataFrame, file: Path) -> None:
    class Stopping(Measure):
        def next(self, guess, tape):
            return super().next(guess, tape) if len(pd.read_csv(file)) == len(WORLD.rows()) else None

    def pair(setting: Setting) -> Pairing:
        return Pairing(Stopping((Stage("sex", (("sex",),)),), setting.purse), ProductPlayer())

    (shown,) = caught(Recipe("stopping", "", "", pair), table, file)
    assert "another run" in shown


def test_randomness_that_is_not_the_coin(file: Path) -> None:
    recipe = Recipe("undetermined", "", "", tilted(np.random.random).pair)
    assert set(caught(recipe, WORLD.rows(), file)) >= MODEL
