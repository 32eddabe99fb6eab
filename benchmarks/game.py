"""Our recipes on the board's tasks: error, certificate, cost, and where the error comes from.

    python benchmarks/game.py --data DATA      runs everything and writes benchmarks/results/game.json
    python benchmarks/game.py --smoke          two recipes once on a tiny table; writes nothing

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
ROUNDS = 5
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


def on_a(task: Task, results: Results, again: int) -> None:
    """One round of the default recipe: parts epsilon, limit, floor and rows."""
    for epsilon in EPSILONS if again < 3 else EPSILONS[:1]:
        results.add(play(task, DEFAULT, epsilon, task.rows, learn=epsilon == 1 or again == 0))
    results.add(floor(task, again, learn=again == 0))
    if again == 0:
        results.add(play(task, DEFAULT, NOISELESS, task.rows))
    for n in SUBSAMPLES if again < 3 else ():
        part = task.take(n, again)
        results.add(play(part, DEFAULT, 1, task.rows, learn=False))
        results.add(floor(part, again, learn=False))


def other_on_a(task: Task, results: Results, again: int, name: str) -> None:
    """One round of another recipe: parts recipes and limit."""
    results.add(play(task, name, 1, task.rows, learn=again == 0))
    if again == 0:
        results.add(play(task, name, NOISELESS, task.rows))


def smoke() -> None:
    """The default recipe and the cheapest one, once on a tiny table."""
    task = invented()
    for name in (DEFAULT, "independent"):
        record = Results(None).add(play(task, name, 1, 500))
        if "unfinished" in record:
            sys.exit(f"recipe {name} is {record['unfinished']}")
    Results(None).add(floor(task, 0))


def measure(data: Path, only: str, more: bool) -> None:
    """Everything, in rounds, so that a run that is cut short has some of each; or one recipe, into a file of its own."""
    a, b = adult(data), census(data)
    others = [name for name in understudy.recipes() if name != DEFAULT]
    results = Results(f"game-{only}" if only else "game", more)
    for again in range(ROUNDS):
        if only in ("", DEFAULT):
            on_a(a, results, again)
        if only in ("", DEFAULT) and again < 3:
            results.add(play(b, DEFAULT, 1, b.rows))
            if again == 0:
                results.add(floor(b, 0))
        for name in others if again < 3 else ():
            if only in ("", name):
                other_on_a(a, results, again, name)


def main() -> None:
    """Measure our side of the board."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--data", type=Path, help="the folder with adult-coded.csv and census-kdd-train.parquet")
    words.add_argument("--only", default="", help="one recipe, into game-RECIPE.json")
    words.add_argument(
        "--more", action="store_true", help="add to the results that are there, instead of beginning anew"
    )
    words.add_argument("--smoke", action="store_true", help="a tiny invented table; writes nothing")
    chosen = words.parse_args()
    if chosen.smoke:
        smoke()
    elif chosen.data is None:
        words.error("name the folder of the data with --data, or use --smoke")
    else:
        measure(chosen.data, chosen.only, chosen.more)


if __name__ == "__main__":
    main()
