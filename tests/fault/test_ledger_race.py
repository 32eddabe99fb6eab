"""Forty processes race for ten releases' worth of budget: exactly ten win."""

import multiprocessing
from fractions import Fraction
from multiprocessing.synchronize import Barrier
from pathlib import Path

from understudy.privacy.charge import Charge, Measure
from understudy.privacy.ledger import Ledger
from understudy.refusal import BudgetRefused
from understudy.schema.relation import Relation

FORK = multiprocessing.get_context("fork")
TENTH, DELTA = Fraction(1, 10), Fraction(1, 10**6)
CODES = {"granted": 0, "refused": 3}


def race(work: list[tuple[object, ...]], target: object) -> list[int]:
    """Run target(barrier, *arguments) in one process each, all released at once; the exit codes."""
    barrier = FORK.Barrier(len(work))
    runners = [FORK.Process(target=target, args=(barrier, *arguments)) for arguments in work]  # type: ignore[arg-type]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return [runner.exitcode or 0 for runner in runners]


def reserve(barrier: Barrier, path: Path, release: str) -> None:
    barrier.wait()
    try:
        ledger = Ledger.open(path)
        ledger.reserve(release, TENTH, DELTA, Relation.ADD_REMOVE, "spec")
        ledger.charge(release, 0, "q", Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(0)))
        ledger.answered(release, 0, "a")
    except BudgetRefused:
        raise SystemExit(CODES["refused"]) from None


def answer(barrier: Barrier, path: Path, mine: str) -> None:
    ledger = Ledger.open(path)
    barrier.wait()
    ledger.charge("r", 0, "q", Charge(Relation.ADD_REMOVE, Measure.ZCDP, Fraction(0)))
    try:
        ledger.answered("r", 0, mine)
    except BudgetRefused:
        raise SystemExit(CODES["refused"]) from None


def new(path: Path) -> Ledger:
    return Ledger.create(
        path, epsilon=1, delta="1e-5", relation=Relation.ADD_REMOVE, unit="person", population="everybody"
    )


def test_forty_processes_ten_grants(tmp_path: Path) -> None:
    ledger = new(tmp_path / "a")
    codes = race([(ledger.path, f"release {i}") for i in range(40)], reserve)
    assert sorted(codes) == [CODES["granted"]] * 10 + [CODES["refused"]] * 30
    assert ledger.left() == (0, 0)
    kinds = [entry.kind for entry in ledger.entries()]
    assert [kinds.count(kind) for kind in ("reserve", "charge", "answer")] == [10, 10, 10]
    ledger.check()


def test_one_release_run_twenty_times_at_once_is_reserved_once(tmp_path: Path) -> None:
    ledger = new(tmp_path / "a")
    assert race([(ledger.path, "the same")] * 20, reserve) == [CODES["granted"]] * 20
    assert ledger.left()[0] == Fraction(9, 10)
    assert len(ledger.entries()) == 4
    ledger.check()


def test_two_runs_of_one_release_can_use_only_one_answer(tmp_path: Path) -> None:
    """Each draws its own noise for the step that is charged once; all but the first are refused before use."""
    ledger = new(tmp_path / "a")
    ledger.reserve("r", TENTH, DELTA, Relation.ADD_REMOVE, "spec")
    codes = race([(ledger.path, f"noise {i}") for i in range(8)], answer)
    assert sorted(codes) == [CODES["granted"]] + [CODES["refused"]] * 7
    assert ledger.progress("r")[0].answer == f"noise {codes.index(0)}"
    ledger.check()


def create(barrier: Barrier, path: Path) -> None:
    barrier.wait()
    try:
        new(path)
    except Exception as refusal:
        raise SystemExit(getattr(refusal, "code", 99)) from None


def test_of_twenty_who_create_one_ledger_one_does(tmp_path: Path) -> None:
    codes = race([(tmp_path / "a",)] * 20, create)
    assert sorted(codes) == [0] + [5] * 19
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    Ledger.open(tmp_path / "a").check()
