"""Recipes: named pairings of a query player and a data player. One file each, a few lines long.

    @recipe("independent", cost="...", choose="...")
    def independent(setting: Setting) -> Pairing: ...

Registration enrols a recipe in the command line, the law tests, the benchmarks and the reference page.
"""

from collections.abc import Callable
from dataclasses import dataclass

from understudy.game.player import DataPlayer, QueryPlayer
from understudy.game.registry import Registry
from understudy.privacy.purse import Purse
from understudy.question.workload import Workload
from understudy.schema.schema import Schema


@dataclass(frozen=True)
class Setting:
    """What a recipe may know: public facts, and its part of the budget."""

    schema: Schema
    workload: Workload
    purse: Purse


@dataclass(frozen=True)
class Pairing:
    """Who plays."""

    query: QueryPlayer
    data: DataPlayer


@dataclass(frozen=True)
class Recipe:
    """A pairing with a name, what it spends on, and when to choose it."""

    name: str
    cost: str
    choose: str
    pair: Callable[[Setting], Pairing]
    pictures: bool = False  # whether it makes pictures: its guesses are `Detailed`
    sampled: bool = False  # whether it looks at samples of rows, which are counted at a Renyi order


RECIPES: Registry[Recipe] = Registry("understudy.recipe", "recipe", "choose one of")


def recipe(
    name: str, *, cost: str, choose: str, pictures: bool = False, sampled: bool = False
) -> Callable[[Callable[[Setting], Pairing]], Recipe]:
    """Register a function from a setting to a pairing."""
    return lambda pair: RECIPES.add(name)(Recipe(name, cost, choose, pair, pictures, sampled))


def recipes() -> dict[str, Recipe]:
    """Every registered recipe, by name."""
    return RECIPES.all()
