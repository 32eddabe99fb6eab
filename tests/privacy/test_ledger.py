"""What the ledger grants, refuses, remembers and notices."""

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from understudy.privacy import mount
from understudy.privacy.accountant import rho_within
from understudy.privacy.chain import GENESIS, canonical, seal
from understudy.privacy.charge import Charge, Measure
from understudy.privacy.ledger import Ledger
from understudy.privacy.receipt import Receipt
from understudy.refusal import BudgetRefused, Misuse, StorageRefused, Tampered
from understudy.schema.relation import Relation

AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
TENTH, DELTA = Fraction(1, 10), Fraction(1, 10**6)


def fresh(path: Path, epsilon: object = 1, delta: object = "1e-5") -> Ledger:
    return Ledger.create(path, epsilon=epsilon, delta=delta, relation=AR, unit="patient", population="clinic 7")  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return fresh(tmp_path / "a.ledger")


def rho(amount: Fraction, delta: Fraction = Fraction(0)) -> Charge:
    return Charge(AR, Measure.ZCDP, amount, delta)


def played(path: Path) -> Ledger:
    """A ledger with two releases, three charges and two answers."""
    ledger = fresh(path)
    ledger.reserve("r1", TENTH, DELTA, AR, "spec")
    whole = rho_within(TENTH, DELTA)
    ledger.charge("r1", 0, "q0", rho(whole / 4))
    ledger.answered("r1", 0, "a0")
    ledger.reserve("r2", TENTH, Fraction(0), AR, "other")
    ledger.charge("r2", 0, "q0", Charge(AR, Measure.PURE, TENTH))
    ledger.charge("r1", 1, "q1", rho(whole / 4))
    ledger.answered("r1", 1, "a1")
    return ledger


def edit(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_new_ledger_is_whole_and_alone_in_its_folder(tmp_path: Path) -> None:
    ledger = fresh(tmp_path / "a.ledger", epsilon="1/3", delta=0.1)
    assert ledger.left() == (Fraction(1, 3), Fraction(1, 10))
    assert (ledger.unit, ledger.population, ledger.budget.relation) == ("patient", "clinic 7", AR)
    assert Ledger.open(tmp_path / "a.ledger").uid == ledger.uid
    assert len(bytes.fromhex(ledger.uid)) == 16
    assert ledger.head()[0] == 1
    assert os.listdir(tmp_path) == ["a.ledger"]
    ledger.check()


def test_create_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(StorageRefused, match="already there"):
        fresh(tmp_path / "a")
    assert (tmp_path / "a").read_text() == "mine"
    (tmp_path / "b-wal").write_text("the log of a ledger that was deleted")
    with pytest.raises(StorageRefused):
        fresh(tmp_path / "b")
    os.symlink(tmp_path / "nowhere", tmp_path / "c")
    with pytest.raises(StorageRefused):
        fresh(tmp_path / "c")
    assert not (tmp_path / "nowhere").exists()
    assert sorted(os.listdir(tmp_path)) == ["a", "b-wal", "c"]


def test_open_creates_nothing_and_takes_no_foreign_file(tmp_path: Path) -> None:
    with pytest.raises(StorageRefused, match="no ledger at"):
        Ledger.open(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    (tmp_path / "text").write_text("not a database, but long enough to have a header" * 40)
    (tmp_path / "empty").write_bytes(b"")
    edit(tmp_path / "foreign", "CREATE TABLE entry (counter)")
    for name in ("text", "empty", "foreign"):
        with pytest.raises(Tampered):
            Ledger.open(tmp_path / name)
    with pytest.raises(StorageRefused):
        Ledger.open(tmp_path)
    with pytest.raises(StorageRefused):
        fresh(tmp_path / "no" / "folder")


def test_a_reservation_is_exact_and_never_exceeds_the_budget(tmp_path: Path) -> None:
    ledger = fresh(tmp_path / "a", delta="1/100000")
    for i in range(10):
        ledger.reserve(f"r{i}", TENTH, DELTA, AR, "spec")
    assert ledger.left() == (0, 0)
    with pytest.raises(BudgetRefused, match="epsilon 0 and delta 0 left"):
        ledger.reserve("more", Fraction(1, 10**30), Fraction(0), AR, "spec")
    ledger.check()


def test_epsilon_and_delta_are_each_a_limit(tmp_path: Path) -> None:
    ledger = fresh(tmp_path / "a")
    for epsilon, delta in ((Fraction(1, 2), Fraction(1, 10**4)), (Fraction(11, 10), DELTA)):
        with pytest.raises(BudgetRefused, match="has epsilon 1 and delta 1e-05 left"):
            ledger.reserve("r", epsilon, delta, AR, "spec")
    pure = fresh(tmp_path / "b", delta=0)
    with pytest.raises(BudgetRefused):
        pure.reserve("r", TENTH, DELTA, AR, "spec")
    assert ledger.head()[0] == 1


def test_the_release_id_is_the_key(ledger: Ledger) -> None:
    receipt = ledger.reserve("r", TENTH, DELTA, AR, "spec")
    for _ in range(20):
        assert Ledger.open(ledger.path).reserve("r", TENTH, DELTA, AR, "spec") == receipt
        ledger.reserve("s", TENTH, DELTA, AR, "spec")
    assert ledger.left()[0] == Fraction(8, 10)
    for epsilon, delta, spec, reserved in (
        (TENTH / 2, DELTA, "spec", 0),
        (TENTH, DELTA / 2, "spec", 0),
        (TENTH, DELTA, "another spec", 0),
        (TENTH, DELTA, "spec", DELTA / 2),
    ):
        with pytest.raises(BudgetRefused, match="already reserved"):
            ledger.reserve("r", epsilon, delta, AR, spec, reserved)
    with pytest.raises(Misuse):
        ledger.reserve("", TENTH, DELTA, AR, "spec")


def test_relations_are_never_mixed(ledger: Ledger) -> None:
    with pytest.raises(BudgetRefused, match="neighbouring relation"):
        ledger.reserve("r", TENTH, DELTA, RO, "spec")
    ledger.reserve("r", TENTH, DELTA, AR, "spec")
    with pytest.raises(TypeError):
        ledger.charge("r", 0, "q", Charge(RO, Measure.ZCDP, Fraction(0)))
    with pytest.raises(TypeError):
        ledger.charge("r", 0, "q", Charge(AR, Measure.PURE, Fraction(0)))
    assert ledger.progress("r") == ()


def test_charges_stop_before_the_reservation_is_exceeded(ledger: Ledger) -> None:
    ledger.reserve("r", TENTH, DELTA, AR, "spec")
    whole = rho_within(TENTH, DELTA)
    for step in range(3):
        ledger.charge("r", step, "q", rho(whole / 3))
    with pytest.raises(BudgetRefused, match="may be spent"):
        ledger.charge("r", 3, "q", rho(Fraction(1, 10**40)))
    assert len(ledger.progress("r")) == 3
    ledger.check()


def test_a_pure_release_spends_epsilon(ledger: Ledger) -> None:
    ledger.reserve("r", TENTH, Fraction(0), AR, "spec")
    ledger.charge("r", 0, "q", Charge(AR, Measure.PURE, TENTH))
    with pytest.raises(BudgetRefused):
        ledger.charge("r", 1, "q", Charge(AR, Measure.PURE, Fraction(1, 10**9)))


def test_thresholds_spend_only_the_delta_that_was_reserved_for_them(ledger: Ledger) -> None:
    ledger.reserve("none", TENTH, DELTA, AR, "spec")
    with pytest.raises(BudgetRefused):
        ledger.charge("none", 0, "q", rho(Fraction(0), DELTA / 100))
    ledger.reserve("half", TENTH, DELTA, AR, "spec", reserved_delta=DELTA / 2)
    ledger.charge("half", 0, "q", rho(Fraction(0), DELTA / 2))
    with pytest.raises(BudgetRefused):
        ledger.charge("half", 1, "q", rho(rho_within(TENTH, DELTA)))
    ledger.charge("half", 1, "q", rho(rho_within(TENTH, DELTA / 2)))
    with pytest.raises(BudgetRefused):
        ledger.charge("half", 2, "q", rho(Fraction(0), DELTA / 100))
    for reserved in (DELTA, 2 * DELTA):
        with pytest.raises(BudgetRefused):
            ledger.reserve("all", TENTH, DELTA, AR, "spec", reserved)
    ledger.check()


def test_a_step_is_charged_once_and_in_order(ledger: Ledger) -> None:
    with pytest.raises(BudgetRefused, match="not reserved"):
        ledger.charge("r", 0, "q", rho(Fraction(0)))
    ledger.reserve("r", TENTH, DELTA, AR, "spec")
    small = rho(rho_within(TENTH, DELTA) / 10)
    for step in (1, -1):
        with pytest.raises(BudgetRefused, match="next step"):
            ledger.charge("r", step, "q", small)
    for _ in range(20):
        ledger.charge("r", 0, "q", small)
    assert [step.charge for step in ledger.progress("r")] == [small]
    for digest, charge in (("another", small), ("q", small + small)):
        with pytest.raises(BudgetRefused, match="another question"):
            ledger.charge("r", 0, digest, charge)
    ledger.charge("r", 1, "q", small)
    with pytest.raises(BudgetRefused):
        ledger.charge("r", 3, "q", small)


def test_an_answer_is_marked_once(ledger: Ledger) -> None:
    ledger.reserve("r", TENTH, DELTA, AR, "spec")
    with pytest.raises(BudgetRefused, match="not charged"):
        ledger.answered("r", 0, "a")
    ledger.charge("r", 0, "q", rho(Fraction(0)))
    ledger.charge("r", 1, "p", rho(Fraction(0)))
    for _ in range(3):
        ledger.answered("r", 0, "a")
    with pytest.raises(BudgetRefused, match="another answer"):
        ledger.answered("r", 0, "b")
    assert [(s.question, s.answer) for s in ledger.progress("r")] == [("q", "a"), ("p", None)]
    with pytest.raises(BudgetRefused):
        ledger.progress("unknown")


def test_a_receipt_survives_json_and_is_found_again(ledger: Ledger) -> None:
    receipt = ledger.reserve("r", TENTH, DELTA, AR, "spec")
    assert Receipt.from_json(json.loads(json.dumps(receipt.to_json()))) == receipt
    assert (receipt.counter, receipt.head) == ledger.head()
    ledger.reserve("s", TENTH, DELTA, AR, "spec")
    ledger.covers(receipt)
    forged = Receipt.from_json({**receipt.to_json(), "epsilon": "1/1000"})
    with pytest.raises(Tampered):
        ledger.covers(forged)


def test_the_export_is_enough_to_recompute_the_chain(tmp_path: Path) -> None:
    words = json.loads(json.dumps(played(tmp_path / "a").export()))
    previous = GENESIS
    for counter, entry in enumerate(words, start=1):
        payload = canonical(entry["payload"])
        assert entry["previous"] == previous
        assert entry["counter"] == counter
        previous = seal(counter, entry["kind"], entry["release"], entry["step"], payload, previous)
        assert previous == entry["digest"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET payload = replace(payload, '1/10', '1/99') WHERE counter = 2",
        "UPDATE entry SET payload = replace(payload, '\"1\"', '\"9\"') WHERE counter = 1",
        "UPDATE entry SET release = 'r9' WHERE counter = 3",
        "UPDATE entry SET step = 7 WHERE counter = 7",
        "UPDATE entry SET payload = CAST(payload AS BLOB) WHERE counter = 4",
        "UPDATE entry SET payload = CAST(x'ff00fe' AS TEXT) WHERE counter = 4",
        "UPDATE entry SET digest = 'x' WHERE counter = 5",
        "DELETE FROM entry WHERE counter = 1",
        "DELETE FROM entry WHERE counter = 3",
        "DELETE FROM entry",
        "DROP TABLE entry",
        "UPDATE entry SET counter = 99 WHERE counter = 8",
        "PRAGMA user_version = 2",
        "PRAGMA application_id = 7",
    ],
)
def test_an_edited_ledger_is_noticed(tmp_path: Path, statement: str) -> None:
    ledger = played(tmp_path / "a")
    ledger.check()
    before = (tmp_path / "a").read_bytes()
    edit(tmp_path / "a", statement)
    assert (tmp_path / "a").read_bytes() != before
    with pytest.raises(Tampered):
        ledger.check()
    with pytest.raises(Tampered):
        Ledger.open(tmp_path / "a").check()
    with pytest.raises(Tampered):
        ledger.reserve("r3", TENTH, DELTA, AR, "spec")


def test_any_flipped_byte_of_any_payload_is_noticed(tmp_path: Path) -> None:
    """Every byte of every payload in turn, changed in the file itself."""
    path = tmp_path / "a"
    ledger = played(path)
    payloads = [entry.payload.encode() for entry in ledger.entries()]
    whole = path.read_bytes()
    flipped = 0
    for payload in payloads:
        start = whole.index(payload)
        for place in range(start, start + len(payload), 7):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(Tampered):
                ledger.check()
            flipped += 1
    assert flipped > 100
    path.write_bytes(whole)
    ledger.check()


def reseal(path: Path, change: Callable[[list[list[object]]], None]) -> None:
    """A forger who knows the format: changes the rows, then recomputes every digest."""
    connection = sqlite3.connect(path)
    rows = [list(row) for row in connection.execute("SELECT kind, release, step, payload FROM entry ORDER BY counter")]
    change(rows)
    connection.execute("DELETE FROM entry")
    previous = GENESIS
    for counter, (kind, release, step, payload) in enumerate(rows, start=1):
        digest = seal(counter, str(kind), str(release), int(str(step)), str(payload), previous)
        connection.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", (counter, kind, release, step, payload, previous, digest)
        )
        previous = digest
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[1].__setitem__(3, str(rows[1][3]).replace("1/10", "11/10")),
        lambda rows: rows[2].__setitem__(3, str(rows[2][3]).replace('"spent"', '"other"')),
        lambda rows: rows[6].__setitem__(3, str(rows[6][3]).replace("/", "0/")),
        lambda rows: rows.append(["charge", "r1", 5, rows[2][3]]),
        lambda rows: rows.append(["answer", "r1", 9, rows[3][3]]),
        lambda rows: rows.append(["refund", "r1", 0, "{}"]),
        lambda rows: rows.append(["charge", "nobody", 0, rows[2][3]]),
        lambda rows: rows.append(["reserve", "r4", 0, "null"]),
        lambda rows: rows.insert(0, ["reserve", "r4", 0, "{}"]),
        lambda rows: rows.pop(2),
        lambda rows: rows.clear(),
    ],
)
def test_a_resealed_history_that_was_never_allowed_is_noticed(
    tmp_path: Path, change: Callable[[list[list[object]]], None]
) -> None:
    ledger = played(tmp_path / "a")
    reseal(tmp_path / "a", change)
    with pytest.raises(Tampered):
        ledger.check()
    with pytest.raises(Tampered):
        Ledger.open(tmp_path / "a").check()


def test_a_raised_budget_is_noticed_even_when_resealed(tmp_path: Path) -> None:
    """Consistent in itself, so only what is kept outside shows it: an open ledger, or a receipt."""
    ledger = played(tmp_path / "a")
    receipt = ledger.reserve("r1", TENTH, DELTA, AR, "spec")
    reseal(
        tmp_path / "a", lambda rows: rows[0].__setitem__(3, str(rows[0][3]).replace('"epsilon":"1"', '"epsilon":"9"'))
    )
    with pytest.raises(Tampered, match="another ledger"):
        ledger.reserve("r3", TENTH, DELTA, AR, "spec")
    forged = Ledger.open(tmp_path / "a")
    assert forged.budget.epsilon == 9
    with pytest.raises(Tampered):
        forged.covers(receipt)


def test_an_older_copy_put_back_is_noticed_by_its_receipts(tmp_path: Path) -> None:
    path = tmp_path / "a"
    ledger = played(path)
    shutil.copy(path, tmp_path / "backup")
    old = ledger.reserve("r1", TENTH, DELTA, AR, "spec")
    new = ledger.reserve("r3", TENTH, DELTA, AR, "spec")
    shutil.copy(tmp_path / "backup", path)
    restored = Ledger.open(path)
    restored.check()
    restored.covers(old)
    with pytest.raises(Tampered, match="older copy"):
        restored.covers(new)
    # and spending on in the restored copy does not bring the old head back
    restored.reserve("r4", TENTH, DELTA, AR, "spec")
    with pytest.raises(Tampered, match="older copy"):
        restored.covers(new)


def test_another_ledger_in_its_place_is_noticed(tmp_path: Path) -> None:
    ledger, other = played(tmp_path / "a"), played(tmp_path / "b")
    receipt = ledger.reserve("r1", TENTH, DELTA, AR, "spec")
    with pytest.raises(Tampered):
        other.covers(receipt)
    shutil.copy(tmp_path / "b", tmp_path / "a")
    for act in (ledger.left, ledger.head, ledger.check, lambda: ledger.charge("r1", 2, "q", rho(Fraction(0)))):
        with pytest.raises(Tampered, match="another ledger"):
            act()


def test_a_network_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(mount, "MOUNTS", mounts)
    shared = tmp_path / "a b"
    shared.mkdir()
    escaped = str(shared).replace(" ", "\\040")
    for kind in ("nfs4", "cifs", "fuse.sshfs"):
        mounts.write_text(f"/dev/sda / ext4 rw 0 0\nhost:/x {escaped} {kind} rw 0 0\n")
        with pytest.raises(StorageRefused, match="network"):
            fresh(shared / "ledger")
    fresh(tmp_path / "local")
    mounts.unlink()
    fresh(shared / "ledger")


def test_threads_and_forked_children_use_the_same_ledger(ledger: Ledger) -> None:
    """A child that forks while the parent's threads write must find an undamaged ledger and its own connection."""
    ledger.reserve("r", TENTH, DELTA, AR, "spec")

    def spend(name: str) -> None:
        for i in range(15):
            ledger.reserve(f"{name}{i}", Fraction(1, 1000), Fraction(0), AR, "spec")

    threads = [threading.Thread(target=spend, args=(f"thread{t} ",)) for t in range(3)]
    for thread in threads:
        thread.start()
    children = []
    for c in range(5):
        child = os.fork()
        if child == 0:
            try:
                ledger.reserve(f"child{c}", Fraction(1, 1000), Fraction(0), AR, "spec")
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 5
    for thread in threads:
        thread.join()
    ledger.check()
    assert ledger.left()[0] == Fraction(9, 10) - Fraction(50, 1000)


def test_no_refusal_quotes_more_than_the_caller_and_the_ledger_said(ledger: Ledger) -> None:
    with pytest.raises(BudgetRefused) as refused:
        ledger.reserve("r", 2, DELTA, AR, "spec")
    assert str(refused.value) == (
        "the ledger has epsilon 1 and delta 1e-05 left; the release asks for epsilon 2 and delta 1e-06; "
        "ask for no more than is left; what was spent is never given back"
    )
