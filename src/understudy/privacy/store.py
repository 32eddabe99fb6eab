"""The file that holds a chain: one SQLite database, one transaction per connection.

Durability.  WAL mode with synchronous=FULL: what was committed survives a power cut. Writers queue at BEGIN IMMEDIATE.
A connection lives for one transaction, and a fork waits until none is open in this process, so that a child never
goes on with its parent's. A file is created whole or not at all, and never in the place of another.

Errors of SQLite and of the system become refusals: a foreign or broken file is Tampered, a full or closed disk is
StorageRefused.
"""

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from understudy.privacy.chain import TABLE, Book
from understudy.privacy.mount import refuse_network
from understudy.refusal import StorageRefused, Tampered

APPLICATION = 0x756E6472  # "undr"
FORMAT = 1
WAIT = 120.0  # seconds a writer queues: 40 processes need about 3

_ONE_AT_A_TIME = threading.RLock()
os.register_at_fork(
    before=_ONE_AT_A_TIME.acquire, after_in_parent=_ONE_AT_A_TIME.release, after_in_child=_ONE_AT_A_TIME.release
)


@contextmanager
def transaction(path: Path, begin: str) -> Iterator[Book]:
    """Open the file that exists, run one transaction, close. `begin` is BEGIN to read, BEGIN IMMEDIATE to write."""
    if not path.is_file():
        raise StorageRefused(f"there is no ledger at {path}", "create one with `understudy ledger init`")
    uri = f"{path.absolute().as_uri()}?mode=rw"
    with _ONE_AT_A_TIME, _plain_words(path), closing(_connect(uri)) as connection:
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
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(TABLE)
                Book(connection).append("budget", "", 0, words)
                connection.execute("COMMIT")
                if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                    raise StorageRefused(f"{path} lies where SQLite cannot keep a log", "keep it on a local disk")
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
