"""The road's figures: counting, releasing, starting up. One run, ratios beside the seconds.

    python benchmarks/road.py --data DATA               writes benchmarks/results/road.json, for the board
    python benchmarks/road.py --smoke                   the same on a small invented table, writes nothing

Each figure is the median of ``REPEATS``, of starts the least of more, since other work only adds to them. Beside them stands a
plain NumPy task timed in the same run (one pass of bincount over 48,842 x 364 indices), so that another machine's board can
be compared by the ratios.
"""

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from results import Results

from understudy import read_schema
from understudy.question.counting import counts

HERE = Path(__file__).parent
REPEATS = 3
RELEASE = """
import json, resource, sys, time
import understudy
start = time.perf_counter()
made = understudy.release(sys.argv[1], sys.argv[2], epsilon=1, delta="1e-9", recipe="pairs", out=sys.argv[3])
peak = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([time.perf_counter() - start, peak.ru_utime + peak.ru_stime, peak.ru_maxrss / 1024]))
"""


def median(task: Callable[[], object]) -> float:
    """Seconds, median of the repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def yardstick() -> float:
    """A plain NumPy task for ratios."""
    index = np.random.default_rng(0).integers(0, 1000, 48_842 * 364, dtype=np.int32)
    return median(lambda: np.bincount(index, minlength=1000))


def coded(path: Path) -> tuple[list[np.ndarray], list[int]]:
    """The coded table's columns and sizes."""
    domain = json.loads(path.with_name("adult-coded-domain.json").read_text())
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    return [table[:, j].astype(np.uint8) for j in range(table.shape[1])], list(domain.values())


def invented() -> tuple[list[np.ndarray], list[int]]:
    """A small coded table, for the smoke run."""
    rng = np.random.default_rng(0)
    sizes = [5, 9, 2, 16, 7]
    return [rng.integers(0, size, 2000).astype(np.uint8) for size in sizes], sizes


def three_way(columns: list[np.ndarray], sizes: list[int]) -> None:
    """Count every three-way marginal."""
    for clique in combinations(range(len(sizes)), 3):
        counts([columns[j] for j in clique], tuple(sizes[j] for j in clique))


def raw_adult(data: Path, target: Path) -> Path:
    """Adult's train and test files as one table."""
    train, test = ((data / name).read_text().splitlines() for name in ("adult-train.csv", "adult-test.csv"))
    target.write_text("\n".join([*train, *test[1:]]) + "\n")
    return target


def small_table(target: Path) -> tuple[Path, Path]:
    """A CSV and a schema for the smoke run."""
    rng = np.random.default_rng(0)
    with open(target / "small.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b"])
        writer.writerows((int(a), int(a) // 2) for a in rng.integers(0, 8, 500))
    (target / "small.toml").write_text(
        '[table]\nname = "small"\n' + "".join(f'[columns.{c}]\nkind = "integer"\nmin = 0\nmax = 7\n' for c in "ab")
    )
    return target / "small.csv", target / "small.toml"


def release(table: Path, schema: Path) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak megabytes of one release in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", RELEASE, str(table), str(schema), f"{folder}/bundle"]
        wall, cpu, peak = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return wall, cpu, peak


def starting(words: list[str]) -> tuple[float, float]:
    """Seconds of a command from start to end, by the clock and of the processor: the least of some runs."""
    clock, work = [], []
    for _ in range(3 * REPEATS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock.append(time.perf_counter() - start)
        work.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(clock), min(work)


def said(times: tuple[float, float]) -> str:
    """Both in words."""
    return "{:.3f} s, CPU {:.3f} s".format(*times)


def figures(data: Path | None) -> list[tuple[str, str, str]]:
    """What was measured: (what, figure, bar)."""
    unit = yardstick()
    columns, sizes = invented() if data is None else coded(data / "adult-coded.csv")
    counting = median(lambda: three_way(columns, sizes))
    python = starting([sys.executable, "-c", "pass"])
    importing = starting([sys.executable, "-c", "import understudy"])
    helping = starting([str(Path(sys.executable).with_name("understudy")), "--help"])
    with tempfile.TemporaryDirectory() as folder:
        if data is None:
            table, schema = small_table(Path(folder))
        else:
            table, schema = raw_adult(data, Path(folder) / "adult.csv"), HERE / "adult.toml"
        read_schema(schema)
        runs = sorted(release(table, schema) for _ in range(REPEATS if data else 1))
    wall, cpu, peak = runs[len(runs) // 2]
    marginals = len(list(combinations(sizes, 3)))
    return [
        ("yardstick (NumPy bincount of 17.8 million indices)", f"{unit:.3f} s", ""),
        (f"count all {marginals} three-way marginals", f"{counting:.3f} s = {counting / unit:.1f} yardsticks", "1 s"),
        ("`pairs` release, wall", f"{wall:.1f} s = {wall / unit:.0f} yardsticks", "60 s"),
        ("`pairs` release, CPU", f"{cpu:.1f} s", ""),
        ("`pairs` release, peak memory", f"{peak:.0f} MB", "2,000 MB"),
        ("Python's own start", said(python), ""),
        ("`import understudy`", said(importing), "0.3 s more"),
        ("`understudy --help`", said(helping), "0.5 s"),
    ]


def measure(data: Path) -> None:
    """Everything, for the board."""
    results = Results("road")
    for what, figure, bar in figures(data):
        results.add({"what": what, "measured": figure, "bar": bar})


def main() -> None:
    """Measure and print; write the results unless this is a smoke run."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--data", type=Path, help="the folder with adult-coded.csv, adult-train.csv and adult-test.csv")
    words.add_argument("--smoke", action="store_true", help="a small invented table; writes nothing")
    chosen = words.parse_args()
    if chosen.smoke:
        for row in figures(None):
            print(*row, sep=" | ")
    elif chosen.data is None:
        words.error("name the folder of the data with --data, or use --smoke")
    else:
        measure(chosen.data)


if __name__ == "__main__":
    main()
