"""kill -9 and Ctrl-C anywhere in a release: nothing is seen uncharged, nothing is charged twice, a rerun finishes.

Points are drawn by the clock (most of it is waiting for the disk) and by the function call (every stage has its share).
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from release_runs import ID, Server, finished, make, new_ledger, planned, steps, tape_lines

import understudy
from understudy.privacy.ledger import Ledger

POINTS = [(20, 0), *(pytest.param(50, part, marks=pytest.mark.full) for part in (1, 2, 3, 4))]  # 200, in four parts
FOLLOW = 1.1  # a run that was through in time makes the next points earlier: other work on the machine comes and goes


@pytest.fixture(scope="module")
def whole(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """How long a whole release is, in seconds and in calls."""
    folders = [tmp_path_factory.mktemp("whole") for _ in range(2)]
    for folder in folders:
        new_ledger(folder)
    began = time.monotonic()
    assert server.run(folders[0]) == 0
    seconds = time.monotonic() - began
    assert server.run(folders[1], call=-1) == 0
    for folder in folders:
        finished(folder)
    return {"after": seconds, "call": int((folders[1] / "calls").read_text())}


def sound(folder: Path) -> None:
    """What holds after any end: the ledger, each process's looks under charges, the bundle whole or not there."""
    Ledger.open(folder / "ledger").check()
    charged = steps(folder)
    assert sum(step.charge.amount for step in charged) <= planned()
    for notes in folder.glob("looks.*"):
        looked = notes.read_text().split()
        assert len(looked) <= len(charged)
        assert set(looked) <= {step.question for step in charged}
    if (folder / "out").exists():
        understudy.verify(folder / "out", folder / "ledger")


def ended_and_taken_up(server: Server, folder: Path, ends: list[dict[str, float]]) -> int:
    """End some runs, then let one finish; how many were ended before they were through."""
    new_ledger(folder)
    before: list[str] = []
    ended = 0
    for end in ends:
        code = server.run(folder, **end)
        assert code in (-9, 130, 0, 5)  # through already, or so far through that the bundle is there
        ended += code in (-9, 130)
        sound(folder)
        assert tape_lines(folder)[: len(before)] == before, "an answer that was recorded stays"
        before = tape_lines(folder)
        if code == 0 or (folder / "out").exists():
            break
    if not (folder / "out").exists():
        assert server.run(folder) == 0
        finished(folder)
        sound(folder)
        assert tape_lines(folder)[: len(before)] == before, "no noise is drawn twice"
    understudy.verify(folder / "out", folder / "ledger")
    return ended


@pytest.mark.parametrize(("points", "part"), POINTS)
@pytest.mark.parametrize("by", ["after", "call"])
def test_a_killed_release(
    server: Server, whole: dict[str, float], by: str, points: int, part: int, tmp_path: Path
) -> None:
    dice = random.Random(part)
    killed = attempts = 0
    reach = whole[by]
    while killed < points:
        ends = [{by: dice.uniform(0, reach)} for _ in range(dice.choice([1, 1, 2, 3]))]
        ends = [{"call": int(end["call"]) + 1} if by == "call" else end for end in ends]
        folder = tmp_path / str(attempts)
        folder.mkdir()
        ended = ended_and_taken_up(server, folder, ends)
        killed += ended
        reach *= FOLLOW if ended else 1 / FOLLOW
        attempts += 1
        assert attempts < 3 * points, "most points lie within the run"


@pytest.mark.parametrize("points", [10, pytest.param(50, marks=pytest.mark.full)])
def test_an_interrupted_release(server: Server, whole: dict[str, float], points: int, tmp_path: Path) -> None:
    dice = random.Random(points)
    interrupted = attempts = 0
    reach = whole["after"]
    while interrupted < points:
        folder = tmp_path / str(attempts)
        folder.mkdir()
        end = {"after": dice.uniform(0, reach), "signal": signal.SIGINT}
        ended = ended_and_taken_up(server, folder, [end])
        interrupted += ended
        reach *= FOLLOW if ended else 1 / FOLLOW
        assert list(folder.glob(".*making*")) == [], "unlike a kill, an interrupt cleans up"
        attempts += 1
        assert attempts < 3 * points


def test_an_interrupted_release_of_other_terms_is_refused(server: Server, tmp_path: Path) -> None:
    """The same id, the same place, another epsilon: neither charged nor looked at."""
    new_ledger(tmp_path)
    call = 100
    while len(tape_lines(tmp_path)) < 3:
        assert server.run(tmp_path, call=call) == -9
        call = int(call * 1.2)
    before, looks = steps(tmp_path), len(list(tmp_path.glob("looks.*")))
    with pytest.raises(understudy.Refusal) as refused:
        make(tmp_path, epsilon="4")
    assert refused.value.code == 3
    assert ID in str(refused.value)
    assert steps(tmp_path) == before
    assert server.run(tmp_path) == 0
    finished(tmp_path)
    assert len(list(tmp_path.glob("looks.*"))) == looks + 1


def test_what_a_killed_writer_left_does_not_stand_in_the_way(tmp_path: Path) -> None:
    """In a container every run has the same process number, and so the same temporary name."""
    new_ledger(tmp_path)
    left = tmp_path / f".out.making-{os.getpid()}"
    left.mkdir()
    (left / "half.parquet").write_bytes(b"PAR1")
    make(tmp_path)
    finished(tmp_path)
    assert not left.exists()


@pytest.mark.parametrize("recipe", sorted(set(understudy.recipes()) - {"independent"}))
@pytest.mark.full
def test_a_killed_release_of_every_other_recipe(recipe: str, tmp_path: Path) -> None:
    """Players that fit are taken up too: a process of its own for each run, since JAX does not stand a fork."""
    program = (
        "import sys, numpy, pyarrow as pa, understudy\n"
        "from pathlib import Path\n"
        "from understudy.schema.read import from_dict\n"
        "schema = from_dict({'table': {'unit': 'person'}, 'columns': {c: {'kind': 'boolean'} for c in 'abcd'}})\n"
        "data = pa.table({c: numpy.random.default_rng(0).random(500) < 0.3 for c in 'abcd'})\n"
        "folder = Path(sys.argv[1])\n"
        "understudy.release(data, schema, epsilon=1, delta='1e-6', recipe=sys.argv[2], id='the release',\n"
        "    ledger=folder / 'ledger', out=folder / 'out')\n"
    )
    dice = random.Random(recipe)
    new_ledger(tmp_path)
    command = [sys.executable, "-c", program, str(tmp_path), recipe]
    before: list[str] = []
    for _ in range(6):
        run = subprocess.Popen(command)
        waited = time.monotonic() + dice.uniform(0.5, 6)
        while run.poll() is None and time.monotonic() < waited:
            time.sleep(0.01)
        if run.poll() is not None:
            break
        run.kill()
        run.wait()
        Ledger.open(tmp_path / "ledger").check()
        assert tape_lines(tmp_path)[: len(before)] == before
        before = tape_lines(tmp_path)
    if not (tmp_path / "out").exists():
        assert subprocess.run(command).returncode == 0
    made = understudy.verify(tmp_path / "out", tmp_path / "ledger")
    assert tape_lines(tmp_path)[: len(before)] == before
    assert len(steps(tmp_path)) == len(made.tape)
