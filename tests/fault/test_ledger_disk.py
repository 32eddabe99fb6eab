"""A disk that fills up, a folder that is closed: exit code 5, and the ledger opens again with all that was granted."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from understudy.privacy.ledger import Ledger
from understudy.refusal import StorageRefused
from understudy.schema.relation import Relation


def new(path: Path) -> Ledger:
    return Ledger.create(path, epsilon=1000, delta=0, relation=Relation.ADD_REMOVE, unit="u", population="p")


def fill(ledger: Ledger, prefix: str) -> int:
    """Reserve until the disk says no; how many were granted."""
    granted = 0
    while True:
        try:
            ledger.reserve(f"{prefix}{granted}", Fraction(1, 1000), Fraction(0), Relation.ADD_REMOVE, "s" * 400)
        except StorageRefused as refusal:
            assert refusal.code == 5
            return granted
        granted += 1


def one(ledger: Ledger) -> int:
    return ledger.reserve("r", Fraction(1), Fraction(0), Relation.ADD_REMOVE, "spec").counter


def count(ledger: Ledger) -> int:
    return sum(entry.kind == "reserve" for entry in ledger.entries())


@pytest.mark.parametrize("limit", [33_000, 41_234, 50_001, 77_777, 120_000])
def test_a_file_size_limit_loses_nothing_that_was_granted(tmp_path: Path, limit: int) -> None:
    """RLIMIT_FSIZE fails a write at any byte, as a full disk does, and needs no root."""
    ledger = new(tmp_path / "a")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            os.write(writing, str(fill(ledger, "r")).encode())
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        granted = int(answer.read() or -1)
    assert os.waitpid(child, 0)[1] == 0
    assert granted > 0
    again = Ledger.open(ledger.path)
    again.check()
    # a refused one may have been written down (the safe side); a granted one is always there
    assert granted <= count(again) <= granted + 1
    again.reserve("after", Fraction(1, 1000), Fraction(0), Relation.ADD_REMOVE, "spec")
    again.check()


def test_a_ledger_that_does_not_fit_is_not_created(tmp_path: Path) -> None:
    program = (
        "import resource, sys; from understudy.privacy.ledger import Ledger; "
        "from understudy.schema.relation import Relation; from understudy.refusal import Refusal\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try: Ledger.create(sys.argv[1], epsilon=1, delta=0, relation=Relation.ADD_REMOVE, unit='u', population='p')\n"
        "except Refusal as refusal: sys.exit(refusal.code)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path / "a")]).returncode == 5
    assert os.listdir(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """One megabyte of tmpfs, where this machine allows it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mount.returncode:
        pytest.skip(f"tmpfs cannot be mounted here: {mount.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux")
def test_a_full_disk_loses_nothing_that_was_granted(small_disk: Path) -> None:
    ledger = new(small_disk / "a")
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 700_000)
    granted = fill(ledger, "r")
    assert granted > 0
    Ledger.open(ledger.path).check()
    assert granted <= count(ledger) <= granted + 1
    with pytest.raises(StorageRefused):
        new(small_disk / "b")
    assert sorted(os.listdir(small_disk)) == sorted({"a", "ballast", *(p.name for p in small_disk.glob("a-*"))})
    ballast.unlink()
    ledger.reserve("after", Fraction(1, 1000), Fraction(0), Relation.ADD_REMOVE, "spec")
    ledger.check()


@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux")
def test_a_disk_that_became_read_only_grants_nothing(small_disk: Path) -> None:
    ledger = new(small_disk / "a")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for act in (lambda: one(ledger), lambda: new(small_disk / "b")):
        with pytest.raises(StorageRefused):
            act()
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert one(ledger) == 2


def test_a_read_only_ledger_is_refused(tmp_path: Path) -> None:
    ledger = new(tmp_path / "a")
    ledger.path.chmod(0o400)
    if os.access(ledger.path, os.W_OK):
        pytest.skip("this user may write everywhere (root)")
    with pytest.raises(StorageRefused):
        one(ledger)
