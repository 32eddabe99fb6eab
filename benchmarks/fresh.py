"""One run in a fresh process: a coded table goes in, synthetic rows and what they cost come out. For us and for peers.

    parent   run(python, script, table, sizes, settings, limit)  ->  Made, or Unfinished with the reason
    child    serve(make)     calls make(columns, sizes, settings) -> rows (, facts), and times nothing else

What is timed is the call of ``make``: after the script's imports, before any measure of quality. CPU seconds are those
of all threads and children of the process (user and system), so that two cores cost two; the wall clock stands beside
them. Peak memory is the process's largest resident set, interpreter and libraries included. NumPy's thread pools have one
thread, for us and for peers; JAX and torch do as they do. A yardstick (ten sorts) is timed after each run, since two busy
cores are slower than one. The limit is in CPU seconds of the whole process and is set by the kernel (RLIMIT_CPU); the
parent waits four times as long by the wall clock.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")  # their waiting threads would count as CPU seconds
Columns = dict[str, Any]  # codes by column name


@dataclass(frozen=True)
class Made:
    """Synthetic rows, the costs of making them, and what else the maker said."""

    rows: Columns
    cost: dict[str, float]
    facts: dict[str, Any]


@dataclass(frozen=True)
class Unfinished:
    """Why there are no rows."""

    reason: str


def run(
    python: str | Path, script: Path, table: Columns, sizes: list[int], settings: dict, limit: int
) -> Made | Unfinished:
    """Run a script on a coded table, with a limit in CPU seconds."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        save(folder / "table.npz", table, sizes)
        (folder / "settings.json").write_text(json.dumps(settings))
        paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        here = os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | dict.fromkeys(POOLS, "1")
        words = [str(python), str(script), name]
        try:
            ended = subprocess.run(
                words, env=here, capture_output=True, text=True, timeout=4 * limit, preexec_fn=lambda: limit_cpu(limit)
            )
        except subprocess.TimeoutExpired:
            return Unfinished(f"unfinished after {4 * limit} s of wall time")
        if ended.returncode in (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU):
            return Unfinished(f"unfinished after {limit} CPU s")
        if ended.returncode:
            return Unfinished(f"failed: {(ended.stderr.strip().splitlines() or ['without a word'])[-1][:160]}")
        with np.load(folder / "rows.npz") as made:
            rows = {str(column): made["codes"][:, j] for j, column in enumerate(made["names"])}
        return Made(rows, **json.loads((folder / "cost.json").read_text()))


def limit_cpu(seconds: int) -> None:
    """The kernel ends the process after that many CPU seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def save(path: Path, columns: Columns, sizes: list[int]) -> None:
    """Codes as one matrix, column names and sizes beside it."""
    codes = np.column_stack([np.asarray(column, dtype=np.int16) for column in columns.values()])
    np.savez(path, codes=codes, names=np.array(list(columns)), sizes=np.array(sizes))


def serve(make: Callable[[Columns, list[int], dict], tuple[Columns, dict]]) -> None:
    """The child's whole life after its imports."""
    folder = Path(sys.argv[1])
    settings = json.loads((folder / "settings.json").read_text())
    with np.load(folder / "table.npz") as file:
        codes, names, sizes = file["codes"], [str(name) for name in file["names"]], file["sizes"].tolist()
    columns = {name: codes[:, j] for j, name in enumerate(names)}
    imported, start = cpu(), time.perf_counter()
    rows, facts = make(columns, sizes, settings)
    wall, used = time.perf_counter() - start, cpu()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    save(folder / "rows.npz", {name: rows[name] for name in names}, sizes)
    cost = {"cpu": used - imported, "wall": wall, "import_cpu": imported, "peak_mb": peak, "yard": yardstick()}
    (folder / "cost.json").write_text(json.dumps({"cost": cost, "facts": facts}))


def yardstick() -> float:
    """CPU seconds of a plain task, sorting two million numbers ten times: how slow the machine was just then."""
    numbers, start = np.random.default_rng(0).random(2_000_000), time.process_time()
    for _ in range(10):
        np.sort(numbers)
    return time.process_time() - start


def cpu() -> float:
    """CPU seconds of this process, all its threads, and its finished children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
