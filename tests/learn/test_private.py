"""Private estimators: scikit-learn's conventions, refusals in words, what is spent, and what is learnt."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV, cross_val_score

from understudy.learn.plain import PlainClassifier, PlainRegressor
from understudy.learn.private import (
    DescentClassifier,
    DescentRegressor,
    Private,
    SparseClassifier,
    SparseRegressor,
    rehearse,
)
from understudy.privacy.accountant import Budget
from understudy.privacy.ledger import Ledger
from understudy.refusal import BudgetRefused, Misuse
from understudy.schema.relation import Relation
from understudy.vault.tape import Tape

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, (4_000, 6))
HEIGHT = X[:, 0] - 0.7 * X[:, 1] + 0.4 * X[:, 2]
TARGET = HEIGHT + RNG.normal(0, 0.1, len(X))
TWO, THREE = (HEIGHT > 0).astype(int), np.digitize(HEIGHT, [-0.4, 0.4])
TERMS = {"epsilon": 2, "delta": "1e-6"}

KINDS: dict[str, tuple[Private, np.ndarray, float]] = {
    "sparse regressor": (SparseRegressor(**TERMS, x_bound=1, y_bound=2, radius=2.1), TARGET, 0.8),
    "sparse classifier": (SparseClassifier(**TERMS, x_bound=1, radius=8, classes=(0, 1)), TWO, 0.85),
    "sparse, three classes": (SparseClassifier(**TERMS, x_bound=1, radius=15, classes=(0, 1, 2)), THREE, 0.7),
    "descent regressor": (DescentRegressor(**TERMS, x_bound=1.5, y_bound=2, radius=2.5), TARGET, 0.6),
    "descent regressor in an octahedron": (
        DescentRegressor(**TERMS, x_bound=1.5, y_bound=2, radius=3.2, constraint="l1"),
        TARGET,
        0.5,
    ),
    "descent classifier": (DescentClassifier(**TERMS, x_bound=1.5, radius=10, classes=(0, 1)), TWO, 0.85),
    "descent, three classes": (DescentClassifier(**TERMS, x_bound=1.5, radius=10, classes=(0, 1, 2)), THREE, 0.55),
    "sampled descent": (
        DescentClassifier(**TERMS, x_bound=1.5, radius=10, classes=(0, 1), sample="1/20", steps=100),
        TWO,
        0.85,
    ),
}
each_kind = pytest.mark.parametrize(("estimator", "y", "score"), KINDS.values(), ids=KINDS)


@each_kind
def test_it_learns_within_its_budget(estimator: Private, y: np.ndarray, score: float) -> None:
    fitted = rehearse(clone(estimator), X, y, seed=1)
    assert fitted.score(X, y) > score
    assert 0.9 * 2 < fitted.epsilon_ <= 2
    assert not fitted.private_


@each_kind
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_the_same_answers_teach_the_same_whatever_the_rows(
    estimator: Private, y: np.ndarray, score: float, relation: Relation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replay: the model is a function of the tape."""
    estimator = clone(estimator).set_params(steps=5, relation=relation.value)
    first = rehearse(clone(estimator), X[:300], y[:300], seed=1)
    begun = Tape.__init__

    def told(self: Tape, header: dict, path: Path | None = None) -> None:
        begun(self, first.tape_.header, path)
        for entry in first.tape_:
            Tape.append(self, entry.question, entry.charge, entry.answer)

    monkeypatch.setattr("understudy.learn.private.Tape", type("Told", (Tape,), {"__init__": told}))
    other = rehearse(clone(estimator), -X[:7] * 1e9, y[::-1][:7], seed=2)
    assert np.array_equal(first.coef_, other.coef_)
    assert first.tape_.text() == other.tape_.text()


@each_kind
def test_scikit_learn_can_handle_it(estimator: Private, y: np.ndarray, score: float) -> None:
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert copy.set_params(steps=7).steps == 7
    assert repr(copy).startswith(type(copy).__name__ + "(")
    assert is_classifier(copy) != is_regressor(copy)
    fitted = copy.fit(X[:200], y[:200])
    assert fitted is copy and fitted.private_
    assert fitted.n_features_in_ == 6 and fitted.coef_.shape[1] == 6
    assert len(fitted.predict(X[:5])) == 5
    if is_classifier(copy):
        chances = copy.predict_proba(X[:5])
        assert chances.shape == (5, len(copy.classes_)) and np.allclose(chances.sum(axis=1), 1)


def test_cross_validation_and_search_run() -> None:
    """They are charged to nobody here: each fold is a release of its own people."""
    model = SparseClassifier(epsilon=50, delta="1e-6", x_bound=1, radius=8, classes=(0, 1), steps=10)
    assert cross_val_score(model, X[:600], TWO[:600], cv=3).mean() > 0.7
    assert GridSearchCV(model, {"radius": [2, 8]}, cv=2).fit(X[:300], TWO[:300]).best_params_["radius"] in (2, 8)


def test_pure_epsilon_is_possible() -> None:
    model = SparseRegressor(epsilon=5, delta=0, x_bound=1, y_bound=2, radius=2.1, steps=10)
    assert rehearse(model, X, TARGET, seed=0).epsilon_ <= 5


def test_a_named_ledger_is_charged_and_refuses(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    words = {"epsilon": 3, "delta": "2e-6", "relation": Relation.ADD_REMOVE}
    book = Ledger.create(path, unit="row", population="all", **words)
    model = SparseRegressor(**TERMS, x_bound=1, y_bound=2, radius=2.1, steps=3, ledger=str(path))
    model.fit(X[:50], TARGET[:50])
    assert book.left()[0] == 1
    with pytest.raises(BudgetRefused):
        clone(model).fit(X[:50], TARGET[:50])


REFUSED = {
    "a column of words": ({}, np.array([["a"]]), np.array([1.0])),
    "a list": ({}, X[:, 0], TARGET),
    "a target of another length": ({}, X, TARGET[:-1]),
    "a target of words": ({}, X[:1], np.array(["a"])),
    "no bound": ({"x_bound": 0}, X, TARGET),
    "an infinite radius": ({"radius": float("inf")}, X, TARGET),
    "no step": ({"steps": 0}, X, TARGET),
    "another relation": ({"relation": "both"}, X, TARGET),
}


@pytest.mark.parametrize(("words", "x", "y"), REFUSED.values(), ids=list(REFUSED))
def test_bad_input_is_refused_in_words(words: dict, x: np.ndarray, y: np.ndarray) -> None:
    model = SparseRegressor(**TERMS, x_bound=1, y_bound=2, radius=2.1).set_params(**words)
    with pytest.raises(Misuse) as refused:
        model.fit(x, y)
    assert "; " in str(refused.value)


def test_other_misuse_is_refused() -> None:
    model = SparseClassifier(**TERMS, x_bound=1, radius=2, classes=(0, 1))
    with pytest.raises(Misuse, match="not fitted"):
        model.predict(X)
    with pytest.raises(Misuse, match="no parameter"):
        model.set_params(colour=1)
    with pytest.raises(Misuse, match="classes"):
        clone(model).set_params(classes=(1, 1)).fit(X, TWO)
    with pytest.raises(Misuse, match="features"):
        rehearse(model, X, TWO, seed=0).predict(X[:, :2])
    with pytest.raises(Misuse, match="sample"):
        DescentClassifier(**TERMS, x_bound=1, radius=2, classes=(0, 1), sample=2).fit(X, TWO)


def test_a_value_is_never_refused() -> None:
    """Whatever stands in the rows: clipped, nothing, or no class at all."""
    x, y = X[:60].copy(), TWO[:60].astype(float)
    x[0], x[1], y[2], y[3] = np.nan, np.inf, np.nan, 17
    rehearse(SparseClassifier(**TERMS, x_bound=1, radius=2, classes=(0, 1), steps=2), x, y, seed=0)
    rehearse(SparseRegressor(**TERMS, x_bound=1, y_bound=1, radius=2, steps=2), x, y, seed=0)
    rehearse(SparseRegressor(**TERMS, x_bound=1, y_bound=1, radius=2, steps=2), x[:0], y[:0], seed=0)


def test_the_excess_risk_is_what_the_docstrings_say() -> None:
    """Least squares with a known minimum: the mean excess of a few fits, and the stated bounds, which f(0) exceeds."""
    n, w = 40_000, np.array([0.6, -0.3, 0.1])
    rho = float(Budget(5, Fraction(1, 10**6), Relation.ADD_REMOVE).total().amount)
    cube = np.random.default_rng(2).uniform(-1, 1, (n, 3))
    words = {"epsilon": 5, "delta": "1e-6", "x_bound": 1, "y_bound": 1, "radius": 1, "intercept": False, "steps": 400}

    def excess(kind: type[Private], x: np.ndarray) -> float:
        fits = [rehearse(kind(**words), x, x @ w, seed=seed).coef_[0] - w for seed in range(3)]
        return float(np.mean([((x @ off) ** 2).mean() / 2 for off in fits]))

    def nothing(x: np.ndarray) -> float:
        return float(((x @ w) ** 2).mean() / 2)

    # in units of the residual's bound r + y_bound = 2, squares of 4, the model's radius is 1/2
    radius, one = 1 / 2, math.sqrt(8 * rho / 400)
    bound = 2 * (2 * radius) ** 2 / 402 + 2 * radius * 2 / (n * one) * (1 + math.log(6)) + 2 * radius / 2**10
    assert excess(SparseRegressor, cube) <= 4 * bound < nothing(cube)
    sigma2, eta = 400 / (2 * 0.98 * rho), 1 / 2
    bound = 4 * radius**2 / (eta * 400) + eta * 3 * sigma2 / n**2 + 2 * radius / 2**10
    assert excess(DescentRegressor, cube / 3**0.5) <= 4 * bound < nothing(cube / 3**0.5)


def test_the_plain_twins_agree_with_scikit_learn() -> None:
    from sklearn.linear_model import LinearRegression, LogisticRegression

    ours = PlainRegressor(x_bound=3, radius=9, constraint="l2", steps=2_000).fit(X, TARGET)
    theirs = LinearRegression().fit(X, TARGET)
    assert ours.coef_[0] == pytest.approx(theirs.coef_, abs=0.02)
    assert PlainRegressor(x_bound=1, radius=2.2).fit(X, TARGET).score(X, TARGET) > 0.95
    logistic = PlainClassifier(x_bound=1, radius=60, classes=(0, 1)).fit(X, TWO)
    assert logistic.score(X, TWO) > LogisticRegression().fit(X, TWO).score(X, TWO) - 0.03
    assert PlainClassifier(x_bound=1, radius=60, classes=(0, 1, 2)).fit(X, THREE).score(X, THREE) > 0.9
