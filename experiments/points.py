"""Points of an experiment, each kept as soon as it is there: a run that is stopped goes on where it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Point = dict[str, Any]


class Points:
    """What was measured, by name, in one JSON file."""

    def __init__(self, path: Path):
        self.path = path
        self.all: dict[str, Point] = json.loads(path.read_text()) if path.exists() else {}

    def fill(self, wanted: list[str], measure: Callable[[str], Point], most: int) -> None:
        """Measure what is wanted and not there yet, so many points at most."""
        for name in [name for name in wanted if name not in self.all][:most]:
            self.all[name] = measure(name)
            self.path.write_text(json.dumps(dict(sorted(self.all.items())), indent=1) + "\n")
            print(name, self.all[name], flush=True)

    def of(self, *words: str) -> list[Point]:
        """The points whose names begin with these words."""
        start = " ".join(words) + " "
        return [point for name, point in self.all.items() if name.startswith(start)]
