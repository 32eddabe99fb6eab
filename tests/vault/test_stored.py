"""Long answers beside the tape: read back as they were or not at all; nothing is kept that no line names."""

import json
from pathlib import Path

import numpy as np
import pytest

from understudy.refusal import Tampered
from understudy.vault.stored import Stored
from understudy.vault.tape import Tape, canonical, plain, unplain

ANSWERS = [np.array([5, -7, 2**40, -(2**40)]), np.array([], dtype=np.int64), np.arange(1000) - 500]


def played(path: Path | None) -> Tape:
    tape = Tape({"release": "r"}, path)
    for answer in ANSWERS:
        tape.append({"kind": "long"}, {"amount": "1"}, tape.keep(answer))
        tape.append({"kind": "short"}, {"amount": "1"}, np.array([3]))
    return tape


def read(tape: Tape) -> list[list[int]]:
    return [entry.answer.read().tolist() for entry in tape.of("long")]  # type: ignore[union-attr]


DUE = [np.clip(answer, -(2**31) + 1, 2**31 - 1).tolist() for answer in ANSWERS]


def test_they_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    written = played(path)
    opened = Tape.open(path, {})
    assert read(played(None)) == read(written) == read(opened) == DUE
    assert opened.text() == written.text() == played(None).text()
    assert max(len(line) for line in written.text().splitlines()) < 300
    opened.append({"kind": "long"}, {"amount": "1"}, opened.keep(np.array([9])))
    assert read(Tape.open(path, {})) == [*DUE, [9]]


def test_a_tape_alone_has_their_digests() -> None:
    outside = Tape.parse(played(None).text())
    with pytest.raises(Tampered, match="beside its tape"):
        read(outside)
    for entry, inside in zip(outside, played(None), strict=True):
        if isinstance(inside.answer, Stored):
            assert entry.answer == inside.answer == unplain(json.loads(canonical(plain(inside.answer))))


@pytest.mark.parametrize("left", [1, 40, 4000])
def test_what_no_line_names_is_cut_off(tmp_path: Path, left: int) -> None:
    """A process that died after the answer and before its line: the next run's answer takes the place."""
    path = tmp_path / "tape.jsonl"
    played(path).keep(np.arange(left))
    opened = Tape.open(path, {})
    assert path.with_suffix(".numbers").stat().st_size == sum(4 * answer.size for answer in ANSWERS)
    opened.append({"kind": "long"}, {"amount": "1"}, opened.keep(np.array([1, 2])))
    assert read(Tape.open(path, {})) == [*DUE, [1, 2]]


@pytest.mark.parametrize("byte", [0, 7, 15, 16, 2000, 4015])
def test_a_byte_that_was_changed_is_noticed(tmp_path: Path, byte: int) -> None:
    path = tmp_path / "tape.jsonl"
    played(path)
    content = bytearray(path.with_suffix(".numbers").read_bytes())
    content[byte] ^= 1
    path.with_suffix(".numbers").write_bytes(content)
    with pytest.raises(Tampered, match="not the one"):
        read(Tape.open(path, {}))


def test_a_file_that_is_short_or_gone_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    played(path)
    numbers = path.with_suffix(".numbers")
    numbers.write_bytes(numbers.read_bytes()[:-1])
    with pytest.raises(Tampered):
        read(Tape.open(path, {}))
    numbers.unlink()
    with pytest.raises(Tampered, match="beside"):
        read(Tape.open(path, {}))
