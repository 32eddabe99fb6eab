"""The results: one JSON file of flat records for each script, written after every run, read by the board.

A record says who made what under which settings, what it cost, and how good it came out; or why it did not.
"""

import json
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
Record = dict[str, Any]


class Results:
    """The records of one script's run, on disk as soon as each is there (nowhere, without a name)."""

    def __init__(self, name: str | None, more: bool = False):
        self.path = FOLDER / f"{name}.json" if name else None
        self.records: list[Record] = read(name) if name and more else []

    def add(self, record: Record) -> Record:
        """Keep a record, and say it."""
        rounded = {key: float(f"{value:.5g}") if isinstance(value, float) else value for key, value in record.items()}
        self.records.append(rounded)
        print(time.strftime("%H:%M:%S"), *(f"{key}={value}" for key, value in rounded.items()), flush=True)
        if self.path:
            self.path.parent.mkdir(exist_ok=True)
            lines = ",\n".join(json.dumps(one) for one in self.records)
            self.path.write_text(f"[\n{lines}\n]\n")
        return rounded


def read(name: str) -> list[Record]:
    """The records of an earlier run; none where there was no run."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else []
