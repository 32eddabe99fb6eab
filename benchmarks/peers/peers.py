"""The peers, each in an environment of its own, on the same tables and by the same measures as we.

    python benchmarks/peers/peers.py --data DATA [--home FOLDER]     installs, runs, writes benchmarks/results/peers.json
    python benchmarks/peers/peers.py --smoke                         the runners alone on a tiny table; writes nothing

Environments are made under --home (default: ~/.cache/understudy-peers), never in the repository, and kept. A peer that
cannot be installed within ten minutes, or that needs more than the limit of CPU seconds for a run, is reported so.
Runs go from the most important to the least, so that a run that is cut short has the main figures.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from fresh import Made, run  # noqa: E402
from results import Results  # noqa: E402
from tasks import DELTA, Task, adult, census, invented, quality  # noqa: E402

INSTALL_SECONDS = 600


@dataclass(frozen=True)
class Peer:
    """A library: what to install, in order, and the script that runs in its environment."""

    name: str
    requirements: tuple[str, ...]
    script: str


@dataclass(frozen=True)
class Variant:
    """A model of a peer with its settings, and the epsilons at which it runs."""

    name: str
    peer: str
    settings: dict
    epsilons: tuple[float, ...] = (1,)
    runs: int = 1
    task: str = "A"
    limit: int = 600


PEERS = {
    "dpmm": Peer("dpmm", ("dpmm==0.1.9",), "dpmm_peer.py"),
    "smartnoise": Peer("smartnoise", ("torch==2.13.0", "packaging", "smartnoise-synth==1.0.8"), "smartnoise_peer.py"),
}
NOT_RUN = {
    "private-pgm (mechanisms/aim.py, mst.py)": "not on PyPI: `mbi` there is the inference library without the recipes. "
    "SmartNoise's MST and AIM are ports of these two files to mbi 1.1, and run here",
    "google/dpsynth": "not on PyPI, and wants Python 3.12",
    "mostlyai-engine": "skipped: a neural engine on torch; the issue's figure (3-way 0.200, 59 CPU s) is far from the front",
    "GEM (reference code)": "not on PyPI; the issue's figure (3-way 0.200, 108 CPU s) is far from the front",
}
ALL = (1, 0.1, 10, 0.3, 3)  # the ends before the middle


def aim(degree: int, size: float, iterations: int = 200) -> dict:
    """Settings of dpmm's AIM."""
    return {"model": "aim", "size": size, "knobs": {"degree": degree, "n_iters": iterations}}


VARIANTS = (
    Variant("dpmm AIM 2-way, size 1", "dpmm", aim(2, 1)),
    Variant("dpmm AIM 2-way, size 10", "dpmm", aim(2, 10), ALL),
    Variant("dpmm MST", "dpmm", {"model": "mst"}, ALL),
    Variant("dpmm AIM 3-way, size 1", "dpmm", aim(3, 1), ALL),
    Variant("dpmm MST, 3,000 iterations", "dpmm", {"model": "mst", "knobs": {"n_iters": 3000}}, task="B"),
    Variant("smartnoise MST", "smartnoise", {"model": "mst"}),
    Variant("dpmm PrivBayes", "dpmm", {"model": "priv-bayes"}),
    Variant("smartnoise AIM, size 1", "smartnoise", {"model": "aim", "knobs": {"max_model_size": 1}}),
    Variant("dpmm AIM, library defaults", "dpmm", aim(2, 80, 1000)),
)


def environment(peer: Peer, home: Path) -> Path:
    """The peer's Python, installed on first use; RuntimeError with the reason where it cannot be."""
    folder = home / peer.name
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True, timeout=120)
            for requirement in peer.requirements:
                words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
                subprocess.run(words, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"not installed within {INSTALL_SECONDS} s") from None
        except subprocess.CalledProcessError as wrong:
            last = str(wrong.stderr).strip().splitlines()[-1:]
            raise RuntimeError(f"cannot be installed: {' '.join(last)[:160]}") from None
        done.write_text("\n".join(peer.requirements) + "\n")
    return python


def play(variant: Variant, task: Task, python: Path, epsilon: float, seed: int) -> dict:
    """One run of a peer, judged."""
    record = {"task": task.name, "who": variant.name, "epsilon": epsilon, "n": task.rows, "seed": seed}
    settings = variant.settings | {"epsilon": epsilon, "delta": float(DELTA), "rows": task.rows, "seed": seed}
    made = run(python, HERE / PEERS[variant.peer].script, task.columns, task.sizes, settings, variant.limit)
    if not isinstance(made, Made):
        return record | {"unfinished": made.reason}
    return record | made.cost | quality(task, made.rows)


def measure(tasks: dict[str, Task], variants: tuple[Variant, ...], home: Path, results: Results) -> None:
    """Install what is needed, and run every variant at its epsilons."""
    pythons: dict[str, Path | str] = {}
    for variant in variants:
        if variant.peer not in pythons:
            try:
                pythons[variant.peer] = environment(PEERS[variant.peer], home)
            except RuntimeError as reason:
                pythons[variant.peer] = str(reason)
        python = pythons[variant.peer]
        for epsilon in variant.epsilons:
            for seed in range(variant.runs):
                if isinstance(python, Path):
                    results.add(play(variant, tasks[variant.task], python, epsilon, seed))
                else:
                    results.add({"task": variant.task, "who": variant.name, "epsilon": epsilon, "unfinished": python})
    for who, reason in NOT_RUN.items():
        results.add({"task": "A", "who": who, "unfinished": reason})


def main() -> None:
    """The peers alone; the board calls this script too."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--data", type=Path, help="the folder with adult-coded.csv and census-kdd-train.parquet")
    words.add_argument("--home", type=Path, default=Path.home() / ".cache" / "understudy-peers")
    words.add_argument(
        "--only", default="", help="run only the variants whose name holds this word; writes peers-WORD.json"
    )
    words.add_argument("--epsilon", type=float, help="run only at this epsilon; its name goes into the file's name too")
    words.add_argument("--smoke", action="store_true", help="dpmm's MST on a tiny table, if its environment is there")
    chosen = words.parse_args()
    if chosen.smoke:
        if not (chosen.home / "dpmm" / "installed").exists():
            print("no peer is installed here: nothing to smoke")
            return
        tiny = (Variant("dpmm MST", "dpmm", {"model": "mst", "knobs": {"n_iters": 50}}, task="smoke", limit=60),)
        measure({"smoke": invented()}, tiny, chosen.home, Results(None))
        return
    if chosen.data is None:
        words.error("name the folder of the data with --data, or use --smoke")
    wanted = [variant for variant in VARIANTS if chosen.only.lower() in variant.name.lower()]
    if chosen.epsilon is not None:
        wanted = [
            replace(variant, epsilons=(chosen.epsilon,)) for variant in wanted if chosen.epsilon in variant.epsilons
        ]
    tasks = {"A": adult(chosen.data), "B": census(chosen.data)}
    name = " ".join(["peers", chosen.only.lower(), "" if chosen.epsilon is None else f"epsilon {chosen.epsilon:g}"])
    measure(tasks, tuple(wanted), chosen.home, Results(re.sub(r"\W+", "-", name.strip())))


if __name__ == "__main__":
    main()
