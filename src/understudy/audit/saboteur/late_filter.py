"""A budget that is tested after it was spent: the last look goes over.

sound    refuse the charge that would exceed the total
broken   charge, then stop if the total is exceeded
"""

from collections.abc import Callable
from fractions import Fraction

from understudy.audit.registry import saboteur
from understudy.audit.trial import Refuses
from understudy.privacy.accountant import Filter
from understudy.privacy.charge import Charge, Measure
from understudy.schema.relation import Relation


class LateFilter(Filter):
    """Document 002's loop: spend, then test."""

    def admit(self, charge: Charge) -> None:
        if not self.spent.within(self.total):
            super().admit(charge)
        self.spent = self.spent + charge


def third_look(kind: Callable[[Charge], Filter]) -> Refuses:
    """Three looks of 2/5 on a total of one: the third must be refused."""

    def attempt() -> None:
        purse = kind(charge(Fraction(1)))
        for _ in range(3):
            purse.admit(charge(Fraction(2, 5)))

    return Refuses(attempt)


def charge(amount: Fraction) -> Charge:
    return Charge(Relation.ADD_REMOVE, Measure.ZCDP, amount)


@saboteur(
    "late-filter",
    defect="the budget is tested after the look that exceeds it",
    printed="document 002, algorithm 2: the loop tests the budget after spending",
    caught_by=Refuses,
    sound=lambda: third_look(Filter.of),
)
def late_filter() -> Refuses:
    return third_look(lambda total: LateFilter(total, Charge.zero(total.relation, total.measure)))
