"""Attacks on models: they find members of an overfitted model, and nothing beyond the bound on a private one."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from understudy.attack import lira, metrics, neural
from understudy.attack.result import Result, pooled
from understudy.attack.shadow import shadows
from understudy.learn.plain import PlainClassifier, PlainRegressor
from understudy.learn.private import DescentClassifier, rehearse

PEOPLE, FEATURES = 200, 150


def world(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Many features, few people, noisy labels: a model that fits them has learnt the people."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (PEOPLE, FEATURES))
    return x, (x[:, 0] + rng.normal(0, 0.7, PEOPLE) > 0).astype(int)


def overfitted(x: np.ndarray, y: np.ndarray, number: int) -> PlainClassifier:
    return PlainClassifier(x_bound=9, radius=400, classes=(0, 1), constraint="l2", steps=400).fit(x, y)


def private(x: np.ndarray, y: np.ndarray, number: int) -> DescentClassifier:
    model = DescentClassifier(epsilon=1, delta="1e-5", x_bound=8, radius=20, classes=(0, 1), steps=20)
    return rehearse(model, x, y, seed=number)


def split(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(PEOPLE) < 0.5


@pytest.fixture(scope="module")
def enemy():
    x, y = world(0)
    return x, y, shadows(overfitted, x, y, 32, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["confidence", "loss", "modified entropy", "entropy"])
def test_metrics_find_members_of_an_overfitted_model(name: str) -> None:
    x, y = world(0)
    inside = split(2)
    told = metrics.CLASSIFIER[name](overfitted(x[inside], y[inside], 0), x, y)
    assert Result(name, told[inside], told[~inside]).auc > 0.7


def test_correctness_is_the_gap_of_accuracies() -> None:
    x, y = world(0)
    inside = split(2)
    model = overfitted(x[inside], y[inside], 0)
    told = metrics.correctness(model, x, y)
    gap = model.score(x[inside], y[inside]) - model.score(x[~inside], y[~inside])
    assert Result("correctness", told[inside], told[~inside]).advantage == pytest.approx(gap)


def test_learned_attacks_find_members_too(enemy) -> None:
    x, y, trained = enemy
    inside = split(3)
    model = overfitted(x[inside], y[inside], 0)
    told = {"lira": lira.scores(model, x, y, trained)}
    for look in (neural.black_box, neural.white_box):
        judge = neural.judge(look, x, y, trained, np.random.default_rng(4))
        told[look.__name__] = judge.scores(model, x, y)
    found = {name: Result(name, s[inside], s[~inside]).auc for name, s in told.items()}
    assert found["lira"] > 0.85, found
    assert min(found.values()) > 0.7, found


def test_a_private_model_keeps_within_its_bound() -> None:
    """Pooled over runs: no attack's TPR is certifiably above what epsilon 1 allows."""
    x, y = world(0)
    trained = shadows(private, x, y, 32, np.random.default_rng(1))
    results = []
    for run in range(20):
        inside = split(100 + run)
        told = lira.scores(private(x[inside], y[inside], 1_000 + run), x, y, trained)
        results.append(Result("lira", told[inside], told[~inside]))
    result = pooled(results)
    for fpr in (0.001, 0.01, 0.1, 0.5):
        assert result.interval(fpr, 0.999)[0] <= result.allowed(fpr, 1.0, 1e-5)


def test_a_threshold_comes_from_shadows_alone(enemy) -> None:
    x, y, trained = enemy
    scores = np.stack([metrics.loss(model, x, y) for model in trained.models])
    cut = metrics.threshold(scores[trained.inside], scores[~trained.inside])
    inside = split(5)
    told = metrics.loss(overfitted(x[inside], y[inside], 0), x, y)
    assert metrics.accuracy(told[inside], told[~inside], cut) > 0.65


def test_the_order_in_which_classes_are_named_does_not_matter() -> None:
    x, y = world(0)
    inside, names = split(5), np.array(["yes", "no"])[y]
    told = [
        metrics.loss(
            PlainClassifier(x_bound=9, radius=400, classes=classes, constraint="l2").fit(x[inside], names[inside]),
            x,
            names,
        )
        for classes in (("no", "yes"), ("yes", "no"))
    ]
    assert np.allclose(told[0], told[1])


def test_models_of_other_makers_are_attacked_alike() -> None:
    x, y = world(0)
    inside = split(6)
    for model in (LogisticRegression(C=1e4, max_iter=2_000), KNeighborsClassifier(1)):
        told = metrics.loss(model.fit(x[inside], y[inside]), x, y)
        assert Result("loss", told[inside], told[~inside]).auc > 0.65


def test_regressors_too() -> None:
    x, y = world(0)
    inside, target = split(7), y + 0.1
    model = PlainRegressor(x_bound=9, radius=100, constraint="l2", steps=400).fit(x[inside], target[inside])
    told = metrics.REGRESSOR["loss"](model, x, target)
    assert Result("loss", told[inside], told[~inside]).auc > 0.7
    assert neural.white_box(model, x, target).shape[0] == PEOPLE


def test_the_result_of_chance_is_chance() -> None:
    rng = np.random.default_rng(0)
    told = Result("nothing", rng.random(5_000), rng.random(5_000))
    assert told.auc == pytest.approx(0.5, abs=0.03)
    assert told.interval(0.01)[0] <= 0.01 <= told.interval(0.01)[1]
    assert told.to_json()["members"] == 5_000


def test_modified_entropy_tells_a_sure_mistake_from_a_sure_hit() -> None:
    class Sure:
        classes_ = np.array([0, 1])

        def predict_proba(self, x: np.ndarray) -> np.ndarray:
            return np.array([[0.99, 0.01]] * len(x))

    x = np.zeros((2, 1))
    hit, miss = metrics.modified_entropy(Sure(), x, np.array([0, 1]))
    same = metrics.entropy(Sure(), x, np.array([0, 1]))
    assert hit > miss and same[0] == same[1]
