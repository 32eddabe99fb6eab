"""The plan: what a release will ask, cost, take and promise, told from public facts before a row is touched.

    total          (epsilon, delta); a tenth of delta is set aside for open lists, where there are any
    discovery      1/10 of the budget where the schema leaves something open
    size           1/50 for the number of rows, where it is private
    certificate    1/20
    recipe         all the rest

Every line is made of the very questions that the run will ask, at their price; so what is printed is what is charged.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isqrt, pi
from typing import Any

from understudy.game.discover import Discovery, assumed
from understudy.game.player import Forecast, Step
from understudy.noise.draw import refuse_undrawable
from understudy.noise.scale import LARGEST
from understudy.privacy.accountant import Budget, converted
from understudy.privacy.charge import Charge
from understudy.privacy.opinion import Opinion, second_opinion
from understudy.privacy.purse import Purse
from understudy.publish.certificate import Certifier
from understudy.publish.orders import ordered
from understudy.question.bound import MOST_PRIVATE
from understudy.question.count import Count
from understudy.question.mechanism import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exact,
    Gumbel,
    Mechanism,
    SampledGaussian,
    Threshold,
)
from understudy.question.question import Question
from understudy.question.select_cell import SelectCell
from understudy.question.spec import plain
from understudy.question.workload import Workload, read_workload
from understudy.recipe.default import DEFAULT
from understudy.recipe.recipe import RECIPES, Pairing, Recipe, Setting
from understudy.refusal import Infeasible, Misuse
from understudy.schema.column import Listed
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema

DISCOVERY, SIZE, CERTIFICATE = Fraction(1, 10), Fraction(1, 50), Fraction(1, 20)
DELTA_FOR_LISTS = Fraction(1, 10)
MOST_ROWS = 5 * 10**7
DROWNED = 10**5  # rows: where the noise on their number is more, it cannot say how many to release
LOOK, SCORE = 5e-3, 6e-8  # seconds: of the ledger and the tape for a question; for one score of a selection of cells
MEMORY = 16_000  # megabytes: a plan that needs more is refused


@dataclass(frozen=True)
class Plan:
    """The terms of one release, and everything that follows from them."""

    schema: Schema
    budget: Budget
    recipe: Recipe
    workload: Workload
    rows: int | None

    def __post_init__(self) -> None:
        if self.schema.n is not None and self.schema.n > MOST_PRIVATE:
            raise Infeasible(
                f"a table of more than {MOST_PRIVATE:,} rows is more than a certificate counts", "split it"
            )
        if self.rows is not None and not 1 <= self.rows <= MOST_ROWS:
            raise Misuse(f"a release has 1 to {MOST_ROWS:,} rows", "give --rows another number, or leave it out")
        if self.budget.relation is not self.schema.relation:
            raise Misuse("the budget's relation is not the schema's", "use one relation for both")

    @cached_property
    def reserved_delta(self) -> Fraction:
        """The part of delta that thresholds may use."""
        lists = any(isinstance(column.like, Listed) for column in self.schema.pending)
        return self.budget.delta * DELTA_FOR_LISTS if lists else Fraction(0)

    @cached_property
    def total(self) -> Charge:
        """All that may be spent."""
        return self.budget.total(self.reserved_delta)

    @property
    def purse(self) -> Purse:
        """The total as a purse."""
        return Purse(self.total, self.schema.unit.rows)

    @property
    def discovery(self) -> Discovery:
        """What settles the schema's pending columns."""
        return Discovery(self.schema, self.purse.share(DISCOVERY), self.reserved_delta)

    @property
    def count(self) -> Count:
        """The question for the number of rows."""
        return self.purse.share(SIZE).noisy(Count(Exact()))

    @property
    def counts_rows(self) -> bool:
        """Whether the number of rows is asked: not where the schema declares it."""
        return self.schema.n is None

    def certifier(self, settled: Schema) -> Certifier:
        """What asks for the certificate."""
        return Certifier(settled, self.workload, self.purse.share(CERTIFICATE))

    def pairing(self, settled: Schema) -> Pairing:
        """The players of the recipe, with all the rest of the budget."""
        spent = CERTIFICATE + (SIZE if self.counts_rows else 0) + (DISCOVERY if self.schema.pending else 0)
        return self.recipe.pair(Setting(settled, self.workload, self.purse.share(1 - spent)))

    @cached_property
    def most_rows(self) -> int:
        """As many rows as can be released: the certificate's noise grows with them, and has a largest scale."""
        (of_one_row,) = self.certifier(self.largest).script(1)
        return min(MOST_ROWS, *(times_wider(question.mechanism) for question in of_one_row.questions))

    @cached_property
    def largest(self) -> Schema:
        """The schema as large as discovery can make it."""
        return assumed(self.schema)

    @cached_property
    def script(self) -> tuple[Step, ...]:
        """Everything that will be asked, in order, at its price."""
        found = self.discovery.script() if self.schema.pending else ()
        size = (Step("number of rows", (self.count,)),) if self.counts_rows else ()
        rows = self.rows or self.schema.n or 1000
        return found + size + self.pairing(self.largest).query.script() + self.certifier(self.largest).script(rows)

    def price(self, questions: Sequence[Question]) -> Charge:
        """What some questions cost together."""
        charge = Charge.zero(self.total.relation, self.total.measure)
        for question in questions:
            charge = charge + self.purse.price(question)
        return charge

    @cached_property
    def forecast(self) -> Forecast:
        """Memory and time at most; Infeasible, naming the column or the marginal, where it is too much."""
        self.workload.refuse_infeasible(self.largest)
        if self.schema.images and not self.recipe.pictures:
            raise Infeasible(
                f"column '{self.schema.images[0].name}' is a picture, and recipe '{self.recipe.name}' makes none",
                f"choose one of {', '.join(name for name, known in RECIPES.all().items() if known.pictures)}",
            )
        rows = self.rows or self.schema.n or 100_000
        sized = replace(self.largest, n=self.schema.n or rows)
        pairing = self.pairing(sized)
        fit, asked = pairing.data.forecast(sized), [q for step in pairing.query.script() for q in step.questions]
        cells = sum(sized.cells(clique) for clique in self.workload.cliques) + len(self.workload.queries)
        largest = max(sized.cells(clique) for clique in self.workload.cliques)
        counting = 4 * (cells * 2e-9 + (len(self.workload.cliques) + len(self.workload.queries)) * rows * 2e-8)
        # a selection of cells scores each of them with both signs
        scoring = sum(isinstance(question, SelectCell) for question in asked) * 2 * cells * SCORE
        scores = 2 * cells * 40 / 1e6 if scoring else 0.0
        forecast = Forecast(
            fit.megabytes + largest * 40 / 1e6 + scores + rows * 2e-3,
            fit.seconds + counting + scoring + len(asked) * LOOK,
        )
        if forecast.megabytes > MEMORY:
            raise Infeasible(
                f"the plan needs about {forecast.megabytes / 1000:,.0f} GB, more than {MEMORY / 1000:,.0f} GB",
                "coarsen the widest columns, or choose a smaller workload",
            )
        return forecast

    def second_opinion(self) -> Opinion:
        """The same questions, priced by another accountant (dp-accounting)."""
        asked = [question for step in self.script for question in step.questions]
        schema = self.schema
        looks = [(q.mechanism, q.sensitivity(schema.unit.rows, schema.relation)) for q in asked]
        return second_opinion(looks, self.budget.delta, schema.relation)

    @property
    def spec(self) -> str:
        """A digest of everything that will be run, for the ledger."""
        words = [
            self.schema.digest,
            self.recipe.name,
            [list(clique) for clique in self.workload.cliques],
            [plain(query) for query in self.workload.queries],
            self.workload.weights,
            self.rows,
            [str(self.budget.epsilon), str(self.budget.delta)],
            *([] if self.budget.order is None else [self.budget.order]),
        ]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()

    def _repr_html_(self) -> str:
        """The plan as a notebook shows it."""
        from understudy.page.notebook import Lines, card

        words = self.to_json()
        rows = [(part["what"], f"{part['share']:.1%}", f"{part['looks']:,}", part["noise"]) for part in words["lines"]]
        facts = [("epsilon, delta", f"{words['epsilon']}, {words['delta']}"), ("neighbours", words["protects"])]
        facts += [
            ("recipe", words["recipe"]),
            ("time, memory", f"about {words['seconds']} s, {words['memory_mb']:,} MB"),
        ]
        lines = Lines(("what is asked", "budget", "looks", "noise"), rows, right=("budget", "looks"))
        return card(f"Plan of a release of {words['table']}", "No row was read for it.", facts, lines)

    def to_json(self) -> dict[str, Any]:
        """The plan for machines."""
        lines = [line(step.what, self.price(step.questions), self.total, step) for step in self.script]
        return {
            "table": self.schema.name,
            "recipe": self.recipe.name,
            "epsilon": str(self.budget.epsilon),
            "delta": str(self.budget.delta),
            "protects": self.schema.relation.words(self.schema.unit.noun),
            "measure": self.total.measure.value,
            "total": float(self.total.amount),
            "lines": lines,
            "workload": {
                "name": self.workload.name,
                "marginals": len(self.workload.cliques),
                "queries": len(self.workload.queries),
            },
            "memory_mb": round(self.forecast.megabytes),
            "seconds": round(self.forecast.seconds),
        }


def times_wider(mechanism: Mechanism) -> int:
    """How many times as wide as this the noise can be drawn."""
    match mechanism:
        case DiscreteGaussian(sigma2):
            return isqrt(int(LARGEST**2 / sigma2))
        case DiscreteLaplace(scale):
            return int(LARGEST / scale)
    return int(LARGEST)


def line(what: str, price: Charge, total: Charge, step: Step) -> dict[str, Any]:
    """One line of the split."""
    return {
        "what": what,
        "share": float(price.amount / total.amount),
        "amount": float(price.amount),
        "delta": float(price.delta),
        "noise": noise_words(step.questions[0]),
        "looks": len(step.questions),
    }


def noise_words(question: Question) -> str:
    """One standard deviation of a question's noise, for people."""
    match question.mechanism:
        case DiscreteGaussian(sigma2):
            scale = float(sigma2) ** 0.5
        case SampledGaussian(sigma2, rate):
            moved = question.sensitivity(1, Relation.ADD_REMOVE).side2
            return f"{float(sigma2 / moved) ** 0.5:.3g} times what one row moves, each row in {float(rate):.3g} of them"
        case DiscreteLaplace(scale):
            scale = float(scale) * 2**0.5
        case Threshold(_, tau):
            return f"shows values that about {tau:,} rows have"
        case Gumbel(scale):
            scale = float(scale) * pi / 6**0.5
        case Exact():
            return "none: nobody can move it"
    rows = getattr(question, "synthetic_rows", 1)
    return f"+- {float(f'{scale / rows:.3g}'):,.10g} rows"


def make_plan(
    schema: Schema, budget: Budget, recipe: str = DEFAULT, workload: str = "2way", rows: int | None = None
) -> Plan:
    """A plan, refused where it cannot be carried out."""
    known = RECIPES[recipe]
    plan = Plan(schema, budget, known, read_workload(workload, schema), rows)
    plan = ordered(plan) if known.sampled else replace(plan, budget=replace(budget, order=None))
    plan.forecast  # noqa: B018  refuses what is infeasible
    for mechanism in {question.mechanism for step in plan.script for question in step.questions}:
        refuse_undrawable(mechanism)
    if plan.counts_rows and rows is None and times_wider(plan.count.mechanism) < LARGEST / DROWNED:
        raise Infeasible(
            f"the number of rows would be known within more than {DROWNED:,} rows only, too little to say how many to release",
            "give --rows, declare rows in the schema, or raise epsilon",
        )
    return plan


def epsilon_spent(plan: Plan) -> float:
    """The epsilon that the plan's questions really come to, at its delta: never above the budget."""
    spent = plan.price([question for step in plan.script for question in step.questions])
    return converted(spent, plan.budget.delta - plan.reserved_delta)
