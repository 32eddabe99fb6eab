"""Writing durably: a file or folder appears under its final name whole, or not at all."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from understudy.refusal import StorageRefused


def write_durably(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the disk has a folder's entries."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A folder to fill, which gets its final name only when all of it is on the disk; a failure leaves nothing there."""
    refuse_existing(path)
    making = path.with_name(f".{path.name}.making-{os.getpid()}")
    shutil.rmtree(making, ignore_errors=True)  # what a killed process of the same number left
    try:
        making.mkdir(parents=True)
        yield making
        sync_folder(making)
        os.rename(making, path)
        try:
            sync_folder(path.parent)
        except OSError:
            os.rename(path, making)
            raise
    except OSError as wrong:
        raise StorageRefused(
            f"'{path}' could not be written: {wrong.strerror or 'the disk refused'}",
            "make room and run the same command",
        ) from None
    finally:
        shutil.rmtree(making, ignore_errors=True)


def write_new(path: Path, content: bytes) -> None:
    """A file that appears whole under a name that was free."""
    refuse_existing(path)
    making = path.with_name(f".{path.name}.making-{os.getpid()}")
    try:
        write_durably(making, content)
        os.link(making, path)
        try:
            sync_folder(path.parent)
        except OSError:
            path.unlink()
            raise
    except OSError as wrong:
        raise StorageRefused(
            f"'{path}' could not be written: {wrong.strerror or 'the disk refused'}", "choose another place for it"
        ) from None
    finally:
        making.unlink(missing_ok=True)


def refuse_existing(path: Path) -> None:
    """Nothing is ever overwritten."""
    if path.exists():
        raise StorageRefused(f"'{path}' is there already", "choose another name, or remove it yourself")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for one process; a second one is refused, also where the first has just removed the folder."""
    busy = StorageRefused(f"another run is at work in '{folder}'", "wait for it, or choose another --out")
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        raise busy from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise busy from None
        if not (folder.exists() and os.path.samestat(folder.stat(), os.fstat(descriptor))):
            raise busy
        yield
    finally:
        os.close(descriptor)
