"""The tasks of the board, and the measures by which every synthetic table of it is judged: ours and the peers' alike.

| task | table | asked for |
|---|---|---|
| A    | adult-coded.csv, 48,842 x 14, 582 cells in all | all 3-way marginals, delta 1e-9 |
| B    | census-kdd-train.parquet, 199,523 x 42, numeric columns cut at their 1/32 quantiles | all 2-way marginals, delta 1e-9 |

B is coded before anybody sees it, we and the peers: its cuts are public knowledge of this benchmark.

Measures, private table against synthetic table, both as frequencies:

    TV of a marginal   half of the sum of |p - q| over its cells; averaged over all 2-way and all 3-way marginals
    worst cell         the largest |p - q| of any cell of any 3-way marginal (2-way where the task is 2-way)
    AUC                income > 50K learned on the synthetic rows from the 13 other columns, tested on the real rows. The
                       synthetic rows come from all 48,842 real rows and are tested on the same 48,842, as in the issue's
                       table: what is compared is tables, not learners. Boosting: HistGradientBoosting on the codes
                       as numbers, its defaults. Logistic: one-hot columns over the public domain, lbfgs, 200 iterations.
    bootstrap floor    the same measures of as many real rows drawn with replacement: sampling error, and no privacy
"""

import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

Columns = dict[str, np.ndarray]
DELTA = "1e-9"
BINS = 32


@dataclass(frozen=True)
class Task:
    """A coded table with its public sizes, and what is asked of it."""

    name: str
    columns: Columns
    sizes: list[int]
    ways: int
    target: str | None = None
    limit: int = 600  # CPU seconds a run may take

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def workload(self) -> str:
        return f"{self.ways}way"

    def take(self, n: int, seed: int) -> "Task":
        """n of the rows, drawn without replacement."""
        chosen = np.random.default_rng(seed).permutation(self.rows)[:n]
        return Task(self.name, {k: v[chosen] for k, v in self.columns.items()}, self.sizes, self.ways, self.target)

    def bootstrap(self, seed: int) -> Columns:
        """As many rows as there are, drawn with replacement."""
        chosen = np.random.default_rng(seed).integers(self.rows, size=self.rows)
        return {name: codes[chosen] for name, codes in self.columns.items()}


def adult(data: Path) -> Task:
    """Task A."""
    domain = json.loads((data / "adult-coded-domain.json").read_text())
    table = np.loadtxt(data / "adult-coded.csv", delimiter=",", skiprows=1, dtype=np.int16)
    columns = {name: table[:, j] for j, name in enumerate(domain)}
    return Task("A", columns, list(domain.values()), ways=3, target="income>50K")


def census(data: Path) -> Task:
    """Task B: texts as they are listed, numbers in at most 32 cells of about as many rows each."""
    import pyarrow.parquet as pq
    import pyarrow.types as types

    table = pq.read_table(data / "census-kdd-train.parquet")
    columns, sizes = {}, []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = column.to_numpy()
        if (types.is_integer(column.type) or types.is_floating(column.type)) and len(np.unique(values)) > BINS:
            inner = np.unique(np.quantile(values, np.arange(1, BINS) / BINS, method="higher"))
            values = np.searchsorted(inner, values, side="right")
        found, codes = np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)
        columns[name] = codes.astype(np.int16)
        sizes.append(len(found))
    return Task("B", columns, sizes, ways=2)


def invented() -> Task:
    """A tiny table with a little structure, for the smoke runs."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 6, 1500), rng.integers(0, 3, 1500)
    c, d = (a + rng.integers(0, 2, 1500)) % 5, (a + b + rng.integers(0, 3, 1500)) // 4 % 2
    columns = {name: codes.astype(np.int16) for name, codes in zip("abcd", (a, b, c, d), strict=True)}
    return Task("smoke", columns, [6, 3, 5, 2], ways=3, target="d")


def quality(task: Task, synthetic: Columns, learn: bool = True) -> dict[str, float]:
    """All measures of a synthetic table."""
    found = {}
    for ways in range(2, task.ways + 1):
        mean, worst = distances(task, synthetic, ways)
        found[f"tv{ways}"], found["worst_cell"] = mean, worst
    if task.target and learn:
        found |= learned(task, synthetic)
    return found


def distances(task: Task, synthetic: Columns, ways: int) -> tuple[float, float]:
    """Mean total variation over all marginals of so many columns, and the largest error of a cell."""
    variations, worst = [], 0.0
    for clique in combinations(range(len(task.sizes)), ways):
        apart = np.abs(frequencies(task.columns, task.sizes, clique) - frequencies(synthetic, task.sizes, clique))
        variations.append(apart.sum() / 2)
        worst = max(worst, float(apart.max()))
    return float(np.mean(variations)), worst


def frequencies(columns: Columns, sizes: list[int], clique: tuple[int, ...]) -> np.ndarray:
    """A marginal as frequencies, flat."""
    names, index = list(columns), np.int64(0)
    for j in clique:
        index = index * sizes[j] + columns[names[j]].astype(np.int32)
    return np.bincount(index, minlength=int(np.prod([sizes[j] for j in clique]))) / len(index)


def learned(task: Task, synthetic: Columns) -> dict[str, float]:
    """ROC-AUC of two learners that saw the synthetic rows only, on the real rows."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from threadpoolctl import threadpool_limits

    names = [name for name in task.columns if name != task.target]
    cells = [range(size) for name, size in zip(task.columns, task.sizes, strict=True) if name != task.target]
    seen, real = (np.column_stack([table[name] for name in names]) for table in (synthetic, task.columns))
    learners = {
        "auc_boosting": HistGradientBoostingClassifier(random_state=0),
        "auc_logistic": make_pipeline(OneHotEncoder(categories=cells), LogisticRegression(max_iter=200)),
    }
    if len(np.unique(synthetic[task.target])) < 2:
        return dict.fromkeys(learners, 0.5)  # nothing to learn: a guess
    scores = {}
    with threadpool_limits(1):  # threads that wait for each other on a busy machine take longer than one
        for name, learner in learners.items():
            guessed = learner.fit(seen, synthetic[task.target]).predict_proba(real)[:, 1]
            scores[name] = float(roc_auc_score(task.columns[task.target], guessed))
    return scores
