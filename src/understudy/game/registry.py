"""Registries: a new algorithm is one file with a decorator; nothing else changes.

Looking anything up imports every module of the package first, so that a file that is there is enrolled.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Generic, TypeVar

from understudy.refusal import Misuse

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things by name, from all modules of one package."""

    def __init__(self, package: str, noun: str, remedy: str):
        self._package = package
        self._noun = noun
        self._remedy = remedy
        self._things: dict[str, Thing] = {}

    def add(self, name: str) -> Callable[[Thing], Thing]:
        """Enrol what is decorated."""

        def enrol(thing: Thing) -> Thing:
            self._things[name] = thing
            return thing

        return enrol

    def all(self) -> dict[str, Thing]:
        """Everything that is enrolled, by name."""
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__, f"{self._package}."):
            importlib.import_module(module.name)
        return dict(sorted(self._things.items()))

    def __getitem__(self, name: str) -> Thing:
        things = self.all()
        if name not in things:
            raise Misuse(f"no {self._noun} is called '{name}'", f"{self._remedy}: {', '.join(things)}")
        return things[name]
