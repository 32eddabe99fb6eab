"""The tape is what a release is: lost, exchanged or torn, it is refused or taken up, and no noise is drawn twice."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from release_runs import ID, SCHEMA, Server, finished, make, new_ledger, rows, steps, tape_lines, tape_of

import understudy
from understudy.privacy.ledger import Ledger
from understudy.refusal import BudgetRefused, Refusal, StorageRefused, Tampered
from understudy.vault.vault import Vault

LAST = "certifying the rows"


class Stop(Exception):
    """The run ends here."""


def stopping(at: str = LAST) -> Callable[[str], None]:
    """A log that ends the run at one of its words."""

    def tell(words: str) -> None:
        if words == at:
            raise Stop

    return tell


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    """A release that was interrupted before its certificate: five answers are on its tape."""
    new_ledger(tmp_path)
    with pytest.raises(Stop):
        make(tmp_path, tell=stopping())
    assert len(tape_of(tmp_path)) == 5
    return tmp_path


def tape(folder: Path) -> Path:
    return folder / ".out.run" / "tape.jsonl"


def test_what_was_answered_is_not_asked_again(interrupted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    look = Vault._look
    monkeypatch.setattr(
        Vault, "_look", lambda vault, question, *coins: (looked.append(question.kind), look(vault, question, *coins))[1]
    )
    before = tape_lines(interrupted)
    make(interrupted)
    assert looked == ["worst_cell", "variations"]
    assert tape_lines(interrupted)[: len(before)] == before
    finished(interrupted)


def test_an_interrupted_run_is_taken_up_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Stopped at every word in turn: the same questions, the same prices, and one answer to each."""
    told: list[str] = []
    new_ledger(tmp_path)
    make(tmp_path, tell=told.append)
    whole = understudy.read_bundle(tmp_path / "out").tape
    for i, words in enumerate(dict.fromkeys(told)):
        folder = tmp_path / str(i)
        folder.mkdir()
        new_ledger(folder)
        with pytest.raises(Stop):
            make(folder, tell=stopping(words))
        make(folder)
        finished(folder)
        again = understudy.read_bundle(folder / "out").tape
        assert [(e.kind, e.charge) for e in again] == [(e.kind, e.charge) for e in whole]


def lose(path: Path) -> None:
    path.unlink()


def lose_everything(path: Path) -> None:
    shutil.rmtree(path.parent)


def shorten(path: Path) -> None:
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def empty(path: Path) -> None:
    path.write_text("")


def edit(path: Path) -> None:
    path.write_text(path.read_text().replace('"counts":[', '"counts":[1', 1))


def garble(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\n")


LOSSES = {
    "the tape is gone": (lose, BudgetRefused),
    "the whole working folder is gone": (lose_everything, BudgetRefused),
    "its last answer is gone": (shorten, BudgetRefused),
    "it is empty": (empty, BudgetRefused),
    "an answer was edited": (edit, Tampered),
    "it is no tape": (garble, Tampered),
}


@pytest.mark.parametrize(("damage", "refusal"), LOSSES.values(), ids=list(LOSSES))
def test_a_lost_tape_is_refused(
    damage: Callable[[Path], None], refusal: type[Refusal], interrupted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers may have been seen: whoever cannot show them does not get others under the same charge."""
    charged = steps(interrupted)
    damage(tape(interrupted))
    monkeypatch.setattr(Vault, "_look", lambda *look: pytest.fail("a look"))
    for _ in range(2):
        with pytest.raises(refusal):
            make(interrupted)
    assert steps(interrupted) == charged
    assert not (interrupted / "out").exists()


def test_a_tape_of_another_run_is_refused(interrupted: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    new_ledger(other)
    with pytest.raises(Stop):
        make(other, tell=stopping())
    shutil.copy(tape(other), tape(interrupted))
    charged = steps(interrupted)
    with pytest.raises(BudgetRefused):
        make(interrupted)
    shutil.copy(tape(other).with_name("intent.json"), tape(interrupted).with_name("intent.json"))
    with pytest.raises(Refusal):
        make(interrupted)
    assert steps(interrupted) == charged


@pytest.mark.parametrize("answers", range(-1, 5))
def test_a_torn_line_is_cut_off(answers: int, tmp_path: Path) -> None:
    """Torn in the header, or behind any answer: the crash came before anybody used the line."""
    new_ledger(tmp_path)
    stop = {-1: "counting rows", 0: "discovering column 'town'"}
    with pytest.raises(Stop):
        make(tmp_path, tell=stopping(stop.get(answers, LAST)))
    path = tape(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    if answers <= 0:  # nothing was answered yet: the header may be torn
        fresh(tmp_path)
        with pytest.raises(Stop):
            make(tmp_path, tell=stopping(stop[0]))
        lines = path.read_text().splitlines(keepends=True)
        path.write_text(lines[0][:-20] if answers == -1 else lines[0] + '{"answer":{"cou')
        lines = lines[: answers + 1]
    else:
        path.write_text("".join(lines) + '{"answer":{"cou')
    with pytest.raises(Stop):  # what is written behind the cut is whole, too
        make(tmp_path, tell=stopping("writing the bundle"))
    make(tmp_path)
    finished(tmp_path)
    assert tape_lines(tmp_path)[: len(lines)] == lines


def fresh(folder: Path) -> None:
    """As if nothing had been run here."""
    shutil.rmtree(folder / ".out.run")
    for path in folder.glob("ledger*"):
        path.unlink()
    new_ledger(folder)


def test_an_answer_that_was_recorded_and_not_marked_is_used(interrupted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the tape and the ledger's mark: the recorded answer stands."""
    monkeypatch.setattr(Ledger, "answered", lambda *words: (_ for _ in ()).throw(Stop()) if words[2] == 5 else None)
    with pytest.raises(Stop):
        make(interrupted)
    monkeypatch.undo()
    before = tape_lines(interrupted)
    assert len(before) == 7
    make(interrupted)
    assert tape_lines(interrupted)[:7] == before
    finished(interrupted)


OTHERS = {
    "another epsilon": {"epsilon": "2"},
    "another delta": {"delta": "1e-7"},
    "another size": {"rows": 299},
    "another workload": {"workload": "2way"},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=list(OTHERS))
def test_the_same_id_for_anything_else_is_refused(other: dict[str, object], tmp_path: Path) -> None:
    new_ledger(tmp_path)
    make(tmp_path)
    charged = steps(tmp_path)
    with pytest.raises(BudgetRefused) as refused:
        make(tmp_path, out=tmp_path / "second", **other)
    assert refused.value.code == 3
    assert steps(tmp_path) == charged
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ledger", "out"]
    make(tmp_path, out=tmp_path / "second", id="another release")


def test_the_same_id_at_another_place_is_refused(tmp_path: Path) -> None:
    """Its answers are elsewhere, and were used: others are not drawn under the same charge."""
    new_ledger(tmp_path)
    make(tmp_path)
    with pytest.raises(BudgetRefused):
        make(tmp_path, out=tmp_path / "second")
    assert not (tmp_path / "second").exists()
    finished(tmp_path)


@pytest.mark.parametrize("there", ["a bundle", "an empty folder", "a file"])
def test_what_is_there_is_refused_before_any_charge(there: str, tmp_path: Path) -> None:
    book = new_ledger(tmp_path)
    if there == "a bundle":
        make(tmp_path, id="an earlier one")
    elif there == "a file":
        (tmp_path / "out").write_text("mine")
    else:
        (tmp_path / "out").mkdir()
    before = book.head()
    with pytest.raises(StorageRefused):
        make(tmp_path)
    assert book.head() == before


class Slow:
    """A private table that takes long to read: another run of the same command comes and goes meanwhile."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __arrow_c_stream__(self, requested: object = None) -> object:
        if not (self.folder / "out").exists():
            make(self.folder)
        return rows().__arrow_c_stream__(requested)


def test_what_came_while_the_rows_were_read_is_refused_before_any_charge(tmp_path: Path) -> None:
    book = new_ledger(tmp_path)
    words = {"epsilon": 1, "delta": "1e-6", "recipe": "independent", "ledger": book.path, "out": tmp_path / "out"}
    with pytest.raises(StorageRefused):
        understudy.release(Slow(tmp_path), SCHEMA, **words)
    assert {entry.release for entry in book.entries()} == {"", ID}
    finished(tmp_path)


def test_two_runs_at_the_same_place(tmp_path: Path) -> None:
    """While one is at work there, the other is refused, and charges nothing."""
    book = new_ledger(tmp_path)
    refused: list[str] = []

    def tell(words: str) -> None:
        before = book.head()
        if words == LAST:
            with pytest.raises(StorageRefused) as busy:
                make(tmp_path, id="another release")
            refused.append(str(busy.value))
            assert book.head() == before

    make(tmp_path, tell=tell)
    finished(tmp_path)
    (words,) = refused
    assert "another run is at work" in words


@pytest.mark.parametrize("races", [3, pytest.param(30, marks=pytest.mark.full)])
def test_five_processes_at_the_same_place(server: Server, races: int, tmp_path: Path) -> None:
    for race in range(races):
        folder = tmp_path / str(race)
        folder.mkdir()
        new_ledger(folder)
        assert sorted(server.runs(folder, together=5)) == [0, 5, 5, 5, 5]
        finished(folder)


def test_an_intent_that_is_no_intent_is_refused_in_words(interrupted: Path) -> None:
    """The tape's coin is in it; a run that cannot read it does not start another under the same id."""
    intent = interrupted / ".out.run" / "intent.json"
    whole = intent.read_text()
    for broken in (
        "",
        "{",
        "[]",
        json.dumps({"coin": "x"}),
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ):
        intent.write_text(broken)
        with pytest.raises(Refusal):
            make(interrupted)
    intent.write_text(whole)
    make(interrupted)
    finished(interrupted)


def test_rows_that_changed_between_the_runs_change_no_answer(interrupted: Path) -> None:
    """A run is taken up over the table as it is then: what was answered stays."""
    before = tape_lines(interrupted)
    words = {"epsilon": "3", "delta": "1e-6", "recipe": "independent", "workload": "1way", "rows": 300, "id": ID}
    none: pa.Table = rows().slice(0, 0)
    understudy.release(none, SCHEMA, ledger=interrupted / "ledger", out=interrupted / "out", **words)
    assert tape_lines(interrupted)[: len(before)] == before
    finished(interrupted)
