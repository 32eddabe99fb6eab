"""Specs: every question goes through JSON and comes back the same: same digest, same price. Nothing else is read."""

import json
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest

from understudy.privacy.charge import Measure, price
from understudy.question.bound import Variations, WorstCell, WorstQuery
from understudy.question.categories import Categories
from understudy.question.count import Count
from understudy.question.critic import Conv, Critic, Dense, GroupNorm, Leaky, Scale
from understudy.question.critic_gradient import CriticGradient
from understudy.question.degrees import Degrees
from understudy.question.errors import Errors
from understudy.question.frame import Frame
from understudy.question.gradient_step import GradientStep, Weights
from understudy.question.lift import Ball, Waves
from understudy.question.linear import LinearGradient, Vertex
from understudy.question.marginals import Marginals
from understudy.question.mean_features import MeanFeatures
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, SampledGaussian, Threshold
from understudy.question.moments import FROBENIUS, Moments
from understudy.question.norms import Norms
from understudy.question.payoff import Payoff
from understudy.question.quantiles import Quantiles
from understudy.question.queries import Box, HalfSpace
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.select_cell import SelectCell
from understudy.question.spec import MECHANISMS, QUESTIONS, from_spec, to_spec
from understudy.question.vote import Vote
from understudy.refusal import Tampered
from understudy.schema.grid import Grid
from understudy.schema.relation import Relation

PAIRS = (("a",), ("a", "b"))
TABLES = Reference.of_tables({("a",): np.array([1, 2]), ("a", "b"): np.zeros((2, 3), dtype=np.int64)})
GAUSS, LAPLACE = DiscreteGaussian(Fraction(9, 2)), DiscreteLaplace(Fraction(7, 3))
QUERIES = Box((("a", 0, 1), ("b", 2, 2))), HalfSpace((("a", 2), ("b", -3)), -1)
FRAME = Frame("ball", "multinomial", 4, 3, 1)
CRITIC = Critic((4, 4, 1), (Conv(2, 3, 2), GroupNorm(2), Scale(), Leaky(), Dense(1)))
SAMPLE = SampledGaussian(Fraction(10**10), Fraction(1, 50))

BALL, WAVES = Ball(("a", "b"), 7, 99, TABLES), Waves(("a",), 8, TABLES)

QUESTIONS_ASKED = {
    "count": Count(LAPLACE),
    "count, exact": Count(Exact()),
    "marginals": Marginals(GAUSS, PAIRS),
    "select": Select(Gumbel(Fraction(5, 3)), PAIRS, TABLES),
    "select, weighted": Select(Gumbel(Fraction(5, 3)), PAIRS, TABLES, (3, 1), (0, -4)),
    "select cell": SelectCell(Gumbel(Fraction(5, 3)), PAIRS, QUERIES, TABLES, 3),
    "payoff": Payoff(GAUSS, QUERIES, (3, -2), 4, 5, "best"),
    "critic gradient": CriticGradient(GAUSS, PAIRS, TABLES),
    "errors": Errors(GAUSS, PAIRS, TABLES),
    "quantiles": Quantiles(LAPLACE, "income", Grid((-(2**61), -5, 0, 7), 2**61)),
    "categories": Categories(Threshold(Fraction(8, 3), 40), "town, with a \u00fc"),
    "worst cell": WorstCell(GAUSS, PAIRS, TABLES, 50, 60),
    "variations": Variations(LAPLACE, PAIRS, TABLES, 50, 60),
    "mean features": MeanFeatures(LAPLACE, WAVES, "", 1),
    "moments": Moments(GAUSS, BALL, "b", 3, FROBENIUS),
    "norms": Norms(GAUSS, BALL, "b", 3, (5, 9)),
    "gradient step": GradientStep(SAMPLE, ("a", "b"), (2, 3), CRITIC, "hinge", Fraction(1, 3), Weights("x"), 7),
    "worst query": WorstQuery(GAUSS, QUERIES, (4, 5), 50, 60),
    "vote": Vote(GAUSS, ("a", "b"), TABLES, 5, 40),
    "degrees": Degrees(GAUSS, "tie", (4, 3)),
    "vertex": Vertex(Gumbel(Fraction(5, 3)), FRAME, TABLES),
    "linear gradient": LinearGradient(GAUSS, FRAME, TABLES),
    "linear gradient of a sample": LinearGradient(SampledGaussian(Fraction(2**60), Fraction(1, 9)), FRAME, TABLES),
}


def told(question):
    """Through JSON and back."""
    return from_spec(json.loads(json.dumps(to_spec(question))))


def test_every_question_and_every_mechanism_is_here():
    assert {type(question) for question in QUESTIONS_ASKED.values()} == set(QUESTIONS.values())
    assert {type(question.mechanism) for question in QUESTIONS_ASKED.values()} == set(MECHANISMS)


@pytest.mark.parametrize("question", QUESTIONS_ASKED.values(), ids=QUESTIONS_ASKED)
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_a_question_comes_back_the_same(question, relation):
    again = told(question)
    assert again == question
    assert again.digest == question.digest
    assert again.sensitivity(3, relation) == question.sensitivity(3, relation)
    if not isinstance(question.mechanism, Exact):
        measure = Measure.RENYI_8
        prices = [price(q.mechanism, q.sensitivity(3, relation), relation, measure) for q in (question, again)]
        assert prices[0] == prices[1]


@pytest.mark.parametrize("question", QUESTIONS_ASKED.values(), ids=QUESTIONS_ASKED)
def test_every_field_is_in_the_digest(question):
    """Whatever the spec leaves out could be changed after the charge."""
    others = {
        "mechanism": DiscreteGaussian(Fraction(11)),
        "cliques": (("z",),),
        "candidates": (("z",),) * 2,
        "reference": Reference("z"),
        "synthetic": Reference("z"),
        "weights": (7, 7),
        "biases": (7, 7),
        "queries": QUERIES[:1] * 2,
        "expected": (9, 9),
        "synthetic_rows": 51,
        "times": 9,
        "promised": 9,
        "rounds": 9,
        "player": "weights",
        "n": 61,
        "column": "z",
        "frame": Frame("cube", "squared", 4, 1, 0),
        "grid": Grid((0,), 1),
        "lift": Ball(("a",), 7, 98, TABLES),
        "label": "z",
        "classes": 8,
        "edges": (4,),
        "columns": ("z",),
        "sizes": (3, 2),
        "teachers": 41,
        "critic": Critic((5,), (Dense(1),)),
        "loss": "logistic",
        "clip": Fraction(1, 4),
        "step": 8,
    }
    if isinstance(question, GradientStep):
        others["weights"] = Weights("z")
    for name in (field.name for field in fields(question)):
        changed = type(question)(**{f.name: getattr(question, f.name) for f in fields(question)} | {name: others[name]})
        assert changed.digest != question.digest, name


@pytest.mark.parametrize("question", [Select(GAUSS, PAIRS, TABLES), WorstCell(GAUSS, PAIRS, TABLES, 5, 6)])
def test_a_question_from_a_tape_has_no_tables(question):
    again = told(question)
    with pytest.raises(TypeError, match="digest only"):
        (again.reference if isinstance(again, Select) else again.synthetic)["a",]


WRONG = {
    "an unknown kind": {"kind": "peek", "mechanism": {"kind": "Exact"}},
    "no kind": {"mechanism": {"kind": "Exact"}},
    "an unknown mechanism": {"kind": "count", "mechanism": {"kind": "Nothing"}},
    "a field too many": {"kind": "count", "mechanism": {"kind": "Exact"}, "n": 3},
    "a field too few": {"kind": "marginals", "mechanism": {"kind": "Exact"}},
    "a scale that is none": {"kind": "count", "mechanism": {"kind": "DiscreteLaplace", "scale": "x"}},
    "marginals of numbers": {"kind": "marginals", "mechanism": {"kind": "Exact"}, "cliques": [1]},
}


@pytest.mark.parametrize("spec", WRONG.values(), ids=WRONG)
def test_what_is_not_a_question_is_refused(spec):
    with pytest.raises(Tampered):
        from_spec(spec)
