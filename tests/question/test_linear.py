"""The steepest vertex and the noisy gradient: what one example moves, over every small table of corners and ordinary points."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest

from understudy.question.frame import C, Frame, W, X
from understudy.question.linear import MODEL, LinearGradient, Vertex
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.column import Boolean
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.examples import Labels, SealedExamples, vault_of
from understudy.vault.vault import Vault

SCHEMA = Schema("examples", Unit("row"), (Boolean("label"),))
AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
BOUND = 2.0
POINTS = np.array([[2, 0], [-2, 0], [0, 2], [0, -2], [2, 2], [-2, 2], [0.3, -0.7], [1e9, np.nan], [0, 0]])
LABELS = {
    "squared": Labels(bound=1.0, unit=2.0),
    "logistic": Labels(("a", "b")),
    "multinomial": Labels(("a", "b", "c")),
}
VALUES = {"squared": [-1.0, 1.0, np.inf], "logistic": ["a", "b", "?"], "multinomial": ["a", "b", "c"]}
FRAMES = [
    Frame(geometry, loss, 2, 3 if loss == "multinomial" else 1, intercept)
    for geometry in ("cube", "ball")
    for loss in LABELS
    for intercept in (0, 1)
]
each_frame = pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f"{f.loss}, {f.geometry}, {f.intercept} intercept")


def models(frame: Frame) -> list[np.ndarray]:
    """Nothing, a model at its radius, and one that is very sure."""
    nothing = np.zeros((frame.width, frame.outputs), dtype=np.int64)
    last, first = nothing.copy(), nothing.copy()
    last[-2, -1], first[-2, 0] = W // 2 if frame.loss == "squared" else 30 * W, -W // 2
    return [nothing, last, first]


def asked(kind: type, frame: Frame, model: np.ndarray):
    return kind(Exact(), frame, Reference.of_tables({MODEL: model}))


def answer(question, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return question.statistic(SealedExamples(x, y, question.frame, BOUND, LABELS[question.frame.loss]))


def terms(kind: type, frame: Frame) -> Iterator[list[np.ndarray]]:
    """For each model, what every single example adds to the statistic."""
    for model in models(frame):
        question = asked(kind, frame, model)
        yield [answer(question, point[None, :], np.array([value])) for point in POINTS for value in VALUES[frame.loss]]


def moved(kind: type, frame: Frame, relation: Relation) -> Sensitivity:
    """The largest moves: a single example for nothing, or for another."""
    far = []
    for alone in terms(kind, frame):
        far += alone if relation is AR else [a - b for a in alone for b in alone]
    return Sensitivity(
        l1=max(int(np.abs(d).sum()) for d in far),
        l2sq=max(int((d**2).sum()) for d in far),
        linf=max(int(np.abs(d).max()) for d in far),
    )


@each_frame
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("kind", [Vertex, LinearGradient])
def test_no_example_moves_more_than_is_declared(kind: type, frame: Frame, relation: Relation) -> None:
    truth = moved(kind, frame, relation)
    declared = asked(kind, frame, models(frame)[0]).sensitivity(1, relation)
    assert truth.l1 <= declared.l1
    assert truth.l2sq <= declared.l2sq
    assert truth.linf <= declared.linf
    if relation is AR or frame.geometry == "cube":
        assert truth.linf >= declared.linf * (1 - 2 / C), "it is reached, but for the cutting of a residual"


@pytest.mark.parametrize("frame", [f for f in FRAMES if f.geometry == "ball" and not f.intercept], ids=lambda f: f.loss)
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_the_norm_is_reached_and_a_smaller_one_rejected(frame: Frame, relation: Relation) -> None:
    truth = moved(LinearGradient, frame, relation).l2sq
    declared = asked(LinearGradient, frame, models(frame)[0]).sensitivity(1, relation)
    assert truth > (0.9 if relation is AR else 0.35) * declared.l2sq
    without_two = replace(frame, loss="logistic", outputs=1) if frame.loss == "multinomial" else frame
    broken = asked(LinearGradient, without_two, models(frame)[0]).sensitivity(1, AR)
    if frame.loss == "multinomial" or relation is RO:
        assert truth > broken.l2sq


@each_frame
def test_tables_add_up_exactly(frame: Frame) -> None:
    """All tables of at most three examples: the statistic is the sum of the rows' own terms."""
    question = asked(LinearGradient, frame, models(frame)[1])
    examples = [(point, value) for point in POINTS[:4] for value in VALUES[frame.loss][:2]]
    alone = [answer(question, x[None, :], np.array([y])) for x, y in examples]
    for chosen in combinations_with_replacement(range(len(examples)), 3):
        x, y = np.array([examples[i][0] for i in chosen]), np.array([examples[i][1] for i in chosen])
        assert np.array_equal(answer(question, x, y), sum(alone[i] for i in chosen))


@pytest.mark.parametrize("features", [1, 3, 50])
def test_a_rows_term_is_the_same_wherever_it_stands(features: int) -> None:
    """Alone, first, last, and among 5,000 others: no rounding depends on the company."""
    rng = np.random.default_rng(features)
    frame = Frame("ball", "multinomial", features, 3, 1)
    model = rng.integers(-W, W, (frame.width, 3))
    x, y = rng.normal(size=(5_000, features)), rng.choice(["a", "b", "c"], 5_000)
    question = asked(LinearGradient, frame, model)
    whole = answer(question, x, y)
    for i in (0, 1, 2_500, 4_999):
        others = np.delete(np.arange(5_000), i)
        assert np.array_equal(
            whole - answer(question, x[others], y[others]), answer(question, x[i : i + 1], y[i : i + 1])
        )
    order = rng.permutation(5_000)
    assert np.array_equal(whole, answer(question, x[order], y[order]))


@each_frame
def test_wild_values_stay_within_the_frame(frame: Frame) -> None:
    wild = np.array([[np.inf, -np.inf], [1e300, 1e300], [np.nan, 5e-324], [-2.0000001, 2.0]])
    sealed = SealedExamples(wild, np.array([VALUES[frame.loss][0]] * 4), frame, BOUND, LABELS[frame.loss])
    ((block, _),) = sealed.blocks(frame)
    assert np.abs(block).max() <= X
    assert (block**2).sum(axis=1).max() <= frame.norm2


def test_the_gradient_is_the_losses() -> None:
    """Against derivatives in floating point, to the cutting of the grid."""
    rng = np.random.default_rng(0)
    x, w = rng.uniform(-1, 1, (200, 2)), np.array([[0.8], [-1.1]])
    y = rng.choice(["a", "b"], 200)
    frame = Frame("cube", "logistic", 2, 1, 0)
    question = asked(LinearGradient, frame, np.rint(w * W).astype(np.int64))
    heights = (x / BOUND) @ w
    expected = (x / BOUND).T @ (1 / (1 + np.exp(-heights)) - (y == "b")[:, None])
    assert answer(question, x, y) / (X * C) == pytest.approx(expected[:, 0], abs=200 * 3 / C)


@pytest.mark.parametrize("outputs", [1, 2, 3, 10])
def test_the_grid_is_off_by_a_thousandth_at_most(outputs: int) -> None:
    """Residuals beside the exact ones: the 2^-10 of the excess risk's last term."""
    heights = np.random.default_rng(outputs).normal(0, 3, (20_000, outputs))
    labels = np.random.default_rng(0).integers(0, max(outputs, 2), 20_000)
    loss = "logistic" if outputs == 1 else "multinomial"
    cut = Frame("cube", loss, 2, outputs, 0).residuals(np.rint(heights * X * W).astype(np.int64), labels) / C
    if outputs == 1:
        exact = 1 / (1 + np.exp(-heights)) - (labels == 1)[:, None]
    else:
        weights = np.exp(heights - heights.max(axis=1, keepdims=True))
        exact = weights / weights.sum(axis=1, keepdims=True) - np.eye(outputs)[labels]
    assert 2**-13 < np.abs(cut - exact).max() <= 2**-10


def test_another_frame_and_another_shape_are_refused() -> None:
    frame = Frame("cube", "squared", 2, 1, 0)
    vault = vault_of(POINTS, np.zeros(len(POINTS)), frame, BOUND, LABELS["squared"], SCHEMA)
    with pytest.raises(Misuse):
        vault._look(asked(LinearGradient, replace(frame, intercept=1), np.zeros((3, 1), dtype=np.int64)))
    with pytest.raises(Misuse):
        vault._look(asked(LinearGradient, frame, np.zeros((3, 1), dtype=np.int64)))
    with pytest.raises(Misuse):
        vault._look(asked(LinearGradient, frame, np.full((2, 1), 2**52)))
    import pyarrow as pa

    with pytest.raises(Misuse):
        Vault(pa.table({"label": [True]}), SCHEMA)._look(asked(Vertex, frame, np.zeros((2, 1), dtype=np.int64)))


@pytest.mark.parametrize(
    "words", [("disk", "squared", 2, 1, 0), ("cube", "hinge", 2, 1, 0), ("cube", "multinomial", 2, 1, 0)]
)
def test_a_frame_that_makes_no_sense_is_refused(words: tuple) -> None:
    with pytest.raises(Misuse):
        Frame(*words)
