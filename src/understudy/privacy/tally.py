"""A tally: the ledger of one release that no file outlives. It refuses an overspend, and is forgotten with the process.

For a model that is fitted once, and for rehearsals. Where the same people's data are read again, name a ledger file.
"""

from understudy.privacy.accountant import Budget, Filter
from understudy.privacy.charge import Charge
from understudy.privacy.ledger import Ledger
from understudy.privacy.receipt import Step


class Tally(Ledger):
    """The same order as a ledger's: a step is charged, in turn, before it is looked at.

    >>> from understudy.privacy.accountant import exact
    >>> from understudy.schema.relation import Relation
    >>> tally = Tally(Budget(exact(1), exact("1e-6"), Relation.ADD_REMOVE))
    >>> float(tally.spent.amount)
    0.0
    """

    def __init__(self, budget: Budget):
        self._filter = Filter.of(budget.total())
        self._charges = 0

    @property
    def spent(self) -> Charge:
        """What the looks have cost so far."""
        return self._filter.spent

    def charge(self, release_id: str, step: int, question_digest: str, charge: Charge) -> None:
        assert step == self._charges, "steps are charged in turn"
        self._filter.admit(charge)
        self._charges += 1

    def answered(self, release_id: str, step: int, answer_digest: str) -> None:
        """Nothing outlives the process, so nothing is resumed."""

    def progress(self, release_id: str) -> tuple[Step, ...]:
        return ()
