"""The tape: the recorded answers of one run. What resume, replay, data players and verify read.

Law.  Everything after the gate is a function of the tape. A line is on disk before anybody uses its answer, and no line
changes afterwards: each carries the SHA-256 of the one before it.

    line 0     {"header": what the run is, its coin (public randomness), the receipt of its reservation}
    line 1..   {"step", "question": spec, "charge", "answer", "chain"}

A torn last line was never used by anyone: it is cut off when the tape is opened again.

Long answers (a number for each weight of a network) stand on the tape by their digest. Their numbers are in a file beside it
while the run lasts (stored.py): what leaves the house is the tape and the network, not the answers that it was made from.

>>> tape = Tape({"release": "r1"})
>>> tape.append({"kind": "count"}, {"amount": "1/8"}, np.array([12])).answer
array([12])
>>> tape.head == Tape.parse(tape.text()).head
True
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import StorageRefused, Tampered
from understudy.vault.stored import Numbers, Stored

Answer = NDArray[np.int64] | int | dict[str, int] | Stored
Json = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """One question that was asked, what it cost, and what the gate answered."""

    step: int
    question: Json
    charge: Json
    answer: Answer

    @property
    def kind(self) -> str:
        return str(self.question["kind"])


class Tape:
    """A header and its entries; durable where it has a path."""

    def __init__(self, header: Json, path: Path | None = None):
        self.header = header
        self.entries: list[Entry] = []
        self._path = path
        self._numbers = Numbers(path)
        self._lines: list[str] = []
        self._write({"header": header})

    @property
    def head(self) -> str:
        """The digest of everything on the tape."""
        return str(json.loads(self._lines[-1])["chain"])

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def of(self, kind: str) -> list[Entry]:
        """The entries of one kind of question."""
        return [entry for entry in self.entries if entry.kind == kind]

    def text(self) -> str:
        """The tape as it stands in its file."""
        return "".join(self._lines)

    def keep(self, answer: NDArray[np.int64]) -> Stored:
        """A long answer, on disk beside the tape when this returns; it counts once a line names it."""
        return self._numbers.keep(answer)

    def append(self, question: Json, charge: Json, answer: Answer) -> Entry:
        """Record an answer; it is on disk when this returns."""
        entry = Entry(len(self.entries), question, charge, answer)
        self._write({"step": entry.step, "question": question, "charge": charge, "answer": plain(answer)})
        self.entries.append(entry)
        return entry

    def copy(self) -> "Tape":
        """The same tape in memory, its long answers with it: for whoever plays it again."""
        same = Tape.parse(self.text())
        same.entries = list(self.entries)
        return same

    def rewind(self) -> list[Entry]:
        """The entries of an interrupted run, taken off: whoever plays on sees each when it is told again."""
        recorded, self.entries = self.entries, []
        return recorded

    def retell(self, entry: Entry) -> None:
        """The next entry that was taken off; its line is on disk already."""
        self.entries.append(entry)

    def _write(self, words: Json) -> None:
        previous = self.head if self._lines else ""
        line = canonical(words | {"chain": chain(previous, words)}) + "\n"
        if self._path is not None:
            append_durably(self._path, line)
        self._lines.append(line)

    @staticmethod
    def open(path: Path, header: Json) -> "Tape":
        """Take up the tape of an interrupted run, or begin one where not even its header is whole."""
        found = path.read_bytes() if path.exists() else b""
        whole = found[: found.rfind(b"\n") + 1]
        if whole != found:
            os.truncate(path, len(whole))
        if not whole:
            return Tape(header, path)
        tape = Tape.parse(whole.decode("utf-8", "replace"))
        tape._path = path
        tape._numbers = Numbers(path)
        tape.entries = [replace(e, answer=tape._numbers.find(e.answer)) for e in tape.entries]
        tape._numbers.cut()
        return tape

    @staticmethod
    def parse(text: str) -> "Tape":
        """Read a tape, checking its chain."""
        try:
            lines = [json.loads(line) for line in text.splitlines()]
            tape = Tape(lines[0]["header"])
            for line in lines[1:]:
                tape.append(line["question"], line["charge"], unplain(line["answer"]))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError):
            raise Tampered("the tape is not one that understudy wrote", "take it from the original bundle") from None
        if tape.text() != text:
            raise Tampered("the tape was edited: its chain does not hold", "take it from the original bundle")
        return tape


def chain(previous: str, words: Json) -> str:
    """SHA-256 of the line before and this one."""
    return hashlib.sha256((previous + canonical(words)).encode()).hexdigest()


def canonical(words: object) -> str:
    """One text for one JSON value."""
    return json.dumps(words, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def plain(answer: Answer) -> Json:
    """An answer as JSON."""
    if isinstance(answer, Stored):
        return {"numbers": answer.numbers, "digest": answer.digest}
    if isinstance(answer, dict):
        return {"keys": answer}
    if isinstance(answer, int):
        return {"index": answer}
    return {"counts": answer.tolist()}


def unplain(words: Json) -> Answer:
    """An answer from JSON."""
    if "digest" in words:
        return Stored(str(words["digest"]), int(words["numbers"]))
    if "keys" in words:
        return {str(key): int(count) for key, count in words["keys"].items()}
    if "index" in words:
        return int(words["index"])
    return np.array(words["counts"], dtype=np.int64)


def append_durably(path: Path, line: str) -> None:
    """Write a whole line and wait until the disk has it; on failure the tape keeps none of it."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            length = os.fstat(descriptor).st_size
            try:
                if os.write(descriptor, line.encode()) != len(line.encode()):
                    raise OSError("short write")
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, length)
                raise
        finally:
            os.close(descriptor)
    except OSError as wrong:
        reason = wrong.strerror or "the disk took only a part of it"
        raise StorageRefused(f"the tape could not be written: {reason}", "make room and run the same command") from None
