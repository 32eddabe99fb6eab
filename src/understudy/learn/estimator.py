"""What all estimators share: scikit-learn's conventions, without scikit-learn.

    get_params, set_params, repr        the constructor's words, kept as they were given; `sklearn.base.clone` works
    fit returns self                    what was learnt ends in an underscore
    predict, predict_proba, score       accuracy for classifiers, R^2 for regressors

What is public stands in the constructor: bounds, classes, steps, epsilon. What is private is given to fit. An input is refused
for its shape or its type, never for a value: a value out of bounds is clipped, one that is no number counts as 0, and a label
that is none of the classes counts as nothing.
"""

import inspect
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from understudy.refusal import Misuse

Floats = NDArray[np.float64]


class Estimator:
    """Parameters by name."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's words."""
        return {name: getattr(self, name) for name in words_of(type(self))}

    def set_params(self, **words: Any) -> Self:
        """Change some of the constructor's words."""
        known = words_of(type(self))
        for name, value in words.items():
            if name not in known:
                raise Misuse(f"{type(self).__name__} has no parameter '{name}'", f"choose among {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({given})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's tools ask; only they call it."""
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags  # type: ignore[import-untyped]

        kind = str(getattr(self, "_estimator_type", "classifier"))
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(allow_nan=True),
        )


def words_of(kind: type) -> list[str]:
    """The names of the constructor's parameters."""
    return [name for name in inspect.signature(kind.__init__).parameters if name != "self"]  # type: ignore[misc]


class Linear(Estimator):
    """A linear model of clipped features: heights = clip(x) coef + intercept."""

    coef_: Floats
    intercept_: Floats
    n_features_in_: int
    x_bound: float

    @property
    def geometry(self) -> str:
        """How features are clipped: each by itself ("cube"), or the row's norm ("ball")."""
        raise NotImplementedError

    def heights(self, x: ArrayLike) -> Floats:
        """One column an output."""
        if not hasattr(self, "coef_"):
            raise Misuse("this estimator is not fitted", "call fit first")
        features = features_of(x)
        if features.shape[1] != self.n_features_in_:
            raise Misuse(
                f"the model was fitted on {self.n_features_in_} features and is given {features.shape[1]}",
                "give the same features",
            )
        return clipped(features, self.geometry, self.x_bound) @ self.coef_.T + self.intercept_


class Regressor(Linear):
    """Predicts a number."""

    _estimator_type = "regressor"

    def predict(self, x: ArrayLike) -> Floats:
        """The heights themselves."""
        return np.asarray(self.heights(x)[:, 0])

    def score(self, x: ArrayLike, y: ArrayLike) -> float:
        """R^2: one minus the squared error over the variance."""
        target = np.asarray(y, dtype=np.float64)
        error = ((target - self.predict(x)) ** 2).sum()
        return float(1 - error / max(((target - target.mean()) ** 2).sum(), 1e-300))


class Classifier(Linear):
    """Predicts one of the classes."""

    _estimator_type = "classifier"
    classes: Sequence[Any]
    classes_: NDArray[Any]

    def predict_proba(self, x: ArrayLike) -> Floats:
        """One column a class."""
        heights = self.heights(x)
        if heights.shape[1] == 1:
            heights = np.hstack([np.zeros_like(heights), heights])
        weights = np.exp(heights - heights.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def predict(self, x: ArrayLike) -> NDArray[Any]:
        """The likeliest class."""
        likeliest = self.predict_proba(x).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def score(self, x: ArrayLike, y: ArrayLike) -> float:
        """The share of right predictions."""
        return float(np.mean(self.predict(x) == np.asarray(y)))


def features_of(x: ArrayLike) -> NDArray[Any]:
    """A table of numbers, told by its shape and type alone."""
    features = np.asarray(x)
    if features.ndim != 2 or features.shape[1] < 1 or features.dtype.kind not in "fiub":
        raise Misuse("X is a table of numbers: rows by features", "encode it, with public categories, before fitting")
    return features


def examples_of(x: ArrayLike, y: ArrayLike, numeric: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Features and labels of the same rows."""
    features, labels = features_of(x), np.asarray(y)
    if labels.ndim != 1 or len(labels) != len(features):
        raise Misuse("y has one value for each row of X", "give a list as long as X")
    if numeric and labels.dtype.kind not in "fiub":
        raise Misuse("y is numbers", "fit a classifier to names")
    return features, labels


def clipped(x: NDArray[Any], geometry: str, bound: float) -> Floats:
    """Features within their public bound."""
    sound = np.nan_to_num(np.asarray(x, dtype=np.float64), posinf=bound, neginf=-bound)
    if geometry == "cube":
        return np.clip(sound, -bound, bound)
    sound = np.clip(sound, -bound, bound)
    norm = np.sqrt((sound**2).sum(axis=1, keepdims=True))
    return np.asarray(sound * np.minimum(1.0, bound / np.maximum(norm, 1e-300)))
