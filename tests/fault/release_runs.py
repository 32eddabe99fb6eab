"""Whole releases in processes of their own, forked from a warmed server, and ended where a test says.

A server is a fresh Python without threads, so that a fork of it is sound whatever the tests' own process has loaded.
One request is one line of JSON; see `child` for its words. The same file is the server's program and its client.

    run(folder)                     to the end
    run(folder, after=0.02)         a signal after so many seconds
    run(folder, call=700)           kill -9 at the 700th function call
    run(folder, limit=5000)         no file may grow beyond so many bytes
    run(folder, wide=True)          the schema whose files are large
    run(folder, together=5)         five of them at once; the exit codes of all
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import understudy
from understudy.noise.entropy import Entropy
from understudy.privacy.ledger import Ledger
from understudy.privacy.receipt import Step
from understudy.publish.plan import Plan
from understudy.question.question import Question
from understudy.question.spec import from_spec
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

ID = "the release"
COLUMNS = {
    "town": {"kind": "categorical", "discover": True},
    "income": {"kind": "integer", "discover": True, "bins": 4},
    "smokes": {"kind": "boolean"},
}


def schema(codes: int) -> Schema:
    """The schema with one column of so many cells."""
    column = {"kind": "integer", "min": 0, "max": codes - 1, "step": 1}
    return from_dict({"table": {"name": "clinic", "unit": "person"}, "columns": COLUMNS | {"codes": column}})


SCHEMA, WIDE = schema(500), schema(12_000)  # the wide one: a tape of 38 kB, a model of 96 kB
TERMS: dict[str, Any] = {"epsilon": "3", "delta": "1e-6", "recipe": "independent", "workload": "1way", "rows": 300}


def rows() -> pa.Table:
    """The private table."""
    rng = np.random.default_rng(0)
    n = 2000
    return pa.table(
        {
            "town": rng.choice(["Bern", "Basel", "Chur"], n),
            "income": rng.integers(10, 100, n) * 1000,
            "smokes": rng.random(n) < 0.3,
            "codes": rng.integers(0, 500, n),
        }
    )


def plan() -> Plan:
    """The plan of every run."""
    return understudy.plan(SCHEMA, **TERMS)


def planned() -> Fraction:
    """What the plan says that all questions cost together."""
    made = plan()
    return made.price([question for step in made.script for question in step.questions]).amount


def new_ledger(folder: Path) -> Ledger:
    """A ledger with room for a few releases."""
    words = {"epsilon": 10, "delta": "1e-5", "relation": SCHEMA.relation}
    return Ledger.create(folder / "ledger", unit="person", population="everybody", **words)


def make(folder: Path, schema: Schema = SCHEMA, **other: Any) -> understudy.Release:
    """The release that every test makes; the same command every time."""
    words: dict[str, Any] = {"ledger": folder / "ledger", "out": folder / "out", "id": ID} | TERMS | other
    return understudy.release(rows(), schema, **words)


def steps(folder: Path) -> tuple[Step, ...]:
    """The steps that the ledger charged, none if nothing is reserved."""
    book = Ledger.open(folder / "ledger")
    return book.progress(ID) if any(entry.kind == "reserve" for entry in book.entries()) else ()


def tape_lines(folder: Path) -> list[str]:
    """The whole lines of the tape, wherever it is by now."""
    for path in (folder / "out" / "tape.jsonl", folder / ".out.run" / "tape.jsonl"):
        if path.exists():
            return [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return []


def finished(folder: Path) -> None:
    """The bundle is there and holds; each step was charged once, all of them what the plan said."""
    made = understudy.verify(folder / "out", folder / "ledger")
    charged = steps(folder)
    assert [step.question for step in charged] == [digest(entry.question) for entry in made.tape]
    assert all(step.answer is not None for step in charged)
    assert sum(step.charge.amount for step in charged) == planned()
    assert not (folder / ".out.run").exists()


def digest(spec: dict[str, Any]) -> str:
    """The digest of a question on a tape."""
    return from_spec(spec).digest


class Server:
    """The client's side."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None and self.process.stdout.readline() == "ready\n"

    def run(self, folder: Path, **words: Any) -> int:
        """The exit code of one run; below zero the signal that ended it."""
        return self.runs(folder, **words)[0]

    def runs(self, folder: Path, **words: Any) -> list[int]:
        """The exit codes of all runs of a request."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"folder": str(folder), **words}) + "\n")
        self.process.stdin.flush()
        codes: list[int] = json.loads(self.process.stdout.readline())
        return codes

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=120)


def serve() -> None:
    """The server's side: one line of JSON in, one out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tempfile.TemporaryDirectory() as warm:
        new_ledger(Path(warm))
        make(Path(warm))
    print("ready", flush=True)
    for line in sys.stdin:
        words = json.loads(line)
        gate, start = os.pipe()
        children = [forked(words, gate, start) for _ in range(words.get("together", 1))]
        os.close(gate)
        os.close(start)  # all of them set off
        if "after" in words:
            time.sleep(words["after"])
            with contextlib.suppress(ProcessLookupError):  # not yet waited for, so nobody else has its number
                os.kill(children[0], words.get("signal", signal.SIGKILL))
        print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children]), flush=True)


def forked(words: dict[str, Any], gate: int, start: int) -> int:
    """A child that waits for the gate, makes the release, and leaves with its exit code."""
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        os.close(start)
        os.read(gate, 1)
        code = ended(words)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(words: dict[str, Any]) -> int:
    """The exit code of one release."""
    folder = Path(words["folder"])
    note_looks(folder)
    if "limit" in words:
        resource.setrlimit(resource.RLIMIT_FSIZE, (words["limit"], words["limit"]))
    if "call" in words:
        kill_at(words["call"], folder)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        make(folder, WIDE if words.get("wide") else SCHEMA)
    except understudy.Refusal as refusal:
        return refusal.code
    except KeyboardInterrupt:
        return 130
    finally:
        sys.setprofile(None)
    if "call" in words:
        (folder / "calls").write_text(str(CALLS[0]))
    return 0


def note_looks(folder: Path) -> None:
    """From here on every look of this process is written down before it is taken, by the digest of its question."""
    look = Vault._look
    notes = os.open(folder / f"looks.{os.getpid()}.{time.monotonic_ns()}", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def noted(self: Vault, question: Question, *entropy: Entropy) -> object:
        os.write(notes, f"{question.digest}\n".encode())
        return look(self, question, *entropy)

    Vault._look = noted  # type: ignore[assignment, method-assign]


CALLS = [0]


def kill_at(call: int, folder: Path) -> None:
    """kill -9 at a function call, of Python's or of C's; counted where it is never reached."""

    def count(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            CALLS[0] += 1
            if CALLS[0] == call:
                os.kill(os.getpid(), signal.SIGKILL)

    CALLS[0] = 0
    sys.setprofile(count)


def tape_of(folder: Path) -> Tape:
    """The tape of an interrupted run."""
    return Tape.parse("".join(tape_lines(folder)))


if __name__ == "__main__":
    serve()
