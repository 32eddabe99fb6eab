"""The saboteurs: mechanisms that are broken on purpose, each with a sound twin and the trial that must tell them apart.

One small file each in `audit/saboteur/`; the decorator enrols it. A module gives the evidence twice, broken and sound:

    @saboteur("laplace-max", defect="...", printed="document 001, theorem 17", caught_by=Laws, sound=lambda: trial(2))
    def laplace_max() -> Laws:
        return trial(1)

The suite runs every one: `trial().violation()` must be words for the broken one, and nothing for the sound one. A saboteur that
takes more than a second says ``slow=True`` and is run by the full suite.
"""

from collections.abc import Callable
from dataclasses import dataclass

from understudy.audit.trial import Trial
from understudy.game.registry import Registry

Evidence = Callable[[], Trial]


@dataclass(frozen=True)
class Saboteur:
    """A defect, where it was printed or how it slips in, the kind of trial that catches it, and both kinds of evidence."""

    name: str
    defect: str
    printed: str
    caught_by: type
    broken: Evidence
    sound: Evidence
    slow: bool = False


SABOTEURS: Registry[Saboteur] = Registry("understudy.audit.saboteur", "saboteur", "choose one of")


def saboteur(
    name: str, *, defect: str, printed: str, caught_by: type, sound: Evidence, slow: bool = False
) -> Callable[[Evidence], Saboteur]:
    """Enrol a function that gives the evidence of the broken mechanism."""

    def enrol(broken: Evidence) -> Saboteur:
        return SABOTEURS.add(name)(Saboteur(name, defect, printed, caught_by, broken, sound, slow))

    return enrol


def saboteurs() -> dict[str, Saboteur]:
    """Every saboteur, by name."""
    return SABOTEURS.all()
