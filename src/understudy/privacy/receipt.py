"""What the ledger grants and what it hands out: the terms of a reservation, its receipt, and the steps of a release.

Math.  Terms (epsilon, delta, d) allow the charges whose running sum stays within `Budget(epsilon, delta).total(d)`, in
       zCDP or at a Renyi order that the reservation names.
       The part d of delta is named when the release is reserved, not while it runs: trading delta against rho after
       having seen answers is not covered by the proof of the filter (proof/ledger.md).

>>> terms = Terms(Fraction(1), Fraction(0), Relation.ADD_REMOVE, spec="7d2f")
>>> Terms.from_json(terms.to_json()) == terms
True
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from understudy.privacy.accountant import Budget, Filter
from understudy.privacy.charge import Charge
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Terms:
    """What one release may spend, and on what: `spec` is a digest of all that will be run."""

    epsilon: Fraction
    delta: Fraction
    relation: Relation
    spec: str
    reserved_delta: Fraction = Fraction(0)
    order: int | None = None

    def total(self) -> Charge:
        return Budget(self.epsilon, self.delta, self.relation, self.order).total(self.reserved_delta)

    def filter(self, spent: Charge | None) -> Filter:
        """The filter of these terms, with what is spent so far."""
        total = self.total()
        return Filter(total, spent) if spent else Filter.of(total)

    def to_json(self) -> dict[str, str]:
        words = {
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "relation": self.relation.value,
            "reserved_delta": str(self.reserved_delta),
            "spec": self.spec,
        }
        return words if self.order is None else words | {"order": str(self.order)}

    @classmethod
    def from_json(cls, words: dict[str, str]) -> "Terms":
        return cls(
            epsilon=Fraction(words["epsilon"]),
            delta=Fraction(words["delta"]),
            relation=Relation(words["relation"]),
            spec=words["spec"],
            reserved_delta=Fraction(words["reserved_delta"]),
            order=int(words["order"]) if "order" in words else None,
        )


@dataclass(frozen=True)
class Receipt:
    """Proof of a reservation: the place in the chain and the digest found there. Kept in every certificate."""

    ledger_uid: str
    release_id: str
    counter: int
    head: str
    epsilon: Fraction
    delta: Fraction

    def to_json(self) -> dict[str, Any]:
        return {
            "ledger_uid": self.ledger_uid,
            "release_id": self.release_id,
            "counter": self.counter,
            "head": self.head,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
        }

    @classmethod
    def from_json(cls, words: dict[str, Any]) -> "Receipt":
        return cls(**{**words, "epsilon": Fraction(words["epsilon"]), "delta": Fraction(words["delta"])})


@dataclass(frozen=True)
class Step:
    """One look of a release: what was asked, what it cost, and the digest of its answer once that is on the tape."""

    question: str
    charge: Charge
    answer: str | None
