"""kill -9 at random moments: no look without a charge, no answer used without its mark, and the ledger still holds."""

import contextlib
import os
import random
import signal
import time
from fractions import Fraction
from pathlib import Path

import pytest

from understudy.privacy.charge import Charge, Measure
from understudy.privacy.ledger import Ledger
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

STEPS = 5
TENTH = Fraction(1, 10)
FOLLOW = 1.1


def note(path: Path, line: str) -> None:
    with path.open("a") as out:
        out.write(line + "\n")
        out.flush()
        os.fsync(out.fileno())


def run(path: Path, looks: Path, uses: Path, release: str) -> None:
    """Reserve, then per step: charge, look, mark the answer, use it. Forever, release after release."""
    ledger = Ledger.open(path)
    for number in range(10**6):
        name = f"{release}.{number}"
        ledger.reserve(name, Fraction(1, 10**4), Fraction(0), Relation.ADD_REMOVE, "spec")
        for step in range(STEPS):
            cost = Charge(Relation.ADD_REMOVE, Measure.PURE, Fraction(1, 10**4 * STEPS))
            ledger.charge(name, step, f"q{step}", cost)
            note(looks, f"{name} {step}")
            answer = os.urandom(8).hex()
            ledger.answered(name, step, answer)
            note(uses, f"{name} {step} {answer}")


def killed(work: object, *arguments: object, after: float) -> None:
    """Fork, let the child work, and kill it without warning."""
    child = os.fork()
    if child == 0:
        try:
            work(*arguments)  # type: ignore[operator]
        finally:
            os._exit(1)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child ended before it was killed"


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.parametrize("points", [50, pytest.param(200, marks=pytest.mark.full)])
def test_no_look_without_a_charge(tmp_path: Path, points: int) -> None:
    dice = random.Random(points)
    path, looks, uses = tmp_path / "a", tmp_path / "looks", tmp_path / "uses"
    ledger = Ledger.create(
        path, epsilon=10, delta=0, relation=Relation.ADD_REMOVE, unit="person", population="everybody"
    )
    reach, before = 0.04, 0  # seconds; longer where other work on the machine keeps a run from its first look
    for point in range(points):
        killed(run, path, looks, uses, f"r{point}", after=dice.uniform(0.002, reach))
        ledger.check()
        reach = reach * FOLLOW if len(lines(looks)) == before else max(reach / FOLLOW, 0.04)
        before = len(lines(looks))
    entries = ledger.entries()
    charged = {(e.release, str(e.step)) for e in entries if e.kind == "charge"}
    marked = {(e.release, str(e.step), e.words["answer"]) for e in entries if e.kind == "answer"}
    looked = [(name, step) for name, step in lines(looks)]
    used = [(name, step, answer) for name, step, answer in lines(uses)]
    assert len(looked) >= points // 5
    assert set(looked) <= charged
    assert len(looked) == len(set(looked))
    assert set(used) <= marked
    reserved = sum(1 for e in entries if e.kind == "reserve")
    assert ledger.left()[0] == 10 - reserved * Fraction(1, 10**4)
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_killed_run_is_taken_up_again_at_no_further_cost(tmp_path: Path) -> None:
    dice = random.Random(1)
    ledger = Ledger.create(
        tmp_path / "a", epsilon=1, delta=0, relation=Relation.ADD_REMOVE, unit="person", population="everybody"
    )

    def resume() -> None:
        receipt = ledger.reserve("r", TENTH, Fraction(0), Relation.ADD_REMOVE, "spec")
        done = ledger.progress("r")
        for step in range(100):
            if step < len(done) and done[step].answer is not None:
                continue
            ledger.charge("r", step, f"q{step}", Charge(Relation.ADD_REMOVE, Measure.PURE, TENTH / 100))
            ledger.answered("r", step, os.urandom(8).hex())
        ledger.covers(receipt)

    for _ in range(8):
        with contextlib.suppress(AssertionError):  # a child that finished first is as good
            killed(resume, after=dice.uniform(0.01, 0.05))
        ledger.check()
    resume()
    assert ledger.left()[0] == Fraction(9, 10)
    assert [step.charge.amount for step in ledger.progress("r")] == [TENTH / 100] * 100
    with pytest.raises(BudgetRefused):
        ledger.charge("r", 100, "q", Charge(Relation.ADD_REMOVE, Measure.PURE, Fraction(1, 10**9)))
    ledger.check()


def test_a_killed_creation_leaves_a_whole_ledger_or_none(tmp_path: Path) -> None:
    dice = random.Random(2)

    def create_many(folder: Path) -> None:
        for i in range(10**6):
            Ledger.create(
                folder / f"{i}.ledger", epsilon=1, delta=0, relation=Relation.ADD_REMOVE, unit="u", population="p"
            )

    for point in range(10):
        folder = tmp_path / str(point)
        folder.mkdir()
        killed(create_many, folder, after=dice.uniform(0.005, 0.05))
        for path in folder.glob("[0-9]*.ledger"):
            Ledger.open(path).check()
