"""Document 001, chapter 4, done right: membership inference on the Lasso, logistic and multinomial regression.

    python experiments/membership/run.py 0 1 2 3 4       the tasks' results, each in results/
    python experiments/membership/run.py figures         the figures and table.md, from these

One pool of 2 N people a task. Each of RUNS models is trained on a half of them drawn by fair coins, so that every person is in
about half of the models; the other models are the shadows of each (LiRA, thresholds). Members and outsiders are of the same
population. Every fit is by the seeded twin of the noise; the fits' epsilon is the ledger's.
"""

import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from drawing import Chart, Line, save  # noqa: E402

from understudy.attack import lira, metrics  # noqa: E402
from understudy.attack.result import Result  # noqa: E402
from understudy.learn.plain import PlainClassifier, PlainRegressor  # noqa: E402
from understudy.learn.private import (  # noqa: E402
    DescentClassifier,
    DescentRegressor,
    SparseClassifier,
    SparseRegressor,
    rehearse,
)

RUNS, DELTA = 128, "1e-5"
SPARSE = {"steps": 30}
SGD = {"steps": 200, "sample": "1/5"}  # each step sees each person by a coin
EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Task:
    """A population, and the public facts by which both learners are told to fit it."""

    name: str
    x: np.ndarray
    y: np.ndarray
    fresh_x: np.ndarray
    fresh_y: np.ndarray
    classes: tuple[int, ...]
    radius: float
    ball: float  # the radius in the Euclidean norm
    wide: float  # the bound of a feature; the norm's is wide sqrt(p)

    def learner(self, kind: str, epsilon: float | None) -> Any:
        """An estimator: DP Frank-Wolfe or DP-SGD, or its exact twin."""
        norm = self.wide * math.sqrt(self.x.shape[1])
        bound = self.wide if kind == "frank-wolfe" else norm
        radius = self.radius if kind == "frank-wolfe" else self.ball
        labels: dict[str, Any] = {"classes": self.classes} if self.classes else {}
        if epsilon is None:
            plain = PlainClassifier if self.classes else PlainRegressor
            constraint = "l1" if kind == "frank-wolfe" else "l2"
            return plain(x_bound=bound, radius=radius, constraint=constraint, steps=300, **labels)
        labels = labels or {"y_bound": 3.0, "residual_bound": 2.0}
        path = SPARSE if kind == "frank-wolfe" else SGD
        families = {
            "frank-wolfe": (SparseClassifier, SparseRegressor),
            "dp-sgd": (DescentClassifier, DescentRegressor),
        }
        made = families[kind][0 if self.classes else 1]
        return made(epsilon=epsilon, delta=DELTA, x_bound=bound, radius=radius, **path, **labels)


def regression(people: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.1: ten features, noise of a tenth; ||w||_1 = 2.4 is below the public radius."""
    x = rng.uniform(-1, 1, (people, 10))
    w = np.array([0.8, -0.6, 0.4, 0.3, -0.2, 0.1, 0, 0, 0, 0])
    return x, x @ w + rng.normal(0, 0.1, people)


def boxes(people: int, classes: int, p: int, overlap: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.2, 4.4: each class uniform in a box of side 1, moved so that neighbours overlap; centred by a public shift."""
    y = rng.integers(0, classes, people)
    middle = (classes - 1) * (1 - overlap) / 2
    return rng.uniform(-0.5, 0.5, (people, p)) + (y * (1 - overlap) - middle)[:, None], y


def corners(people: int, overlap: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """4.4: three classes in the plane, at the corners of a triangle."""
    y = rng.integers(0, 3, people)
    centre = (1 - overlap) * np.array([[-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]])
    return rng.uniform(-0.5, 0.5, (people, 2)) + centre[y], y


def noisy(people: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Fewer people than features, and labels that are half chance: a model that fits them has learnt the people."""
    x = rng.uniform(-1, 1, (people, 150))
    return x, (x[:, 0] + rng.normal(0, 0.7, people) > 0).astype(int)


def tasks() -> list[Task]:
    """The three of the document, one more overlapping, and one that overfits."""
    made = {
        "lasso (N = 1000, p = 10)": (lambda n, r: regression(n, r), 1000, (), 2.4, 3.7, 1.0),
        "logistic (N = 300, p = 10, overlap 20 %)": (
            lambda n, r: boxes(n, 2, 10, 0.2, r),
            300,
            (0, 1),
            20.0,
            20.0,
            0.9,
        ),
        "logistic (N = 300, p = 10, overlap 60 %)": (
            lambda n, r: boxes(n, 2, 10, 0.6, r),
            300,
            (0, 1),
            20.0,
            20.0,
            0.7,
        ),
        "multinomial (N = 300, p = 2, k = 3)": (lambda n, r: corners(n, 0.1, r), 300, (0, 1, 2), 30.0, 30.0, 1.0),
        "overfitted (N = 100, p = 150)": (noisy, 100, (0, 1), 200.0, 200.0, 1.0),
    }
    found = []
    for i, (name, (draw, n, classes, radius, ball, wide)) in enumerate(made.items()):
        rng = np.random.default_rng(i)
        (x, y), (fresh_x, fresh_y) = draw(2 * n, rng), draw(2_000, rng)
        found.append(Task(name, x, y, fresh_x, fresh_y, classes, radius, ball, wide))
    return found


def attacked(task: Task, kind: str, epsilon: float | None) -> dict[str, Any]:
    """RUNS models, and every attack on each of them."""
    rng = np.random.default_rng(7)
    inside = rng.random((RUNS, len(task.x))) < 0.5
    models = []
    for run, chosen in enumerate(inside):
        learner, rows = task.learner(kind, epsilon), (task.x[chosen], task.y[chosen])
        models.append(learner.fit(*rows) if epsilon is None else rehearse(learner, *rows, seed=1_000 * run + 1))
    scores = {
        name: np.stack([metric(model, task.x, task.y) for model in models])
        for name, metric in (metrics.CLASSIFIER if task.classes else metrics.REGRESSOR).items()
    }
    scores["LiRA"] = ratios(np.stack([lira.logit(model, task.x, task.y) for model in models]), inside)
    found = {
        "epsilon": epsilon,
        "quality": [model.score(task.fresh_x, task.fresh_y) for model in models],
        "on members": [m.score(task.x[c], task.y[c]) for m, c in zip(models, inside, strict=True)],
        "attacks": {name: summary(name, told, inside, epsilon) for name, told in scores.items()},
    }
    entropy = scores["entropy"] if task.classes else scores["loss"]
    found["as printed"] = spread([printed(told, c) for told, c in zip(entropy, inside, strict=True)])
    found["from shadows"] = spread(shadowed(entropy, inside))
    found["quality"], found["on members"] = spread(found["quality"]), spread(found["on members"])
    return found


def ratios(phi: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """LiRA of every model, the others being its shadows."""
    told = np.empty_like(phi)
    for run in range(len(phi)):
        others = np.arange(len(phi)) != run
        with_him, without = lira.side(phi[others], inside[others]), lira.side(phi[others], ~inside[others])
        told[run] = lira.log_normal(phi[run], *with_him) - lira.log_normal(phi[run], *without)
    return told


def printed(told: np.ndarray, inside: np.ndarray) -> float:
    """The document's accuracy: the cut is the mean of members' and outsiders' means, which takes the membership."""
    return metrics.accuracy(told[inside], told[~inside], (told[inside].mean() + told[~inside].mean()) / 2)


def shadowed(told: np.ndarray, inside: np.ndarray) -> list[float]:
    """Accuracy with a cut from the next model over, whose members the enemy chose."""
    cuts = [metrics.threshold(s[c], s[~c]) for s, c in zip(told, inside, strict=True)]
    return [metrics.accuracy(s[c], s[~c], cuts[run - 1]) for run, (s, c) in enumerate(zip(told, inside, strict=True))]


def summary(name: str, told: np.ndarray, inside: np.ndarray, epsilon: float | None) -> dict[str, Any]:
    """All runs together, the advantage run by run, and what (epsilon, delta) allows."""
    together = Result(name, told[inside], told[~inside])
    each = [Result(name, s[c], s[~c]).auc for s, c in zip(told, inside, strict=True)]
    words = together.to_json() | {"auc by run": spread(each)}
    if epsilon is not None:
        words["allowed"] = {str(f): together.allowed(f, epsilon, float(DELTA)) for f in (0.01, 0.001)}
        words["above the bound"] = [
            f for f in (0.001, 0.01, 0.1) if together.interval(f, 0.999)[0] > together.allowed(f, epsilon, float(DELTA))
        ]
    return words


def spread(values: list[float]) -> dict[str, float]:
    """Mean, its 95 % interval, and the extremes, over the runs."""
    array = np.asarray(values)
    error = 1.96 * array.std(ddof=1) / math.sqrt(len(array))
    return {
        "mean": float(array.mean()),
        "low": float(array.mean() - error),
        "high": float(array.mean() + error),
        "least": float(array.min()),
        "most": float(array.max()),
    }


def figures(results: dict[str, Any]) -> None:
    """Model quality beside the attack, a row a task."""
    for name, kinds in results.items():
        quality, printed_lines, low = [], [], []
        for kind, rows in kinds.items():
            private = [row for row in rows if row["epsilon"] is not None]
            plain = next(row for row in rows if row["epsilon"] is None)
            grid = [row["epsilon"] for row in private]

            def line(label: str, of: Any, rows: list[Any] = private, grid: list[float] = grid) -> Line:
                told = [of(row) for row in rows]
                points = [(e, t["mean"]) for e, t in zip(grid, told, strict=True)]
                return Line(label, points, [(t["low"], t["high"]) for t in told])

            quality += [
                line(kind, lambda row: row["quality"]),
                Line(f"{kind}, exact", [(e, plain["quality"]["mean"]) for e in grid], dashed=True),
            ]
            printed_lines += [
                line(f"{kind}, printed", lambda row: row["as printed"]),
                Line(f"{kind}, exact", [(e, plain["as printed"]["mean"]) for e in grid], dashed=True),
            ]
            told = [row["attacks"]["LiRA"]["tpr_at_fpr"]["0.01"] for row in private]
            low.append(
                Line(f"{kind}", [(e, t["tpr"]) for e, t in zip(grid, told, strict=True)], [t["interval"] for t in told])
            )
            exact = plain["attacks"]["LiRA"]["tpr_at_fpr"]["0.01"]["tpr"]
            low.append(Line(f"{kind}, exact", [(e, exact) for e in grid], dashed=True))
        bound = [(e, min(1.0, math.exp(e) * 0.01 + float(DELTA))) for e in EPSILONS]
        shown = [(e, t) for e, t in bound if t <= 0.3]
        charts = [
            Chart(name, "epsilon", "R^2 or accuracy", quality, log_x=True),
            Chart("the document's attack accuracy", "epsilon", "accuracy", printed_lines, log_x=True),
            Chart("LiRA: TPR at FPR 1 %", "epsilon", "TPR", [*low, Line("allowed", shown, dashed=True)], log_x=True),
        ]
        save(charts, HERE / f"{short(name)}.svg")


def short(name: str) -> str:
    """The name of a task's files."""
    return name.split(" ")[0] + ("-60" if "60 %" in name else "")


def table(results: dict[str, Any]) -> str:
    """A row a model: what it is worth, and what the attacks got."""
    head = (
        "| task | learner | epsilon | quality | on members | printed attack | from shadows | AUC of LiRA | best AUC |"
    )
    head += " LiRA: TPR at 1 % (interval) | allowed | at 0.1 % | allowed |"
    lines = [head, "|---|---|---|" + "---:|" * 10]
    for name, kinds in results.items():
        for kind, rows in kinds.items():
            for row in rows:
                told, best = row["attacks"]["LiRA"], max(row["attacks"].items(), key=lambda pair: pair[1]["auc"])
                at = told["tpr_at_fpr"]
                low, high = at["0.01"]["interval"]
                allowed = [f"{100 * told['allowed'][f]:.2g} %" if "allowed" in told else "-" for f in ("0.01", "0.001")]
                cells = [
                    *(name, kind, "none" if row["epsilon"] is None else f"{row['epsilon']:g}"),
                    *(f"{row[key]['mean']:.3f}" for key in ("quality", "on members", "as printed", "from shadows")),
                    *(f"{told['auc']:.3f}", f"{best[1]['auc']:.3f} ({best[0]})"),
                    *(f"{100 * at['0.01']['tpr']:.2f} % ({100 * low:.2f} to {100 * high:.2f})", allowed[0]),
                    *(f"{100 * at['0.001']['tpr']:.2f} %", allowed[1]),
                ]
                lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """The tasks that are named, or the figures of all."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    if "figures" in sys.argv:
        found = [json.loads((folder / f"{short(task.name)}.json").read_text()) for task in tasks()]
        results = {told["task"]: told["kinds"] for told in found}
        figures(results)
        (HERE / "table.md").write_text(table(results))
        return
    for place in sys.argv[1:]:
        task, began = tasks()[int(place)], time.process_time()
        kinds = {
            kind: [attacked(task, kind, epsilon) for epsilon in (*EPSILONS, None)] for kind in ("frank-wolfe", "dp-sgd")
        }
        told = {"task": task.name, "runs": RUNS, "delta": DELTA, "kinds": kinds}
        told["cpu seconds"] = round(time.process_time() - began)
        (folder / f"{short(task.name)}.json").write_text(json.dumps(rounded(told), indent=1) + "\n")
        print(task.name, told["cpu seconds"], "s", flush=True)


def rounded(words: Any) -> Any:
    """Five digits."""
    if isinstance(words, float):
        return float(f"{words:.5g}")
    if isinstance(words, dict):
        return {key: rounded(value) for key, value in words.items()}
    return [rounded(value) for value in words] if isinstance(words, list | tuple) else words


if __name__ == "__main__":
    main()
