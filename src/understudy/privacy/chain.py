"""A chain of entries, each sealed by the one before it. The ledger's rules are written on top.

Law.    digest_i = sha256(canonical JSON of [counter_i, kind_i, release_i, step_i, payload_i, digest_{i-1}]).
        An entry whose text was changed no longer has its digest; where one was removed or exchanged, the next one's
        link is broken. Entries are only ever appended.

What a chain cannot see by itself: an older copy of the whole file put back in its place. A receipt that is kept
elsewhere shows that (`Ledger.covers`).
"""

import json
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from understudy.refusal import Tampered

GENESIS = sha256(b"understudy ledger 1").hexdigest()
TABLE = """CREATE TABLE entry (counter INTEGER PRIMARY KEY, kind TEXT NOT NULL, release TEXT NOT NULL,
    step INTEGER NOT NULL, payload TEXT NOT NULL, previous TEXT NOT NULL, digest TEXT NOT NULL,
    UNIQUE (release, kind, step))"""
_COLUMNS = "counter, kind, release, step, payload, previous, digest"


@dataclass(frozen=True)
class Entry:
    """One sealed line of the file."""

    counter: int
    kind: str
    release: str
    step: int
    payload: str
    previous: str
    digest: str

    @property
    def words(self) -> dict[str, Any]:
        """The payload, read."""
        return dict(json.loads(self.payload))

    def sealed(self) -> "Entry":
        """The same entry, if its text has the digest that it carries."""
        words = (self.counter, self.kind, self.release, self.step, self.payload, self.previous)
        if not isinstance(self.payload, str) or seal(*words) != self.digest:
            raise _broken(f"entry {self.counter} was changed after it was written")
        return self


def canonical(words: object) -> str:
    """JSON with one spelling for one value: sorted keys, no spaces, ASCII."""
    return json.dumps(words, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def seal(counter: int, kind: str, release: str, step: int, payload: str, previous: str) -> str:
    return sha256(canonical([counter, kind, release, step, payload, previous]).encode()).hexdigest()


class Book:
    """The entries as one transaction sees them."""

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection

    def entries(self) -> list[Entry]:
        """All entries in order, the chain checked from the first to the last."""
        found = self._select("ORDER BY counter")
        previous = GENESIS
        for counter, entry in enumerate(found, start=1):
            if entry.counter != counter or entry.previous != previous:
                raise _broken(f"an entry before {entry.counter} was removed or exchanged")
            previous = entry.digest
        return found

    def find(self, kind: str, release: str, step: int = 0) -> Entry | None:
        return self._one("WHERE kind = ? AND release = ? AND step = ?", kind, release, step)

    def last(self, kind: str, release: str) -> Entry | None:
        return self._one("WHERE kind = ? AND release = ? ORDER BY step DESC LIMIT 1", kind, release)

    def at(self, counter: int) -> Entry | None:
        return self._one("WHERE counter = ?", counter)

    def of(self, kind: str, release: str) -> list[Entry]:
        return self._select("WHERE kind = ? AND release = ? ORDER BY step", kind, release)

    def first(self) -> Entry:
        found = self.at(1)
        if found is None:
            raise _broken("the first entry is gone")
        return found

    def head(self) -> Entry:
        return self._one("ORDER BY counter DESC LIMIT 1") or self.first()

    def append(self, kind: str, release: str, step: int, words: dict[str, Any]) -> Entry:
        """Seal a new entry behind the last one. It counts when the transaction has been committed."""
        last = self._one("ORDER BY counter DESC LIMIT 1")
        counter, previous = (last.counter + 1, last.digest) if last else (1, GENESIS)
        payload = canonical(words)
        digest = seal(counter, kind, release, step, payload, previous)
        entry = Entry(counter, kind, release, step, payload, previous, digest)
        self._connection.execute(
            f"INSERT INTO entry ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (counter, kind, release, step, payload, previous, digest),
        )
        return entry

    def _one(self, where: str, *values: object) -> Entry | None:
        found = self._select(where, *values)
        return found[0] if found else None

    def _select(self, where: str, *values: object) -> list[Entry]:
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM entry {where}", values)
        return [Entry(*row).sealed() for row in rows]


def _broken(how: str) -> Tampered:
    return Tampered(f"the ledger's chain does not hold: {how}", "restore the ledger that the certificates name")
