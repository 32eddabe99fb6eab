"""Stored: long answers of a run, in one file beside its tape, each known on the tape by its digest.

Law.  A long answer is on disk before the line that names it, and it is read back as it was or not at all.

    tape.jsonl      {"answer": {"numbers": 92674, "digest": SHA-256 of its bytes}}
    tape.numbers    the answers one after another, 4 bytes a number, little end first; numbers beyond are at the ends

Where an answer lies follows from the numbers of those before it. What was written after the last whole line's answer was
never used by anyone: it is cut off when the tape is opened again. The file stays inside the house and goes with the run; a
tape that is read from a bundle has the digests only.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import StorageRefused, Tampered

Other = TypeVar("Other")
MOST = 2**31 - 1


def unknown() -> bytes:
    """A tape outside the house has digests only."""
    raise Tampered("the long answers of this run are not beside its tape", "put the run's whole folder back")


@dataclass(frozen=True)
class Stored:
    """A long answer: how many numbers, their digest, and a way to read them."""

    digest: str
    numbers: int
    content: Callable[[], bytes] = field(default=unknown, compare=False, repr=False)

    def read(self) -> NDArray[np.int64]:
        """The numbers; refused where they are not those that the tape names."""
        content = self.content()
        if hashlib.sha256(content).hexdigest() != self.digest or len(content) != 4 * self.numbers:
            raise Tampered("a long answer beside the tape is not the one that the tape names", "put its file back")
        return np.frombuffer(content, dtype="<i4").astype(np.int64)


class Numbers:
    """The file of one run, or, without a path, the memory of one."""

    def __init__(self, tape: Path | None):
        self._path = None if tape is None else tape.with_suffix(".numbers")
        self._end = 0

    def keep(self, answer: NDArray[np.int64]) -> Stored:
        """Write an answer, and wait until the disk has it."""
        content = np.clip(answer, -MOST, MOST).astype("<i4").tobytes()
        stored = Stored(hashlib.sha256(content).hexdigest(), answer.size, lambda: content)
        return stored if self._path is None else self._written(self._path, content, stored)

    def _written(self, path: Path, content: bytes, stored: Stored) -> Stored:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                if os.pwrite(descriptor, content, self._end) != len(content):
                    raise OSError("short write")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as wrong:
            reason = wrong.strerror or "the disk took only a part of it"
            raise StorageRefused(
                f"an answer could not be written: {reason}", "make room and run the same command"
            ) from None
        return self._found(path, stored)

    def find(self, answer: Other) -> Other:
        """An answer as the tape names it, with a way to read it where it is a long one."""
        if not isinstance(answer, Stored):
            return answer
        assert self._path is not None
        return self._found(self._path, answer)  # type: ignore[return-value]

    def _found(self, path: Path, stored: Stored) -> Stored:
        start, size = self._end, 4 * stored.numbers
        self._end += size
        return replace(stored, content=lambda: piece(path, start, size))

    def cut(self) -> None:
        """Nothing stays behind the last answer that a line names."""
        if self._path is not None and self._path.exists() and self._path.stat().st_size > self._end:
            os.truncate(self._path, self._end)


def piece(path: Path, start: int, size: int) -> bytes:
    """Some bytes of a file, as far as there are any."""
    try:
        with open(path, "rb") as file:
            file.seek(start)
            return file.read(size)
    except FileNotFoundError:
        return unknown()
