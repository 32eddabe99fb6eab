"""Our recipes on the board's tasks: error, certificate, cost, and where the error comes from.

    python benchmarks/game.py --data DATA      runs everything and writes benchmarks/results/game.json
    python benchmarks/game.py --smoke          every recipe once on a tiny table; writes nothing

| part     | what is run                                                                                             |
|----------|---------------------------------------------------------------------------------------------------------|
| epsilon  | the default recipe on A at 0.1, 0.3, 1, 3, 10 (five runs at 1, three elsewhere)                         |
| recipes  | every other registered recipe on A at epsilon 1, three runs                                             |
| limit    | every recipe on A at epsilon 10^6: the same questions, answered without noise (sigma below 0.02 rows in |
|          | every cell) and chosen without noise. What is left is the model's error and that of what was not asked  |
| rows     | the default recipe at epsilon 1 on 1,000, 5,000 and 20,000 of A's rows; it releases 48,842 rows, judged |
|          | against the rows that it was given                                                                      |
| wide     | the default recipe on B at epsilon 1, three runs                                                        |
| floor    | bootstrap of A (five times), of its subsamples, and of B                                                |

Each release runs in a fresh process (fresh.py). Runs differ in nothing but the system's randomness: there is no seed.
"""

import argparse
import hashlib
import sys
from pathlib import Path

from fresh import Made, run
from results import Results
from tasks import DELTA, Task, adult, census, invented, quality

import understudy
from understudy.recipe.default import DEFAULT

HERE = Path(__file__).parent
EPSILONS = (1, 0.1, 0.3, 3, 10)
NOISELESS = 10**6
SUBSAMPLES = (1_000, 5_000, 20_000)


def play(task: Task, recipe: str, epsilon: float, rows: int, learn: bool = True) -> dict:
    """One release, judged."""
    record = {"task": task.name, "who": recipe, "epsilon": epsilon, "n": task.rows, "code": code()}
    settings = {"recipe": recipe, "epsilon": str(epsilon), "delta": DELTA, "workload": task.workload, "rows": rows}
    made = run(sys.executable, HERE / "ours.py", task.columns, task.sizes, settings, task.limit)
    if not isinstance(made, Made):
        return record | {"unfinished": made.reason}
    return record | made.cost | made.facts | quality(task, made.rows, learn)


def code() -> str:
    """A digest of the package's source, so that the board can say which state of it was measured."""
    files = sorted(Path(understudy.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def floor(task: Task, seed: int, learn: bool = True) -> dict:
    """The bootstrap of the real rows, judged."""
    found = quality(task, task.bootstrap(seed), learn)
    return {"task": task.name, "who": "bootstrap floor", "n": task.rows, "seed": seed} | found


def on_a(task: Task, results: Results) -> None:
    """Parts epsilon, limit, floor and rows, of the default recipe; the main figures first."""
    for epsilon in EPSILONS:
        for again in range(5 if epsilon == 1 else 3):
            results.add(play(task, DEFAULT, epsilon, task.rows, learn=epsilon == 1 or again == 0))
    results.add(play(task, DEFAULT, NOISELESS, task.rows))
    for seed in range(5):
        results.add(floor(task, seed, learn=seed == 0))
    for n in SUBSAMPLES:
        for seed in range(3):
            part = task.take(n, seed)
            results.add(play(part, DEFAULT, 1, task.rows, learn=False))
            results.add(floor(part, seed, learn=False))


def others_on_a(task: Task, results: Results, names: list[str]) -> None:
    """Parts recipes and limit, of the recipes that are not the default."""
    for again in range(3):
        for name in names:
            results.add(play(task, name, 1, task.rows, learn=again == 0))
    for name in names:
        results.add(play(task, name, NOISELESS, task.rows, learn=False))


def on_b(task: Task, results: Results) -> None:
    """Part wide, and its floor."""
    for _ in range(3):
        results.add(play(task, DEFAULT, 1, task.rows))
    results.add(floor(task, 0))


def smoke() -> None:
    """Every recipe once on a tiny table."""
    task = invented()
    for name in understudy.recipes():
        record = Results(None).add(play(task, name, 1, 500))
        if "unfinished" in record:
            sys.exit(f"recipe {name} is {record['unfinished']}")
    Results(None).add(floor(task, 0))


def measure(data: Path, only: str) -> None:
    """Everything, for the board; or the named recipe beside what was measured before."""
    a = adult(data)
    if only and only != DEFAULT:
        others_on_a(a, Results(f"game-{only}"), [only])
        return
    results = Results("game")
    on_a(a, results)
    on_b(census(data), results)
    if not only:
        others_on_a(a, results, [name for name in understudy.recipes() if name != DEFAULT])


def main() -> None:
    """Measure our side of the board."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--data", type=Path, help="the folder with adult-coded.csv and census-kdd-train.parquet")
    words.add_argument("--only", default="", help="one recipe; another than the default goes to game-RECIPE.json")
    words.add_argument("--smoke", action="store_true", help="a tiny invented table; writes nothing")
    chosen = words.parse_args()
    if chosen.smoke:
        smoke()
    elif chosen.data is None:
        words.error("name the folder of the data with --data, or use --smoke")
    else:
        measure(chosen.data, chosen.only)


if __name__ == "__main__":
    main()
