"""One ledger for two neighbouring relations: an add-remove price added to a replace-one price.

Epsilon under add-remove protects whether a row is there; under replace-one, what is in it. Their sum protects neither.
"""

from fractions import Fraction

from understudy.audit.registry import saboteur
from understudy.audit.trial import Refuses
from understudy.privacy.charge import Charge, Measure
from understudy.schema.relation import Relation


class Untyped(Charge):
    """A charge that forgets its relation when it is added."""

    def _same_kind(self, other: Charge) -> None:
        pass


def trial(kind: type[Charge]) -> Refuses:
    """Add a price of each relation."""
    one, other = (kind(relation, Measure.ZCDP, Fraction(1, 2)) for relation in Relation)
    return Refuses(lambda: one + other)


@saboteur(
    "mixed-relations",
    defect="prices under add-remove and under replace-one are added up",
    printed="documents 000, 001 and 004 change the relation between the theorem and the algorithm",
    caught_by=Refuses,
    sound=lambda: trial(Charge),
)
def mixed_relations() -> Refuses:
    return trial(Untyped)
