"""The gate: it knows what it is asked, charges before it looks, and the vault shows nothing to anybody else.

What the ledger refuses is not looked at; two tables that fail differently are refused in the same words.
"""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from replaying import looks

import understudy
from understudy.noise.entropy import Seeded
from understudy.privacy.accountant import Budget
from understudy.privacy.charge import Charge
from understudy.privacy.ledger import Ledger
from understudy.question.bound import WorstCell
from understudy.question.categories import Categories
from understudy.question.count import Count
from understudy.question.marginals import Marginals
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Threshold
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.refusal import BudgetRefused, Infeasible, Misuse, Refusal, StorageRefused, Tampered
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation
from understudy.vault.gate import Gate
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault

SCHEMA = from_dict(
    {
        "table": {"unit": "person", "name": "clinic"},
        "columns": {
            "sex": {"kind": "categorical", "values": ["f", "m"]},
            "town": {"kind": "categorical", "discover": True},
        },
    }
)
ROWS = pa.table({"sex": ["f", "m", "m"], "town": ["Bern", "Bern", "Basel"]})
BUDGET = Budget(Fraction(1), Fraction(1, 10**6), Relation.ADD_REMOVE)
LOUD, QUIET = DiscreteGaussian(Fraction(1, 10**6)), DiscreteGaussian(Fraction(10**4))
COUNT = Count(QUIET)


class Stub:
    """A ledger that writes down what it was asked, and fails where it is told to."""

    def __init__(self, events: list[str], fails: str = ""):
        self.events, self.fails = events, fails

    def progress(self, release: str) -> tuple[object, ...]:
        return ()

    def charge(self, release: str, step: int, digest: str, charge: Charge) -> None:
        self.note("charge")

    def answered(self, release: str, step: int, digest: str) -> None:
        self.note("answered")

    def note(self, event: str) -> None:
        self.events.append(event)
        if event == self.fails:
            raise StorageRefused("the disk is full", "make room")


def gate(ledger: object, vault: Vault | None = None, budget: Budget = BUDGET) -> Gate:
    return Gate(vault or Vault(ROWS, SCHEMA), ledger, Tape({"release": "r"}), budget, Seeded(0))  # type: ignore[arg-type]


def real(folder: Path) -> Ledger:
    """A ledger with the release reserved, a part of its delta for thresholds."""
    words = {"epsilon": 1, "delta": "1e-6", "relation": Relation.ADD_REMOVE}
    ledger = Ledger.create(folder / "ledger", unit="person", population="all", **words)
    ledger.reserve("r", 1, "1e-6", Relation.ADD_REMOVE, "spec", "1e-7")
    return ledger


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens during an ask, in order."""
    happened: list[str] = []
    look, append = Vault._look, Tape.append

    def looked(self: Vault, question: Question, *entropy: object) -> object:
        happened.append("look")
        return look(self, question, *entropy)

    def taped(self: Tape, *words: object) -> object:
        happened.append("tape")
        return append(self, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(Vault, "_look", looked)
    monkeypatch.setattr(Tape, "append", taped)
    return happened


def test_the_order_of_an_ask(events: list[str]) -> None:
    gate(Stub(events)).ask(COUNT)
    assert events == ["charge", "look", "tape", "answered"]


def test_what_cannot_be_charged_is_not_looked_at(events: list[str]) -> None:
    door = gate(Stub(events, fails="charge"))
    with pytest.raises(StorageRefused):
        door.ask(COUNT)
    assert events == ["charge"]
    assert len(door.tape) == 0


def test_noise_that_cannot_be_drawn_is_refused_before_it_is_charged(events: list[str]) -> None:
    for mechanism in (DiscreteGaussian(Fraction(1, 2**60)), DiscreteLaplace(Fraction(2**60)), Gumbel(Fraction(2**60))):
        with pytest.raises(Infeasible, match="outside"):
            gate(Stub(events)).ask(replace(COUNT, mechanism=mechanism))
    assert events == []


def test_an_answer_that_is_not_recorded_is_not_given(events: list[str]) -> None:
    with pytest.raises(StorageRefused):
        gate(Stub(events, fails="answered")).ask(COUNT)
    assert events == ["charge", "look", "tape", "answered"]


@dataclass(frozen=True)
class Lying(Count):
    """A subclass of a known question, with a price of its own."""

    def sensitivity(self, rows: int, relation: Relation) -> object:
        return replace(super().sensitivity(rows, relation), l1=0, l2sq=0, linf=0)


@dataclass(frozen=True)
class Unknown(Question):
    """A question of a kind that nobody registered."""

    kind = "everything"

    def sensitivity(self, rows: int, relation: Relation) -> object:
        return Count(Exact()).sensitivity(rows, relation)

    def statistic(self, rows: object) -> object:
        return np.array([len(rows)])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fickle(DiscreteGaussian):
    """Noise that has one scale when it is priced, and another when it is drawn."""

    def __getattribute__(self, name: str) -> object:
        if name == "sigma2":
            calls.append(name)
            return Fraction(10**6) if len(calls) < 3 else Fraction(1, 10**9)
        return super().__getattribute__(name)


calls: list[str] = []
STRANGE = {
    "a kind that nobody registered": (Unknown(QUIET), Misuse),
    "a subclass of a known kind": (Lying(Exact()), Misuse),
    "a look-alike": (SimpleNamespace(kind="count", mechanism=QUIET, statistic=len), Misuse),
    "a mechanism that changes its mind": (Count(Fickle(Fraction(1))), Misuse),
    "an open list without a threshold": (Categories(QUIET, "town"), BudgetRefused),
    "an open list, exact": (Categories(Exact(), "town"), BudgetRefused),
    "an open list by selection": (Categories(Gumbel(Fraction(10**4)), "town"), BudgetRefused),
    "a count, exact": (Count(Exact()), BudgetRefused),
    "a marginal, exact": (Marginals(Exact(), (("sex",),)), BudgetRefused),
    "a bound, exact": (WorstCell(Exact(), (("sex",),), Reference("x"), 5, 5), BudgetRefused),
    "a choice, exact": (Select(Exact(), (("sex",),), Reference("x")), BudgetRefused),
    "noise of no scale": (Count(DiscreteGaussian(Fraction(0))), BudgetRefused),
    "noise of a scale below nothing": (Count(DiscreteLaplace(Fraction(-1))), BudgetRefused),
    "more than there is": (Count(LOUD), BudgetRefused),
    "a threshold that everything passes": (Categories(Threshold(Fraction(10**4), 1), "town"), BudgetRefused),
}


@pytest.mark.parametrize(("question", "refusal"), STRANGE.values(), ids=list(STRANGE))
def test_the_gate_refuses_before_it_looks(question: Question, refusal: type[Refusal], tmp_path: Path) -> None:
    ledger = real(tmp_path)
    before = ledger.head()
    with looks() as looked, pytest.raises(refusal):
        gate(ledger).ask(question)
    assert looked == []
    assert ledger.head() == before, "what is refused is not charged"


def test_what_is_sound_is_answered(tmp_path: Path) -> None:
    door = gate(real(tmp_path))
    asked = [COUNT, Count(DiscreteLaplace(Fraction(10**4))), Categories(Threshold(Fraction(10**4), 10**6), "town")]
    assert [door.ask(question) for question in asked][2] == {}
    assert [entry.kind for entry in door.tape] == ["count", "count", "categories"]


def test_a_budget_of_another_relation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BudgetRefused):
        gate(real(tmp_path), budget=replace(BUDGET, relation=Relation.REPLACE_ONE))


def test_a_question_that_differs_from_the_tape_is_refused(tmp_path: Path) -> None:
    ledger, vault = real(tmp_path), Vault(ROWS, SCHEMA)
    first = gate(ledger, vault)
    first.ask(COUNT)
    again = Gate(vault, ledger, Tape.parse(first.tape.text()), BUDGET, Seeded(1))
    with looks() as looked, pytest.raises(Tampered):
        again.ask(Marginals(QUIET, (("sex",),)))
    assert looked == []


def test_whoever_plays_on_sees_an_answer_when_it_is_told_again(tmp_path: Path) -> None:
    """A player tells from the tape what to ask next: of an interrupted run it must not see what is still to come."""
    ledger, vault = real(tmp_path), Vault(ROWS, SCHEMA)
    first = gate(ledger, vault)
    told = [first.ask(COUNT), first.ask(Count(DiscreteLaplace(Fraction(10**4))))]
    again = Gate(vault, ledger, Tape.parse(first.tape.text()), BUDGET, Seeded(1))
    assert len(again.tape) == 0
    assert again.ask(COUNT) == told[0]
    assert [entry.kind for entry in again.tape] == ["count"]
    assert again.tape.text() == first.tape.text()


BIG = Vault(pa.table({"sex": ["m"] * 99, "town": ["Geneva"] * 99}), SCHEMA)
SIGHTS: dict[str, Callable[[Vault], object]] = {
    "its length": len,
    "its rows, one by one": iter,
    "a row": lambda vault: vault[0],  # type: ignore[index]
    "whether a value is in it": lambda vault: "Bern" in vault,  # type: ignore[operator]
    "its bytes": pickle.dumps,
    "a copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "its attributes": vars,
    "a column": lambda vault: vault.sex,  # type: ignore[attr-defined]
    "its rows by name": lambda vault: vault.__rows,  # type: ignore[attr-defined]
    "a frame": lambda vault: pa.table(vault),
    "whether it is smaller": lambda vault: vault < BIG,  # type: ignore[operator]
}


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=list(SIGHTS))
def test_a_vault_does_not_show(sight: Callable[[Vault], object]) -> None:
    with pytest.raises((TypeError, AttributeError, Misuse)) as refused:
        sight(Vault(ROWS, SCHEMA))
    with pytest.raises(refused.type) as same:
        sight(BIG)
    assert str(same.value) == str(refused.value)


def test_a_vault_looks_like_any_other() -> None:
    """Whether it is empty or full: the same text, the same truth, the same names."""
    small, none = Vault(ROWS, SCHEMA), Vault(ROWS.slice(0, 0), SCHEMA)
    for show in (repr, str, bool, dir, lambda vault: f"{vault}", lambda vault: repr(vault._Vault__rows)):
        assert show(small) == show(none) == show(BIG)


HEADER = "sex,town\n"
BROKEN = {
    "a field too many": "f,Bern,Basel\n",
    "a field too few": "f,Bern\nf\n",
    "a quote that never closes": 'f,"Bern\n',
    "a NUL": "f,B\0ern\n",
    "a bare carriage return": "f,Be\rrn\n",
    "text behind a quote": 'f,"Be"rn\n',
    "far down": "f,Bern\n" * 9000 + "m\n",
}


def failure(table: Path, ledger: Path) -> tuple[type, int, str]:
    """How a release of a table is refused."""
    with looks() as looked, pytest.raises(Refusal) as refused:
        understudy.release(table, SCHEMA, epsilon=1, delta="1e-6", recipe="independent", ledger=ledger)
    assert looked == []
    return refused.type, refused.value.code, str(refused.value)


def test_tables_that_fail_differently_are_refused_alike(tmp_path: Path) -> None:
    table, ledger = tmp_path / "table.csv", tmp_path / "ledger"
    words = {"epsilon": 5, "delta": "1e-5", "relation": Relation.ADD_REMOVE}
    before = Ledger.create(ledger, unit="person", population="all", **words).head()
    seen = set()
    for rows in BROKEN.values():
        table.write_bytes((HEADER + rows).encode())
        seen.add(failure(table, ledger))
    table.write_bytes(HEADER.encode() + b"f,B\xe9rn\n")
    seen.add(failure(table, ledger))
    assert len(seen) == 1
    assert Ledger.open(ledger).head() == before


@pytest.mark.parametrize("values", [[], ["Bern"] * 500, [f"town {i}" for i in range(500)]], ids=len)
def test_a_refusal_of_the_gate_does_not_depend_on_the_rows(values: list[str], tmp_path: Path) -> None:
    vault = Vault(pa.table({"sex": ["f"] * len(values), "town": pa.array(values, pa.string())}), SCHEMA)
    with pytest.raises(BudgetRefused) as refused:
        gate(real(tmp_path), vault).ask(Count(LOUD))
    assert str(refused.value).startswith("this look costs rho 500000; rho 0.0")
