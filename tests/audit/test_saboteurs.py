"""Every saboteur is caught by the trial named for it, and its sound twin by none. A new file is enrolled by being there."""

import pkgutil

import pytest

import understudy.audit.saboteur as folder
from understudy.audit.registry import Saboteur, saboteurs

ALL = saboteurs()
CASES = [pytest.param(s, id=name, marks=[pytest.mark.full] if s.slow else []) for name, s in ALL.items()]


@pytest.mark.parametrize("saboteur", CASES)
def test_a_saboteur_is_caught_by_the_trial_named_for_it(saboteur: Saboteur) -> None:
    trial = saboteur.broken()
    assert type(trial) is saboteur.caught_by
    assert trial.violation()


@pytest.mark.parametrize("saboteur", CASES)
def test_its_sound_twin_is_not(saboteur: Saboteur) -> None:
    trial = saboteur.sound()
    assert type(trial) is saboteur.caught_by
    assert trial.violation() == ""


def test_every_file_of_the_folder_has_a_saboteur() -> None:
    files = {module.name for module in pkgutil.iter_modules(folder.__path__)}
    assert {saboteur.broken.__module__.rpartition(".")[2] for saboteur in ALL.values()} == files


@pytest.mark.parametrize("saboteur", ALL.values(), ids=list(ALL))
def test_a_saboteur_says_what_is_wrong_and_where_it_is_from(saboteur: Saboteur) -> None:
    assert saboteur.defect
    assert saboteur.printed
