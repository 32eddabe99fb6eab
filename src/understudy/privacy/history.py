"""Reads a ledger's whole history again and checks that every entry was allowed where it stands.

Law.    The first entry names the budget. Every later one is a reservation within what was left, the next charge of a
        reserved release within its terms and with the right running sum, or the one answer to a step that was charged.
        Anything else is Tampered, even where the chain of digests holds.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from understudy.privacy.accountant import Budget, Filter
from understudy.privacy.chain import Entry
from understudy.privacy.charge import Charge
from understudy.privacy.receipt import Terms
from understudy.refusal import BudgetRefused, Refusal, Tampered
from understudy.schema.relation import Relation


@dataclass(frozen=True)
class Promise:
    """The first entry: whose privacy, how much of it, and the ledger's public name."""

    uid: str
    budget: Budget
    unit: str
    population: str

    def to_json(self) -> dict[str, str]:
        return {
            "uid": self.uid,
            "epsilon": str(self.budget.epsilon),
            "delta": str(self.budget.delta),
            "relation": self.budget.relation.value,
            "unit": self.unit,
            "population": self.population,
        }

    @classmethod
    def from_json(cls, words: dict[str, str]) -> "Promise":
        budget = Budget(Fraction(words["epsilon"]), Fraction(words["delta"]), Relation(words["relation"]))
        return cls(words["uid"], budget, words["unit"], words["population"])

    def left(self, reserved: Iterable[Terms]) -> tuple[Fraction, Fraction]:
        """(E - sum epsilon_r, D - sum delta_r)."""
        epsilon, delta = self.budget.epsilon, self.budget.delta
        for terms in reserved:
            epsilon, delta = epsilon - terms.epsilon, delta - terms.delta
        return epsilon, delta

    def grant(self, terms: Terms, reserved: Iterable[Terms]) -> None:
        """Refuse terms that do not fit into what is left."""
        if terms.relation is not self.budget.relation:
            raise BudgetRefused(
                f"this ledger protects under {self.budget.relation.value}, the release under {terms.relation.value}",
                "use one neighbouring relation throughout, or another ledger",
            )
        terms.total()
        epsilon, delta = self.left(reserved)
        if terms.epsilon > epsilon or terms.delta > delta:
            raise BudgetRefused(
                f"the ledger has epsilon {words_of(epsilon)} and delta {words_of(delta)} left; the release asks for "
                f"epsilon {words_of(terms.epsilon)} and delta {words_of(terms.delta)}",
                "ask for no more than is left; what was spent is never given back",
            )


@dataclass
class _Release:
    filter: Filter
    steps: int = 0
    answered: set[int] = field(default_factory=set)


def check(entries: list[Entry]) -> None:
    """Replay the entries under the rules above."""
    try:
        if entries[0].kind != "budget":
            raise ValueError("the first entry is no budget")
        promise = Promise.from_json(entries[0].words)
        terms: dict[str, Terms] = {}
        releases: dict[str, _Release] = {}
        for entry in entries[1:]:
            if entry.kind == "reserve":
                asked = Terms.from_json(entry.words)
                promise.grant(asked, terms.values())
                if entry.release in terms or entry.step != 0:
                    raise ValueError("a second reservation")
                terms[entry.release] = asked
                releases[entry.release] = _Release(asked.filter(None))
            else:
                _replay(entry, releases[entry.release])
    except Tampered:
        raise
    except (Refusal, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Tampered(f"the ledger's history was never allowed ({error})", "restore the ledger") from error


def _replay(entry: Entry, release: _Release) -> None:
    words = entry.words
    if entry.kind == "charge" and entry.step == release.steps:
        release.filter.admit(Charge.from_json(words["charge"]))
        if Charge.from_json(words["spent"]) != release.filter.spent:
            raise ValueError("a wrong running sum")
        release.steps += 1
    elif entry.kind == "answer" and entry.step < release.steps and entry.step not in release.answered:
        release.answered.add(entry.step)
    else:
        raise ValueError("an entry out of order")


def words_of(amount: Fraction) -> str:
    """A short fraction as it is, a long one as a decimal.

    >>> words_of(Fraction(1, 3)), words_of(Fraction(1, 10**6))
    ('1/3', '1e-06')
    """
    return str(amount) if amount.denominator < 1000 else f"{float(amount):.6g}"
