"""What the faults share: `release_runs`, a server that forks whole releases and ends them where it is told to."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves this folder off the path


@pytest.fixture(scope="session")
def server() -> Iterator[object]:
    """One warmed server for all tests of the session."""
    from release_runs import Server

    running = Server()
    yield running
    running.close()
