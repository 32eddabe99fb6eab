"""Wide numeric tables: covariances and what classifiers learn, with the recipes of moments beside querygan.

    python experiments/wide_numeric/run.py [--data ../shared/data/mnist.npz] [--points 99]

scikit-learn's breast cancer (569 x 30, 2 classes) and digits (1,797 x 64, 10 classes), and MNIST as 20 features (10 classes):
the leading principal components of pictures, taken as given. Half of the rows are private, half test the classifier. Bounds are
those of the whole file, taken as public; delta 1e-5, the number of rows public. Points are kept in results.json; README.md is
made of them.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from points import Point, Points  # noqa: E402

from understudy.publish.run import rehearse  # noqa: E402
from understudy.schema.read import from_dict  # noqa: E402
from understudy.schema.schema import Schema  # noqa: E402

TICKS, BINS, FEATURES = 1000, 16, 20
RECIPES = ("gaussian", "private_pca", "copula", "querygan", "independent")
TABLES = ("breast_cancer", "digits", "mnist_features")
WANTED = [f"{table} {recipe} {epsilon}" for table in TABLES for epsilon in ("1", "10") for recipe in RECIPES]


def table(name: str, data: Path) -> tuple[np.ndarray, np.ndarray]:
    """Numbers between their public bounds, as whole ticks, and classes."""
    if name == "mnist_features":
        with np.load(data) as arrays:
            x, y = arrays["train_images"].reshape(60_000, -1) / 255.0, arrays["train_labels"].astype(int)
        moved = x - x.mean(axis=0)
        x = moved @ np.linalg.eigh(moved.T @ moved)[1][:, : -FEATURES - 1 : -1]
    else:
        found = {"breast_cancer": load_breast_cancer, "digits": load_digits}[name]()
        x, y = found.data, found.target
    low, high = x.min(axis=0), x.max(axis=0)
    return np.rint(TICKS * (x - low) / np.maximum(high - low, 1e-9)).astype(int), y


def schema(x: np.ndarray, y: np.ndarray) -> Schema:
    """Integer columns of so many ticks in BINS cells, and a label."""
    columns: dict[str, object] = {
        f"x{i}": {"kind": "integer", "min": 0, "max": TICKS, "bins": BINS} for i in range(x.shape[1])
    }
    columns["y"] = {"kind": "categorical", "values": [int(value) for value in np.unique(y)]}
    return from_dict({"table": {"name": "wide", "unit": "row", "rows": len(x), "label": "y"}, "columns": columns})


def measure(name: str, data: Path) -> Point:
    """One release: its correlations and a classifier trained on it, beside those of the private half."""
    kind, recipe, epsilon = name.split()
    x, y = table(kind, data)
    order = np.random.default_rng(0).permutation(len(x))
    inside, outside = order[: len(x) // 2], order[len(x) // 2 :]
    private = pa.table({f"x{i}": x[inside, i] for i in range(x.shape[1])} | {"y": y[inside]})
    declared = schema(x[inside], y)
    began = time.perf_counter()
    made = rehearse(private, declared, seed=1, epsilon=epsilon, delta="1e-5", recipe=recipe, workload="1way")
    took = time.perf_counter() - began
    drawn = np.stack([made.table[f"x{i}"].to_numpy() for i in range(x.shape[1])], axis=1)
    real, synthetic = covariance(x[inside]), covariance(drawn)
    return {
        "covariance": float(np.linalg.norm(synthetic - real) / np.linalg.norm(real)),
        "accuracy": learned(drawn, made.table["y"].to_numpy(), x[outside], y[outside]),
        "real": learned(x[inside], y[inside], x[outside], y[outside]),
        "seconds": took,
    }


def covariance(x: np.ndarray) -> np.ndarray:
    """Of numbers between 0 and 1."""
    return np.asarray(np.cov(x.T / TICKS))


def learned(x: np.ndarray, y: np.ndarray, test: np.ndarray, truth: np.ndarray) -> float:
    """Logistic regression on one set of rows, tested on another."""
    if len(np.unique(y)) < 2:
        return float((truth == y[0]).mean())
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    return float(model.fit(x, y).score(test, truth))


def page(points: Points) -> str:
    """The README: everything in it is read off the points."""
    lines = [
        "# Wide numeric tables",
        "",
        "    python experiments/wide_numeric/run.py",
        "",
        "Relative Frobenius error of the covariance, and the accuracy on real rows of a logistic regression trained on",
        "synthetic ones (in brackets: trained on the private half). One release each, at delta 1e-5.",
        "",
        "| table | epsilon | recipe | covariance error | accuracy | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for name in WANTED:
        if (point := points.all.get(name)) is not None:
            kind, recipe, epsilon = name.split()
            lines.append(
                f"| {kind} | {epsilon} | {recipe} | {point['covariance']:.2f} | {point['accuracy']:.3f} ({point['real']:.3f}) "
                f"| {point['seconds']:.0f} |"
            )
    missing = f"{len(points.all)} of {len(WANTED)} points were run; the command above runs those that are missing."
    missing += "\nWhether those of querygan are of before or after its blend (commit a6896e7) was not noted."
    return "\n".join([*lines, "", *advice(points), "", missing, ""])


def advice(points: Points) -> list[str]:
    """Which recipe did best where, read off the points."""
    lines = []
    for kind in TABLES:
        for epsilon in ("1", "10"):
            found = {r: p for r in RECIPES if (p := points.all.get(f"{kind} {r} {epsilon}")) is not None}
            if len(found) > 1:
                near = min(found, key=lambda recipe: found[recipe]["covariance"])
                best = max(found, key=lambda recipe: found[recipe]["accuracy"])
                lines.append(f"* {kind}, epsilon {epsilon}: nearest covariance `{near}`, best classifier `{best}`.")
    return lines


def main() -> None:
    """Measure what is missing, and write the page."""
    said = argparse.ArgumentParser()
    said.add_argument("--data", type=Path, default=Path("../shared/data/mnist.npz"))
    said.add_argument("--points", type=int, default=len(WANTED))
    given = said.parse_args()
    points = Points(HERE / "results.json")
    points.fill(WANTED, lambda name: measure(name, given.data), given.points)
    (HERE / "README.md").write_text(page(points))


if __name__ == "__main__":
    main()
