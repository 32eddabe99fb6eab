"""An append-only file of entries, each sealed by the one before it. The ledger's rules are written on top.

Law.    digest_i = sha256(canonical JSON of [counter_i, kind_i, release_i, step_i, payload_i, digest_{i-1}]).
        An entry whose text was changed no longer has its digest; a removed or exchanged one breaks the link of the next.

Durability.  SQLite in WAL mode with synchronous=FULL: when `append` has been committed, it survives a power cut. Writers
queue at BEGIN IMMEDIATE. A connection lives for one transaction, so that a forked child never inherits one in use.

What a chain cannot see by itself: an older copy of the whole file put back in its place. A receipt that is kept
elsewhere shows that (`Ledger.covers`).
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from understudy.privacy.mount import refuse_network
from understudy.refusal import StorageRefused, Tampered

APPLICATION = 0x756E6472  # "undr"
FORMAT = 1
WAIT = 120.0  # seconds a writer queues: 40 processes need about 3
GENESIS = sha256(b"understudy ledger 1").hexdigest()
_TABLE = """CREATE TABLE entry (counter INTEGER PRIMARY KEY, kind TEXT NOT NULL, release TEXT NOT NULL,
    step INTEGER NOT NULL, payload TEXT NOT NULL, previous TEXT NOT NULL, digest TEXT NOT NULL,
    UNIQUE (release, kind, step)) STRICT"""
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
        if seal(self.counter, self.kind, self.release, self.step, self.payload, self.previous) != self.digest:
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
        if not found:
            raise _broken("the first entry is gone")
        return found

    def find(self, kind: str, release: str, step: int = 0) -> Entry | None:
        return self._one("WHERE kind = ? AND release = ? AND step = ?", kind, release, step)

    def last(self, kind: str, release: str) -> Entry | None:
        return self._one("WHERE kind = ? AND release = ? ORDER BY step DESC LIMIT 1", kind, release)

    def at(self, counter: int) -> Entry | None:
        return self._one("WHERE counter = ?", counter)

    def of(self, kind: str, release: str) -> list[Entry]:
        return self._select("WHERE kind = ? AND release = ? ORDER BY step", kind, release)

    def head(self) -> Entry:
        found = self._one("ORDER BY counter DESC LIMIT 1")
        if found is None:
            raise _broken("the first entry is gone")
        return found

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


@contextmanager
def transaction(path: Path, begin: str) -> Iterator[Book]:
    """Open the file that exists, run one transaction, close. `begin` is BEGIN to read, BEGIN IMMEDIATE to write."""
    if not path.is_file():
        raise StorageRefused(f"there is no ledger at {path}", "create one with `understudy ledger create`")
    with _plain_words(path), closing(_connect(f"{path.absolute().as_uri()}?mode=rw")) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) != (APPLICATION, FORMAT):
            raise Tampered(f"{path} is not a ledger of this format", "give the path of an understudy ledger")
        connection.execute(begin)
        try:
            yield Book(connection)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise


def create(path: Path, words: dict[str, Any]) -> None:
    """Make a file with one entry, whole or not at all: written under another name, then linked to its own."""
    refuse_network(path)
    if any(Path(f"{path}{tail}").exists() for tail in ("", "-wal", "-shm")):
        raise StorageRefused(f"{path} is already there", "choose another path; a ledger is never overwritten")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with _plain_words(path):
            with closing(_connect(f"{draft.absolute().as_uri()}?mode=rwc")) as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_TABLE)
                Book(connection).append("budget", "", 0, words)
                connection.execute("COMMIT")
            os.link(draft, path)  # unlike a rename, a link never replaces a file that came in between
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    finally:
        for tail in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                os.unlink(f"{draft}{tail}")


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _plain_words(path: Path) -> Iterator[None]:
    """SQLite's and the system's errors as refusals."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
            raise Tampered(f"{path} is not a whole ledger ({error})", "restore it, or start a new one") from error
        raise StorageRefused(
            f"the ledger {path} could not be read or written ({error})", "free some space or check the folder's rights"
        ) from error
    except OSError as error:
        raise StorageRefused(f"the ledger {path} could not be made ({error.strerror})", "check the folder") from error


def _broken(how: str) -> Tampered:
    return Tampered(f"the ledger's chain does not hold: {how}", "restore the ledger that the certificates name")
