"""Questions as JSON: what the tape records, and what `verify` prices again without any private data.

>>> from fractions import Fraction
>>> from understudy.question.marginals import Marginals
>>> from understudy.question.mechanism import DiscreteGaussian
>>> asked = Marginals(DiscreteGaussian(Fraction(9, 2)), (("age",), ("age", "sex")))
>>> to_spec(asked)["mechanism"]
{'kind': 'DiscreteGaussian', 'sigma2': '9/2'}
>>> from_spec(to_spec(asked)) == asked
True
"""

from dataclasses import fields
from fractions import Fraction
from typing import Any, get_args

from understudy.question import mechanism as mechanisms
from understudy.question.bound import Variations, WorstCell, WorstQuery
from understudy.question.categories import Categories
from understudy.question.count import Count
from understudy.question.critic import LAYERS, Critic, Layer
from understudy.question.critic_gradient import CriticGradient
from understudy.question.degrees import Degrees
from understudy.question.errors import Errors
from understudy.question.frame import Frame
from understudy.question.gradient_step import GradientStep, Weights
from understudy.question.lift import Ball, Lift, Scores, Waves
from understudy.question.linear import LinearGradient, Vertex
from understudy.question.marginals import Marginals
from understudy.question.mean_features import MeanFeatures
from understudy.question.mechanism import Mechanism
from understudy.question.moments import Moments
from understudy.question.norms import Norms
from understudy.question.payoff import Payoff
from understudy.question.quantiles import Quantiles
from understudy.question.queries import Box, HalfSpace, Query
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.select_cell import SelectCell
from understudy.question.vote import Vote
from understudy.refusal import Tampered
from understudy.schema.grid import Grid

Json = Any

# The closed lists of what may be asked, and with which noise. The gate admits these types exactly, and no subclass.
ASKED: tuple[type[Question], ...] = (
    Count,
    Marginals,
    Degrees,
    Select,
    SelectCell,
    Payoff,
    CriticGradient,
    Errors,
    Quantiles,
    Categories,
    GradientStep,
    Vote,
    WorstCell,
    Variations,
    WorstQuery,
    Vertex,
    LinearGradient,
    MeanFeatures,
    Moments,
    Norms,
)
QUESTIONS: dict[str, type[Question]] = {question.kind: question for question in ASKED}
MECHANISMS: tuple[type, ...] = get_args(Mechanism)


def to_spec(question: Question) -> dict[str, Json]:
    """A question as JSON, its public reference tables by digest."""
    named = {field.name: plain(getattr(question, field.name)) for field in fields(question)}
    return {"kind": question.kind, **named}


def from_spec(spec: dict[str, Json]) -> Question:
    """The question that a spec describes: it can be priced, and, where it has no reference tables, asked."""
    try:
        named = dict(spec)
        kind = QUESTIONS[named.pop("kind")]
        return kind(**{name: READERS[name](value) for name, value in named.items()})
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Tampered(
            "the tape holds a question that this version does not know", "verify it where it was made"
        ) from None


def plain(value: object) -> Json:
    """A field as JSON."""
    match value:
        case Fraction():
            return str(value)
        case tuple():
            return [plain(item) for item in value]
        case Reference() | Weights():
            return value.digest
        case Grid():
            return {"starts": list(value.starts), "high": value.high}
        case str() | int():
            return value
    return {"kind": type(value).__name__, **{f.name: plain(getattr(value, f.name)) for f in fields(value)}}  # type: ignore[arg-type]


def mechanism(value: Json) -> Mechanism:
    """A mechanism from its JSON."""
    parsed = {name: Fraction(item) if isinstance(item, str) else item for name, item in value.items() if name != "kind"}
    kinds = {kind.__name__: kind for kind in mechanisms.Mechanism.__args__}
    return kinds[value["kind"]](**parsed)  # type: ignore[no-any-return]


def cliques(value: Json) -> tuple[tuple[str, ...], ...]:
    """A list of lists of column names."""
    return tuple(tuple(str(name) for name in clique) for clique in value)


def query(value: Json) -> Query:
    """A listed query from its JSON."""
    if value["kind"] == "Box":
        return Box(tuple((str(name), int(low), int(high)) for name, low, high in value["sides"]))
    return HalfSpace(tuple((str(name), int(weight)) for name, weight in value["weights"]), int(value["at_least"]))


def lift(value: Json) -> Lift:
    """A lift from its JSON, its public tables by digest."""
    columns, dimension = tuple(str(name) for name in value["columns"]), int(value["dimension"])
    if value["kind"] == "Waves":
        return Waves(columns, dimension, Reference(value["frequencies"]))
    if value["kind"] == "Scores":
        return Scores(columns, dimension, int(value["clip"]), Reference(value["tables"]))
    return Ball(columns, dimension, int(value["clip"]), Reference(value["centre"]), Reference(value["projection"]))


def layer(value: Json) -> Layer:
    """A critic's layer from its JSON."""
    kinds = {kind.__name__: kind for kind in LAYERS}
    return kinds[value["kind"]](**{name: int(item) for name, item in value.items() if name != "kind"})


def whole(value: Json) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(int(number) for number in value)


READERS: dict[str, Any] = {
    "mechanism": mechanism,
    "cliques": cliques,
    "candidates": cliques,
    "reference": Reference,
    "weights": lambda value: Weights(value) if isinstance(value, str) else whole(value),
    "biases": whole,
    "synthetic": Reference,
    "queries": lambda value: tuple(query(words) for words in value),
    "expected": lambda value: tuple(int(count) for count in value),
    "times": int,
    "promised": int,
    "rounds": int,
    "player": str,
    "synthetic_rows": int,
    "lift": lift,
    "label": str,
    "classes": int,
    "edges": whole,
    "n": int,
    "teachers": int,
    "column": str,
    "frame": lambda value: Frame(**{name: item for name, item in value.items() if name != "kind"}),
    "columns": lambda value: tuple(str(name) for name in value),
    "sizes": whole,
    "critic": lambda value: Critic(whole(value["inputs"]), tuple(layer(words) for words in value["layers"])),
    "loss": str,
    "clip": Fraction,
    "step": int,
    "grid": lambda value: Grid(tuple(value["starts"]), value["high"]),
}
