"""Document 001, chapter 4, done right: membership inference on the Lasso, logistic and multinomial regression.

    python experiments/membership/run.py 0 1 2 3 4       the tasks' results, each in results/
    python experiments/membership/run.py page            the figures and README.md, from these

One pool of 2 N people a task. Each of RUNS models is trained on a half of them drawn by fair coins, so that every person is in
about half of the models; the other models are the shadows of each (LiRA, networks, thresholds). Members and outsiders are of
the same population. Every fit is by the seeded twin of the noise; its epsilon is what the ledger says it is.

No threshold is chosen on the model that it is tried on: the even runs' outsiders set the cuts of the odd runs, and the odd
runs' those of the even ones. Intervals are over runs, whose noise and halves are independent; people of one run share a model.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from populations import DELTA, Task, tasks  # noqa: E402
from report import short, write  # noqa: E402

from understudy.attack import lira, metrics, neural  # noqa: E402
from understudy.attack.result import Result  # noqa: E402
from understudy.attack.shadow import Shadows  # noqa: E402
from understudy.learn.private import rehearse  # noqa: E402

RUNS, TAUGHT = 120, 20  # the networks learn from so many runs, and are tried on the rest
EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
LOW = (0.01, 0.001)
FOLDS = (slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))  # (cuts from, tried on)


def attacked(task: Task, kind: str, epsilon: float | None) -> dict[str, Any]:
    """RUNS models, and every attack on each of them."""
    inside = np.random.default_rng(7).random((RUNS, len(task.x))) < 0.5
    models = []
    for run, chosen in enumerate(inside):
        learner, rows = task.learner(kind, epsilon), (task.x[chosen], task.y[chosen])
        models.append(learner.fit(*rows) if epsilon is None else rehearse(learner, *rows, seed=1_000 * run + 1))
    scores = {
        name: np.stack([metric(model, task.x, task.y) for model in models])
        for name, metric in (metrics.CLASSIFIER if task.classes else metrics.REGRESSOR).items()
    }
    entropy = scores["entropy"] if task.classes else scores["loss"]
    scores["LiRA"] = ratios(np.stack([lira.logit(model, task.x, task.y) for model in models]), inside)
    found = {name: summary(name, told, inside, epsilon) for name, told in scores.items()}
    for name, look in {"network, black box": neural.black_box, "network, white box": neural.white_box}.items():
        found[name] = summary(name, learned(look, task, models, inside), inside[TAUGHT:], epsilon)
    return {
        "epsilon": epsilon,
        "quality": spread([model.score(task.fresh_x, task.fresh_y) for model in models]),
        "on members": spread([m.score(task.x[c], task.y[c]) for m, c in zip(models, inside, strict=True)]),
        "as printed": spread([printed(told, c) for told, c in zip(entropy, inside, strict=True)]),
        "attacks": found,
    }


def ratios(phi: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """LiRA of every model, the others being its shadows."""
    told = np.empty_like(phi)
    for run in range(len(phi)):
        others = np.arange(len(phi)) != run
        with_him, without = lira.side(phi[others], inside[others]), lira.side(phi[others], ~inside[others])
        told[run] = lira.log_normal(phi[run], *with_him) - lira.log_normal(phi[run], *without)
    return told


def learned(look: neural.Look, task: Task, models: list[Any], inside: np.ndarray) -> np.ndarray:
    """The network that the first runs taught judges the others."""
    trained = Shadows(tuple(models[:TAUGHT]), inside[:TAUGHT])
    judge = neural.judge(look, task.x, task.y, trained, np.random.default_rng(3))
    return np.stack([judge.scores(model, task.x, task.y) for model in models[TAUGHT:]])


def printed(told: np.ndarray, inside: np.ndarray) -> float:
    """The document's accuracy: the cut is the mean of members' and outsiders' means, which takes the membership."""
    return metrics.accuracy(told[inside], told[~inside], (told[inside].mean() + told[~inside].mean()) / 2)


def summary(name: str, told: np.ndarray, inside: np.ndarray, epsilon: float | None) -> dict[str, Any]:
    """Run by run: AUC, advantage at a cut from the other runs, TPR at low FPR, and what (epsilon, delta) allows."""
    tpr, fpr = shares(told, inside, lambda t, c: metrics.threshold(t[c], t[~c]))
    words: dict[str, Any] = {
        "auc": spread([Result(name, t[c], t[~c]).auc for t, c in zip(told, inside, strict=True)]),
        "advantage": spread(tpr - fpr),
        "tpr": {},
    }
    for wanted in LOW:
        tpr, fpr = shares(told, inside, lambda t, c, f=wanted: np.quantile(t[~c], 1 - f, method="higher"))
        words["tpr"][str(wanted)] = spread(tpr) | {"fpr": float(fpr.mean())}
        if epsilon is not None:
            words["tpr"][str(wanted)] |= within(tpr, fpr, epsilon)
    return words


def shares(
    told: np.ndarray, inside: np.ndarray, cut: Callable[[np.ndarray, np.ndarray], float]
) -> tuple[np.ndarray, np.ndarray]:
    """TPR and FPR of each run, at a cut from the runs of the other fold."""
    tpr, fpr = np.empty(len(told)), np.empty(len(told))
    for chosen, tried in FOLDS:
        above, there = told[tried] > cut(told[chosen], inside[chosen]), inside[tried]
        tpr[tried] = (above & there).sum(axis=1) / there.sum(axis=1)
        fpr[tried] = (above & ~there).sum(axis=1) / (~there).sum(axis=1)
    return tpr, fpr


def within(tpr: np.ndarray, fpr: np.ndarray, epsilon: float) -> dict[str, float]:
    """What is allowed at the FPR that was seen, and how many standard errors the runs are above either inequality."""
    grown, delta = math.exp(epsilon), float(DELTA)
    # TPR - e^epsilon FPR - delta <= 0   and   (1 - FPR) - e^epsilon (1 - TPR) - delta <= 0, in expectation
    excesses = tpr - grown * fpr - delta, (1 - fpr) - grown * (1 - tpr) - delta
    errors = [float(excess.mean() / max(excess.std(ddof=1) / math.sqrt(len(excess)), 1e-12)) for excess in excesses]
    seen = float(fpr.mean())
    return {"allowed": min(1.0, grown * seen + delta, 1 - (1 - seen - delta) / grown), "errors above": max(errors)}


def spread(values: Any) -> dict[str, float]:
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


def rounded(words: Any) -> Any:
    """Five digits."""
    if isinstance(words, float):
        return float(f"{words:.5g}")
    if isinstance(words, dict):
        return {key: rounded(value) for key, value in words.items()}
    return [rounded(value) for value in words] if isinstance(words, list | tuple) else words


def main() -> None:
    """The tasks that are named, or the page of all."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    if "page" in sys.argv:
        write([json.loads((folder / f"{short(task.name)}.json").read_text()) for task in tasks()], HERE)
        return
    for place in sys.argv[1:]:
        task, began = tasks()[int(place)], time.process_time()
        kinds = {
            kind: [attacked(task, kind, epsilon) for epsilon in (*EPSILONS, None)] for kind in ("frank-wolfe", "dp-sgd")
        }
        told = {"task": task.name, "runs": RUNS, "delta": DELTA, "kinds": kinds}
        told["cpu seconds"] = round(time.process_time() - began)
        (folder / f"{short(task.name)}.json").write_text(json.dumps(rounded(told)) + "\n")
        print(task.name, told["cpu seconds"], "s", flush=True)


if __name__ == "__main__":
    main()
