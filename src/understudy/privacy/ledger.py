"""The ledger: the budget of one table's people, kept in a file that survives the process and refuses to overspend.

Law.    Reserve durably before the first look; charge durably before each look; never refund. The release id is the key:
        asking again for the same is granted again at no cost, asking under it for anything else is refused.

Math.   Over releases, basic composition in exact fractions:  sum epsilon_r <= E  and  sum delta_r <= D.
        Within a release (epsilon_r, delta_r), of which d is reserved for thresholds, the charges obey the filter of
        `Budget.total(d)`: sum rho <= rho_within(epsilon_r, delta_r - d) and sum delta <= d, or sum eps <= epsilon_r.
        Both hold for questions chosen after earlier answers. Proof: proof/ledger.md.

Tampering.  Every entry is sealed by the one before it (chain.py). The budget is the first entry, so that it cannot be
raised afterwards. A file that was put back from an older copy is found by `covers`, with a receipt from elsewhere.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from understudy.privacy import history, store
from understudy.privacy.accountant import Budget, Number, exact
from understudy.privacy.chain import Book, Entry
from understudy.privacy.charge import Charge
from understudy.privacy.history import Promise
from understudy.privacy.mount import refuse_network
from understudy.privacy.receipt import Receipt, Step, Terms
from understudy.refusal import BudgetRefused, Misuse, Tampered
from understudy.schema.relation import Relation


class Ledger:
    """One ledger file. Make it with `create`, find it again with `open`."""

    def __init__(self, path: Path, first: Entry):
        self.path = path
        self._first = first
        self._promise = Promise.from_json(first.words)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        epsilon: Number,
        delta: Number,
        relation: Relation,
        unit: str,
        population: str,
    ) -> "Ledger":
        """A new file with a budget that never grows. A file that is already there is refused."""
        promise = Promise(os.urandom(16).hex(), Budget(exact(epsilon), exact(delta), relation), unit, population)
        store.create(Path(path), promise.to_json())
        return cls.open(path)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "Ledger":
        """The ledger at this path; nothing is created."""
        refuse_network(Path(path))
        with store.transaction(Path(path), "BEGIN") as book:
            first = book.first()
        history.check([first])
        return cls(Path(path), first)

    @property
    def uid(self) -> str:
        """The ledger's public name, drawn at random when it was created."""
        return self._promise.uid

    @property
    def budget(self) -> Budget:
        return self._promise.budget

    @property
    def unit(self) -> str:
        return self._promise.unit

    @property
    def population(self) -> str:
        return self._promise.population

    def reserve(
        self,
        release_id: str,
        epsilon: Number,
        delta: Number,
        relation: Relation,
        spec: str,
        reserved_delta: Number = 0,
        order: int | None = None,
    ) -> Receipt:
        """Set aside (epsilon, delta) for one release, for good. The same words again give the same receipt.

        `reserved_delta` is the part of delta that thresholds may use, and `order` the Renyi order at which charges are
        counted, if at one. Both are fixed here, before the first look.
        """
        if not release_id:
            raise Misuse("a release has a name", "give a release id")
        terms = Terms(exact(epsilon), exact(delta), relation, spec, exact(reserved_delta), order)
        with self._write() as book:
            reserved = {e.release: Terms.from_json(e.words) for e in book.entries() if e.kind == "reserve"}
            entry = book.find("reserve", release_id)
            if entry is None:
                self._promise.grant(terms, reserved.values())
                entry = book.append("reserve", release_id, 0, terms.to_json())
            elif reserved[release_id] != terms:
                raise BudgetRefused(
                    f"release {release_id} is already reserved for something else", "choose another release id"
                )
            return self._receipt(entry)

    def charge(self, release_id: str, step: int, question_digest: str, charge: Charge) -> None:
        """Write the cost of a step down, before the look. The same again costs nothing; anything else is refused."""
        asked = {"question": question_digest, "charge": charge.to_json()}
        with self._write() as book:
            terms = self._terms(book, release_id)
            if known := book.find("charge", release_id, step):
                if {key: known.words[key] for key in asked} != asked:
                    raise BudgetRefused(
                        f"step {step} of release {release_id} was charged for another question",
                        "resume with the same version, spec and tape, or start a release with a new id",
                    )
                return
            last = book.last("charge", release_id)
            due = last.step + 1 if last else 0
            if step != due:
                raise BudgetRefused(f"the next step of release {release_id} is {due}, not {step}", "charge in order")
            spending = terms.filter(Charge.from_json(last.words["spent"]) if last else None)
            spending.admit(charge)
            book.append("charge", release_id, step, {**asked, "spent": spending.spent.to_json()})

    def answered(self, release_id: str, step: int, answer_digest: str) -> None:
        """Mark that a step's answer is on the tape, before anybody uses it. A second, other answer is refused."""
        with self._write() as book:
            if book.find("charge", release_id, step) is None:
                raise BudgetRefused(f"step {step} of release {release_id} is not charged", "charge before the look")
            known = book.find("answer", release_id, step)
            if known is None:
                book.append("answer", release_id, step, {"answer": answer_digest})
            elif known.words["answer"] != answer_digest:
                raise BudgetRefused(
                    f"step {step} of release {release_id} was answered before, with another answer",
                    "resume from the tape that holds the first answer, or start a release with a new id",
                )

    def progress(self, release_id: str) -> tuple[Step, ...]:
        """The steps charged so far. An answer digest that the tape does not hold means that the tape was lost."""
        with self._read() as book:
            self._terms(book, release_id)
            answers = {entry.step: str(entry.words["answer"]) for entry in book.of("answer", release_id)}
            return tuple(
                Step(entry.words["question"], Charge.from_json(entry.words["charge"]), answers.get(entry.step))
                for entry in book.of("charge", release_id)
            )

    def left(self) -> tuple[Fraction, Fraction]:
        """What may still be reserved, as (epsilon, delta)."""
        return self._promise.left(Terms.from_json(e.words) for e in self.entries() if e.kind == "reserve")

    def entries(self) -> tuple[Entry, ...]:
        """The whole history, its chain checked."""
        with self._read() as book:
            return tuple(book.entries())

    def head(self) -> tuple[int, str]:
        """The last entry's counter and digest."""
        with self._read() as book:
            last = book.head()
            return last.counter, last.digest

    def _repr_html_(self) -> str:
        """The ledger as a notebook shows it."""
        from understudy.page.notebook import Lines, card

        granted = [
            (e.release, *(f"{float(Fraction(e.words[w])):g}" for w in ("epsilon", "delta")))
            for e in self.entries()
            if e.kind == "reserve"
        ]
        totals = [
            (name, *(f"{float(x):g}" for x in pair))
            for name, pair in (("left", self.left()), ("budget", (self.budget.epsilon, self.budget.delta)))
        ]
        lines = Lines(("release", "epsilon", "delta"), [*granted, *totals], right=("epsilon", "delta"))
        facts = [("neighbours", self.budget.relation.words(self.unit)), ("name", self.uid)]
        return card(
            f"Ledger of {self.population}", "It refuses what exceeds its budget, and never refunds.", facts, lines
        )

    def check(self) -> None:
        """Recompute every digest and every total; Tampered where one does not hold."""
        history.check(list(self.entries()))

    def covers(self, receipt: Receipt) -> None:
        """Tampered unless this history holds the receipt: an older copy put back does not."""
        with self._read() as book:
            entry = book.at(receipt.counter)
            if entry is None or entry.kind != "reserve" or self._receipt(entry) != receipt:
                raise Tampered(
                    f"the ledger does not hold the reservation of release {receipt.release_id}",
                    "an older copy was put back, or it is another ledger; restore the newest one",
                )

    def export(self) -> list[dict[str, Any]]:
        """Every entry as JSON-able words, enough to recompute the chain elsewhere."""
        return [{**vars(entry), "payload": entry.words} for entry in self.entries()]

    def _receipt(self, entry: Entry) -> Receipt:
        terms = Terms.from_json(entry.words)
        return Receipt(self.uid, entry.release, entry.counter, entry.digest, terms.epsilon, terms.delta)

    @staticmethod
    def _terms(book: Book, release_id: str) -> Terms:
        entry = book.find("reserve", release_id)
        if entry is None:
            raise BudgetRefused(f"release {release_id} is not reserved", "reserve before the first look")
        return Terms.from_json(entry.words)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Book]:
        with store.transaction(self.path, begin) as book:
            if book.first() != self._first:
                raise Tampered("another ledger was put in this one's place", "restore the ledger")
            yield book

    def _read(self) -> AbstractContextManager[Book]:
        return self._transaction("BEGIN")

    def _write(self) -> AbstractContextManager[Book]:
        return self._transaction("BEGIN IMMEDIATE")
