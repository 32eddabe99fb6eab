"""A ledger that lends the same epsilon twice: what failed is refunded, though it was looked at.

The second release reuses what the crashed first one had reserved. Its answers may have been seen.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from understudy.audit.registry import saboteur
from understudy.audit.trial import Refuses
from understudy.privacy.ledger import Ledger
from understudy.schema.relation import Relation

Reserve = Callable[[str], object]


class Refunding:
    """A ledger in memory that gives back what a crashed release had reserved."""

    def __init__(self) -> None:
        self.left = 1

    def reserve(self, release: str) -> None:
        if self.left < 1:
            raise TypeError("nothing is left")
        self.left -= 1

    def crashed(self, release: str) -> None:
        self.left += 1


def twice(reserve: Reserve, crash: Reserve) -> None:
    """Reserve all, look, crash, and reserve all again under another name."""
    reserve("first")
    crash("first")
    reserve("second")


def of_refunding() -> None:
    ledger = Refunding()
    twice(ledger.reserve, ledger.crashed)


def of_ours() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.create(
            Path(folder) / "ledger",
            epsilon=1,
            delta="1e-6",
            relation=Relation.ADD_REMOVE,
            unit="person",
            population="all",
        )

        def reserve(release: str) -> object:
            return ledger.reserve(release, 1, "1e-6", Relation.ADD_REMOVE, "spec", 0)

        twice(reserve, lambda release: None)


@saboteur(
    "double-spend",
    defect="the budget of a crashed release is refunded and lent again",
    printed="a common slip: a reservation rolled back in an exception handler",
    caught_by=Refuses,
    sound=lambda: Refuses(of_ours),
)
def double_spend() -> Refuses:
    return Refuses(of_refunding)
