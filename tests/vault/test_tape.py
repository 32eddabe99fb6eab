"""The tape: what is written is read back, a line is on disk before it is used, and no byte changes unnoticed."""

import hashlib
import json
import os

import numpy as np
import pytest

from understudy.refusal import StorageRefused, Tampered
from understudy.vault import tape as tape_module
from understudy.vault.tape import Tape, canonical, plain, unplain

HEADER = {"release": "r1", "coin": "ab12", "schema": {"name": "clinic \u00fc"}}
ANSWERS = {
    "counts": np.array([0, -7, 2**62, -(2**63)]),
    "one count": np.array([12]),
    "no counts": np.array([], dtype=np.int64),
    "a choice": 3,
    "texts": {"Z\u00fcrich": 12, "=1+1": -4, "\u2028\n\r\0": 1, "": 0},
    "no texts": {},
}


def played(path=None):
    tape = Tape(HEADER, path)
    for step, (name, answer) in enumerate(ANSWERS.items()):
        tape.append({"kind": name, "step": step}, {"amount": "1/8"}, answer)
    return tape


def same(one, other):
    return type(one) is type(other) and (np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_comes_back_as_it_was(answer):
    again = unplain(json.loads(canonical(plain(answer))))
    assert same(again, answer)
    assert not isinstance(again, np.ndarray) or again.dtype == np.int64


def test_a_tape_comes_back_as_it_was(tmp_path):
    written = played(tmp_path / "tape.jsonl")
    for read in (Tape.parse(written.text()), Tape.open(tmp_path / "tape.jsonl", {})):
        assert read.header == HEADER
        assert (read.head, len(read), read.text()) == (written.head, len(ANSWERS), written.text())
        assert all(same(a.answer, b.answer) and a.question == b.question for a, b in zip(read, written, strict=True))
        assert [entry.step for entry in read.of("a choice")] == [3]


def test_each_line_is_sealed_by_the_one_before_it():
    before = ""
    for line in map(json.loads, played().text().splitlines()):
        seal = line.pop("chain")
        words = json.dumps(line, sort_keys=True, separators=(",", ":"))
        assert seal == hashlib.sha256((before + words).encode()).hexdigest()
        before = seal


@pytest.mark.parametrize("bit", [1, 4, 32, 128])
def test_every_byte_that_is_changed_is_noticed(bit):
    content = played().text().encode()
    missed = []
    for place in range(len(content)):
        edited = bytearray(content)
        edited[place] ^= bit
        try:
            Tape.parse(edited.decode("utf-8", "replace"))
            missed.append(place)
        except Tampered:
            pass
    assert not missed


EDITS = {
    "a line removed": lambda lines: lines[:2] + lines[3:],
    "two lines exchanged": lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
    "a line twice": lambda lines: [*lines, lines[-1]],
    "no header": lambda lines: lines[1:],
    "blank line": lambda lines: [*lines, ""],
    "spaces": lambda lines: [lines[0].replace(",", ", "), *lines[1:]],
    "a number that fits nowhere": lambda lines: [*lines[:-1], lines[2].replace("12", str(2**80))],
    "a list for texts": lambda lines: [*lines[:-1], lines[5].replace('{"keys":{', '{"keys":[').replace("}}", "]}")],
    "deep brackets": lambda lines: [*lines, "[" * 100_000],
    "nothing": lambda lines: [],
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edited_lines_are_noticed(edit):
    with pytest.raises(Tampered):
        Tape.parse("".join(line + "\n" for line in edit(played().text().splitlines())))


def test_carriage_returns_are_noticed(tmp_path):
    path = tmp_path / "tape.jsonl"
    path.write_bytes(played().text().replace("\n", "\r\n").encode())
    with pytest.raises(Tampered):
        Tape.open(path, HEADER)


def test_what_is_cut_off_the_end_is_a_shorter_tape_of_another_head():
    """A chain cannot know what came after it; the ledger and the certificate do."""
    lines = played().text().splitlines()
    shorter = Tape.parse("".join(line + "\n" for line in lines[:-1]))
    assert len(shorter) == len(ANSWERS) - 1
    assert shorter.head != played().head


def test_wherever_the_last_line_is_torn_the_tape_goes_on_from_the_line_before(tmp_path):
    path = tmp_path / "tape.jsonl"
    whole = played(path).text()
    start = whole.rstrip("\n").rindex("\n") + 1
    for cut in range(start, len(whole)):
        path.write_bytes(whole.encode()[:cut])
        tape = Tape.open(path, HEADER)
        assert len(tape) == len(ANSWERS) - 1
        assert path.read_text() == whole[:start]
    tape.append({"kind": "no texts", "step": 5}, {"amount": "1/8"}, {})
    assert path.read_text() == whole


def test_a_torn_header_begins_a_new_tape(tmp_path):
    path = tmp_path / "tape.jsonl"
    header = Tape(HEADER).text()
    for cut in range(len(header)):
        path.write_bytes(header.encode()[:cut])
        assert Tape.open(path, HEADER).header == HEADER
        assert path.read_text() == header


def test_what_is_torn_may_be_any_bytes(tmp_path):
    path = tmp_path / "tape.jsonl"
    whole = played(path).text()
    path.write_bytes(whole.encode() + b"\0\xff\xfe{")
    assert Tape.open(path, HEADER).text() == whole


def test_a_line_is_on_disk_before_it_is_used(tmp_path, monkeypatch):
    path, synced = tmp_path / "tape.jsonl", []
    real = os.fsync

    def fsync(descriptor):
        real(descriptor)
        synced.append(path.read_text())

    monkeypatch.setattr(tape_module.os, "fsync", fsync)
    tape = played(path)
    assert len(synced) == 1 + len(ANSWERS)
    assert synced[-1] == tape.text()


@pytest.mark.parametrize("when", ["write", "fsync"])
def test_a_disk_that_refuses_keeps_nothing_of_the_line(when, tmp_path, monkeypatch):
    path = tmp_path / "tape.jsonl"
    tape = played(path)
    before = path.read_text()

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(tape_module.os, when, refuse)
        with pytest.raises(StorageRefused, match="No space left"):
            tape.append({"kind": "count"}, {}, 5)
    assert path.read_text() == before == tape.text()
    assert len(tape) == len(ANSWERS)


def test_a_short_write_keeps_nothing_of_the_line(tmp_path, monkeypatch):
    path = tmp_path / "tape.jsonl"
    tape = played(path)
    real = os.write
    with monkeypatch.context() as patched:
        patched.setattr(tape_module.os, "write", lambda descriptor, line: real(descriptor, line[:5]))
        with pytest.raises(StorageRefused):
            tape.append({"kind": "count"}, {}, 5)
    assert path.read_text() == tape.text()
