"""Replay, the law of the road: the same tape over another table gives the same release, byte for byte.

Every registered recipe is enrolled, in every world; that the law can be broken is shown in `test_replay_saboteurs`.
"""

from pathlib import Path

import pytest
from replaying import differences, first_run, looks
from worlds import WORLDS, World

import understudy
from understudy.recipe.default import DEFAULT
from understudy.refusal import Infeasible


def refused(recipe: str, world: World) -> bool:
    """Looks at samples of rows have no price in pure epsilon, and not every recipe makes pictures."""
    known = understudy.recipes()[recipe]
    return (known.sampled and world.delta == "0") or (bool(world.schema.images) and not known.pictures)


FEW = ("no row at all", "a row with values beyond every bound added")  # what the quick suite asks of most recipes,
SOME = ("replace-one", "rich, three rows a unit", "to be discovered")  # in these worlds
PICTURED = "private_pca"  # the quick suite's choice where the columns are pictures
QUICK = [(r, w, r == "independent") for r in understudy.recipes() for w in (SOME if r != "independent" else WORLDS)]
QUICK += [(DEFAULT, w, False) for w in WORLDS if w not in SOME]
QUICK += [(PICTURED, "pictures", False)]
FULL = [(recipe, world, True) for recipe in understudy.recipes() for world in WORLDS]
CASES = [
    pytest.param(recipe, WORLDS[world], every, id=f"{recipe}, {world}, {'every' if every else 'few'}", marks=marks)
    for cases, marks in ((QUICK, ()), (FULL, pytest.mark.full))
    for recipe, world, every in cases
    if not refused(recipe, WORLDS[world])
]


@pytest.mark.parametrize(("recipe", "world", "every"), CASES)
def test_a_release_is_a_function_of_its_tape(recipe: str, world: World, every: bool, tmp_path: Path) -> None:
    with looks() as looked:
        run = first_run(world.plan(recipe), world.rows(), tmp_path)
    assert looked, "a run that never looks proves nothing"
    tables = {name: table for name, table in world.neighbours().items() if every or name in FEW}
    assert len(tables) == (len(world.neighbours()) if every else len(FEW))
    broken = {name: differences(run, table, name) for name, table in tables.items()}
    assert {name: shown for name, shown in broken.items() if shown} == {}


@pytest.mark.parametrize("recipe", [name for name in understudy.recipes() if refused(name, WORLDS["pure epsilon"])])
def test_what_has_no_price_is_refused_before_anything_is_read(recipe: str) -> None:
    with pytest.raises(Infeasible, match="no pure epsilon"):
        WORLDS["pure epsilon"].plan(recipe)


@pytest.mark.parametrize("recipe", understudy.recipes())
def test_another_tape_gives_another_release(recipe: str, tmp_path: Path) -> None:
    """The comparison sees what it should: two runs over one table differ in their tapes, rows and models."""
    world = WORLDS["plain"]
    one, other = (first_run(world.plan(recipe), world.rows(), tmp_path / str(seed), seed) for seed in (1, 2))
    same = {name for name, content in one.files.items() if other.files[name] == content}
    assert same <= {"schema.toml", "model.json"}
