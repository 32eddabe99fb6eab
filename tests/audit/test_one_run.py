"""One-run audits: the ceilings of the literature, validity on randomized response, and a fit that adds no noise."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit
from stand_in import plan, rows, wide_plan, wide_rows

from understudy.audit.canaries import one_run
from understudy.audit.one_run import audit_descent, chance, epsilon_of_guesses, guess
from understudy.audit.rehearsal import rehearsal
from understudy.learn.private import DescentClassifier, DescentRegressor
from understudy.noise.entropy import Seeded
from understudy.question.mechanism import DiscreteGaussian

X = np.random.default_rng(0).uniform(-1, 1, (300, 4))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("canaries", "right", "ceiling"),
    [(100, 100, 3.49), (1_000, 1_000, 5.81), (10_000, 10_000, 8.09), (1_000, 600, 0.297)],
)
def test_the_ceilings(canaries: int, right: int, ceiling: float) -> None:
    assert epsilon_of_guesses(canaries, canaries, right, 1e-6) == pytest.approx(ceiling, abs=0.01)


def test_randomized_response_is_refuted_as_seldom_as_allowed() -> None:
    """Each canary's bit is told truly with probability q: exactly (1, 0)-private."""
    rng, m, wrong = np.random.default_rng(0), 300, 0
    for _ in range(400):
        right = int((rng.random(m) < expit(1.0)).sum())
        wrong += epsilon_of_guesses(m, m, right, 0.0) > 1.0
    assert wrong <= 400 * 0.05 + 3 * 4.4


def test_the_chance_rises_with_delta_and_falls_with_hits() -> None:
    assert chance(100, 100, 70, 1e-3, 0.5) > chance(100, 100, 70, 0.0, 0.5) > chance(100, 100, 80, 0.0, 0.5)
    assert epsilon_of_guesses(100, 100, 50, 1e-6) == 0.0


def test_guesses_go_to_the_ends() -> None:
    assert guess([0.0, 5.0, 1.0, 4.0], [False, True, True, False], 2) == 2
    assert guess([0.0, 5.0, 1.0, 4.0], [False, True, True, False], 4) == 2


MODELS = {
    "all rows": lambda **w: DescentClassifier(**w, x_bound=2, radius=4, classes=(0, 1), steps=20),
    "a sample": lambda **w: DescentClassifier(**w, x_bound=2, radius=4, classes=(0, 1), steps=40, sample="1/4"),
    "a regressor": lambda **w: DescentRegressor(**w, x_bound=2, y_bound=1, radius=1, steps=20),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
@pytest.mark.parametrize("epsilon", [1, 4])
def test_private_descent_is_not_refuted(make, epsilon: int) -> None:
    assert audit_descent(make(epsilon=epsilon, delta="1e-5"), X, Y, 200, Seeded(3)) <= epsilon


def less_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: the noise that was charged, divided by a hundred before it is drawn."""
    import understudy.vault.gate as gate

    draw = gate.draw

    def less(mechanism, exact, entropy):
        if isinstance(mechanism, DiscreteGaussian):
            mechanism = DiscreteGaussian(mechanism.sigma2 * Fraction(1, 10_000))
        return draw(mechanism, exact, entropy)

    monkeypatch.setattr(gate, "draw", less)


def test_descent_with_a_hundredth_of_the_noise_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    less_noise(monkeypatch)
    assert audit_descent(MODELS["all rows"](epsilon=1, delta="1e-5"), X, Y, 200, Seeded(3)) > 1


def made(relation: str, epsilon: str):
    agreed, people = wide_plan("querygan_e", relation, epsilon), wide_rows()
    return one_run(agreed, people, rehearsal(agreed, people, [], 1).asked, seed=5)


@pytest.mark.parametrize("relation", ["add-remove", pytest.param("replace-one", marks=pytest.mark.full)])
def test_a_gradient_recipe_is_not_refuted(relation: str) -> None:
    found = made(relation, "1")
    assert found is not None and found.canaries == 100 and not found.refuted


def test_canaries_show_a_gradient_recipe_without_its_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    less_noise(monkeypatch)
    found = made("add-remove", "1")
    assert found is not None and found.refuted and found.right > 90


def test_a_recipe_without_gradients_has_no_one_run() -> None:
    assert one_run(plan("pairs"), rows(), (), seed=5) is None
