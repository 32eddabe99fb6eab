"""Private estimators: what is public in the constructor, what is private through the gate.

    SparseRegressor, SparseClassifier     DP Frank-Wolfe on the l1 ball: wide data, few features that matter (frank_wolfe.py)
    DescentRegressor, DescentClassifier   noisy projected descent on the l2 ball, or DP-SGD with sample < 1 (descent.py)

    x_bound   clips each feature to [-x_bound, x_bound] (Sparse), or each row's Euclidean norm (Descent)
    y_bound   clips the target of a regressor;  classes: all labels of a classifier, public
    residual_bound   clips the residual of a regressor (Huber's loss): less noise, where most residuals are small
    radius    the most that the model's norm may be, in units where features are divided by x_bound

Privacy.  (epsilon, delta) for one row, added or removed (n private) or replaced; one row must be one person. Everything learnt,
the tape included, may be shown. Without a ledger file the fit is charged to nobody: two fits on the same people add up.

>>> import numpy as np
>>> from understudy.learn.private import SparseRegressor, rehearse
>>> x = np.random.default_rng(0).uniform(-1, 1, (20_000, 5))
>>> model = SparseRegressor(epsilon=1, delta=1e-6, x_bound=1, y_bound=1, radius=1, steps=20)
>>> rehearse(model, x, 0.7 * x[:, 0], seed=0).score(x, 0.7 * x[:, 0]) > 0.9
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from understudy.learn.descent import looker, projected_descent, stochastic_frank_wolfe
from understudy.learn.estimator import Classifier, Linear, Regressor, examples_of
from understudy.learn.frank_wolfe import frank_wolfe, reference_of, whole
from understudy.noise.entropy import Entropy, OperatingSystem, Seeded
from understudy.privacy.accountant import Budget, Number, converted, exact
from understudy.privacy.charge import RENYI, Charge
from understudy.privacy.ledger import Ledger
from understudy.privacy.purse import Purse
from understudy.privacy.tally import Tally
from understudy.question.frame import Frame, W
from understudy.question.linear import LinearGradient
from understudy.question.mechanism import Exact, SampledGaussian
from understudy.refusal import BudgetRefused, Misuse
from understudy.schema.column import Boolean
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.examples import Labels, vault_of
from understudy.vault.gate import Gate
from understudy.vault.tape import Tape

Floats = NDArray[np.float64]
STEPS, MOST_STEPS = 50, 100_000


@dataclass(kw_only=True, eq=False, repr=False)
class Private(Linear):
    """A fit through the gate: seal, ask, learn from the answers."""

    epsilon: Number
    delta: Number
    x_bound: float
    radius: float
    steps: int = STEPS
    relation: str = Relation.ADD_REMOVE.value
    intercept: bool = True
    ledger: str | None = None

    def fit(self, x: ArrayLike, y: ArrayLike) -> Self:
        """Learn from private rows, with the operating system's randomness."""
        return self.learn(x, y, OperatingSystem())

    def learn(self, x: ArrayLike, y: ArrayLike, entropy: Entropy) -> Self:
        """The one way from rows to a model, whatever the source of randomness."""
        rows, targets = examples_of(x, y, isinstance(self, Regressor))
        refuse_unsound(self)
        frame, labels = self.frame(rows.shape[1])
        budget = Budget(exact(self.epsilon), exact(self.delta), relation_of(self.relation), self.order(frame))
        schema = Schema("examples", Unit("row"), (Boolean("label"),), relation=budget.relation)
        vault = vault_of(rows, targets, frame, float(self.x_bound), labels, schema)
        release = entropy.coin()[:16]
        tape = Tape({"release": release, "estimator": type(self).__name__, "private": entropy.private})
        gate = Gate(vault, book_of(self.ledger, budget, release, repr(self)), tape, budget, entropy)
        model = self.train(gate, frame, Purse(budget.total(), 1))
        self.keep(np.rint(model * W) / W, frame, labels.unit)
        spent = budget.total().zero(budget.relation, budget.measure)
        for entry in tape:
            spent = spent + Charge.from_json(entry.charge)
        self.tape_, self.private_, self.epsilon_ = tape, entropy.private, converted(spent, budget.delta)
        return self

    def keep(self, model: Floats, frame: Frame, unit: float) -> None:
        """The model in the units of the features and of the target."""
        self.intercept_ = unit * model[: frame.intercept].sum(axis=0)
        self.coef_ = (unit / self.x_bound) * model[frame.intercept :].T
        self.n_features_in_ = frame.features

    def frame(self, features: int) -> tuple[Frame, Labels]:
        """The frame of the examples, and how their labels become whole numbers."""
        one = int(self.intercept)
        if isinstance(self, Regressor):
            bound = float(self.y_bound)  # type: ignore[attr-defined]
            # |<w, x> - y| <= r max ||x|| + y_bound = D; a smaller D clips the residual, as Huber's loss does
            longest = sqrt(1 + one) if self.geometry == "ball" else 1.0
            unit = float(self.residual_bound or self.radius * longest + bound)  # type: ignore[attr-defined]
            return Frame(self.geometry, "squared", features, 1, one), Labels(bound=bound, unit=unit)
        classes = tuple(self.classes)  # type: ignore[attr-defined]
        self.classes_ = np.array(classes)
        if len(classes) == 2:
            return Frame(self.geometry, "logistic", features, 1, one), Labels(classes)
        return Frame(self.geometry, "multinomial", features, len(classes), one), Labels(classes)

    def model_radius(self, frame: Frame) -> float:
        """The radius on the model's own scale: heights of a regressor are counted in units of D."""
        return float(self.radius) / self.frame(frame.features)[1].unit

    def order(self, frame: Frame) -> int | None:
        """The Renyi order, where a sample of the examples is looked at."""
        return None

    def train(self, gate: Gate, frame: Frame, purse: Purse) -> Floats:
        """The model that the answers teach."""
        raise NotImplementedError


@dataclass(kw_only=True, eq=False, repr=False)
class Sparse(Private):
    """DP Frank-Wolfe on the l1 ball."""

    @property
    def geometry(self) -> str:
        return "cube"

    def train(self, gate: Gate, frame: Frame, purse: Purse) -> Floats:
        return frank_wolfe(gate, frame, purse, self.model_radius(frame), self.steps)


@dataclass(kw_only=True, eq=False, repr=False)
class Descent(Private):
    """Noisy descent on the l2 ball, or along the l1 ball's vertices; of all rows, or of a Poisson sample a step."""

    sample: Number = 1
    constraint: str = "l2"

    @property
    def geometry(self) -> str:
        return "ball"

    def order(self, frame: Frame) -> int | None:
        rate = exact(self.sample)
        if not 0 < rate <= 1 or self.constraint not in ("l1", "l2"):
            raise Misuse("sample is a rate from above 0 to 1, and constraint is 'l1' or 'l2'", "correct them")
        if rate == 1:
            return None
        return best_order(exact(self.epsilon), exact(self.delta), self.relation, rate, self.steps, frame)

    def train(self, gate: Gate, frame: Frame, purse: Purse) -> Floats:
        source = looker(gate, frame, purse, self.steps, exact(self.sample))
        path = projected_descent if self.constraint == "l2" else stochastic_frank_wolfe
        return path(source, self.model_radius(frame), self.steps)


@dataclass(kw_only=True, eq=False, repr=False)
class SparseRegressor(Sparse, Regressor):
    """Least squares with few large coefficients (the Lasso's constrained form)."""

    y_bound: float
    residual_bound: float | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class SparseClassifier(Sparse, Classifier):
    """Logistic regression (two classes) or multinomial regression (more) with few large coefficients."""

    classes: Sequence[Any]


@dataclass(kw_only=True, eq=False, repr=False)
class DescentRegressor(Descent, Regressor):
    """Least squares with coefficients of a bounded Euclidean norm."""

    y_bound: float
    residual_bound: float | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class DescentClassifier(Descent, Classifier):
    """Logistic (two classes) or multinomial regression (more) with coefficients of a bounded Euclidean norm."""

    classes: Sequence[Any]


Fitted = TypeVar("Fitted", bound=Private)


def rehearse(estimator: Fitted, x: ArrayLike, y: ArrayLike, seed: int) -> Fitted:
    """The same fit with the seeded twin of the noise: for tests and experiments, NOT PRIVATE."""
    return estimator.learn(x, y, Seeded(seed))


def refuse_unsound(estimator: Private) -> None:
    """Public words that make no sense."""
    numbers = [estimator.x_bound, estimator.radius, getattr(estimator, "y_bound", 1.0)]
    numbers.append(getattr(estimator, "residual_bound", None) or 1.0)
    if not all(isinstance(number, int | float) and 0 < number < 1e12 for number in numbers):
        raise Misuse("x_bound, y_bound and radius are numbers above 0", "name public bounds")
    if not isinstance(estimator.steps, int) or not 1 <= estimator.steps <= MOST_STEPS:
        raise Misuse(f"steps is a whole number from 1 to {MOST_STEPS:,}", "about 20 to 200 serve")
    classes = tuple(getattr(estimator, "classes", (0, 1)))
    if len(classes) < 2 or len(set(classes)) != len(classes):
        raise Misuse("classes lists two or more different labels", "name every label, also those that may be absent")


def relation_of(words: str) -> Relation:
    """The relation by its name."""
    if words not in [relation.value for relation in Relation]:
        raise Misuse("relation is 'add-remove' or 'replace-one'", "take one of the two")
    return Relation(words)


def book_of(path: str | None, budget: Budget, release: str, spec: str) -> Ledger:
    """The ledger that is charged: the named file, with the whole budget reserved in it, or a tally."""
    if path is None:
        return Tally(budget)
    if budget.order is not None:
        raise Misuse("a ledger file of estimators counts in zCDP", "use sample=1, or no ledger")
    book = Ledger.open(path)
    book.reserve(release, budget.epsilon, budget.delta, budget.relation, spec)
    return book


@lru_cache(maxsize=64)
def best_order(epsilon: Fraction, delta: Fraction, relation: str, rate: Fraction, steps: int, frame: Frame) -> int:
    """The Renyi order at which samples need the least noise: told from public facts."""
    question = LinearGradient(Exact(), frame, reference_of(whole(np.zeros((1, 1)))))
    found = {}
    for measure in RENYI:
        assert measure.order is not None
        try:
            purse = Purse(Budget(epsilon, delta, relation_of(relation), measure.order).total(), 1)
            mechanism = purse.sampling(question, rate, steps).mechanism
        except BudgetRefused:
            continue
        assert isinstance(mechanism, SampledGaussian)
        found[mechanism.sigma2] = measure.order
    if not found:
        raise BudgetRefused("epsilon and delta are too small for so many samples", "raise epsilon, or take fewer steps")
    return found[min(found)]
