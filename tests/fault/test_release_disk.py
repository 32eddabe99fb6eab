"""A disk that fills up anywhere in a release: exit code 5, nothing under the final name, and a rerun finishes.

at a write   the k-th os.write, os.fsync, rename or link of this process fails, for every k there is
at a size    no file may grow beyond so many bytes (RLIMIT_FSIZE), which also stops what SQLite and Arrow write
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from release_runs import Server, finished, make, new_ledger, planned, steps, tape_lines

from understudy.privacy.ledger import Ledger
from understudy.refusal import StorageRefused

MANY = 10**6


@contextmanager
def full_at(name: str, k: int, torn: bool = False) -> Iterator[list[int]]:
    """From its k-th call on, one of the system's calls finds the disk full; how often it was called."""
    call, calls = getattr(os, name), [0]

    def failing(*words: object, **more: object) -> object:
        calls[0] += 1
        if calls[0] < k:
            return call(*words, **more)
        if torn and calls[0] == k:  # a part of the line is on the disk when it is full
            return call(words[0], words[1][: len(words[1]) // 2])  # type: ignore[index]
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    setattr(os, name, failing)
    try:
        yield calls
    finally:
        setattr(os, name, call)


def writes_of_a_release(folder: Path, name: str) -> int:
    """How often a whole release calls it."""
    folder.mkdir()
    new_ledger(folder)
    with full_at(name, MANY) as calls:
        make(folder)
    finished(folder)
    return calls[0]


def nothing_lost(folder: Path) -> None:
    """The ledger opens and holds, and there is nothing under the final name."""
    Ledger.open(folder / "ledger").check()
    assert sum(step.charge.amount for step in steps(folder)) <= planned()
    assert not (folder / "out").exists()
    assert list(folder.glob(".*making*")) == []


def some(calls: int) -> list[int]:
    """Up to five places among so many, the first and the last of them too."""
    return sorted({1 + round(i * (calls - 1) / 4) for i in range(5)})


@pytest.mark.parametrize("torn", [False, True], ids=["nothing of it", "a part of it"])
@pytest.mark.parametrize("choose", [some, pytest.param(lambda n: range(1, n + 1), marks=pytest.mark.full)])
def test_full_at_a_line_of_the_tape(torn: bool, choose: Callable[[int], list[int]], tmp_path: Path) -> None:
    stopped_at("write", choose(writes_of_a_release(tmp_path / "whole", "write")), tmp_path, torn)


@pytest.mark.parametrize("name", ["fsync", "rename", "link", "mkdir"])
@pytest.mark.parametrize("choose", [some, pytest.param(lambda n: range(1, n + 1), marks=pytest.mark.full)])
def test_full_at(name: str, choose: Callable[[int], list[int]], tmp_path: Path) -> None:
    calls = writes_of_a_release(tmp_path / "whole", name)
    assert calls > 0
    stopped_at(name, choose(calls), tmp_path)


def stopped_at(name: str, places: list[int], folder: Path, torn: bool = False) -> None:
    """Each of these calls in turn finds the disk full, and the same command is run again."""
    for k in places:
        here = folder / str(k)
        here.mkdir()
        new_ledger(here)
        with full_at(name, k, torn), pytest.raises(StorageRefused) as refused:
            make(here)
        assert refused.value.code == 5
        nothing_lost(here)
        before = tape_lines(here)
        make(here)
        finished(here)
        assert tape_lines(here)[: len(before)] == before


LIMITS = {
    "at the intent": 60,
    "at the ledger": 9_000,
    "at the ledger's log": 20_000,
    "at the tape": 34_000,
    "at the model": 60_000,
}


@pytest.mark.parametrize("limit", LIMITS.values(), ids=list(LIMITS))
def test_no_file_may_grow(server: Server, limit: int, tmp_path: Path) -> None:
    new_ledger(tmp_path)
    assert server.run(tmp_path, limit=limit, wide=True) == 5
    nothing_lost(tmp_path)
    before = tape_lines(tmp_path)
    assert server.run(tmp_path, wide=True) == 0
    finished(tmp_path)
    assert tape_lines(tmp_path)[: len(before)] == before


def test_the_limits_reach_every_stage(server: Server, tmp_path: Path) -> None:
    """The test above stops at different places, not five times at the same."""
    reached = []
    for limit in LIMITS.values():
        folder = tmp_path / str(limit)
        folder.mkdir()
        new_ledger(folder)
        server.run(folder, limit=limit, wide=True)
        reached.append((len(steps(folder)), len(tape_lines(folder))))
    assert reached[0] == (0, 0)
    assert 0 < reached[3][1] <= reached[3][0], "a charge whose answer did not fit"
    assert reached[4] == (7, 8), "everything but the bundle"
