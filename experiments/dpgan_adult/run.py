"""DP-GAN on the Adult table, beside querygan and SmartNoise's DPCTGAN, and what each part of it is worth.

    python experiments/dpgan_adult/run.py [--data ../shared/data] [--points 99]

The 32,561 raw training rows by `benchmarks/adult.toml`, income as the label, delta 1e-5, as many rows released; our releases by
the seeded twin of the noise. Total variation is over all pairs of columns, by the schema's cells, against the training rows.
AUC is of income, told from the 14 other columns by scikit-learn's boosting (its defaults, 60 rounds) that learned from the
synthetic rows, on the 16,281 rows of `adult-test.csv`. DPCTGAN has the table as cells (benchmarks/peers/dpctgan_peer.py) in an
environment of its own, where peers.py has made one, and 600 CPU seconds.
"""

import argparse
import resource
import sys
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

HERE = Path(__file__).parent
BENCHMARKS = HERE.parents[1] / "benchmarks"
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(BENCHMARKS))

from fresh import Made, run  # noqa: E402
from points import Point, Points  # noqa: E402

from understudy.game.data.generated import Generated  # noqa: E402
from understudy.measure.variation import variations  # noqa: E402
from understudy.publish.run import rehearse  # noqa: E402
from understudy.question.workload import ways  # noqa: E402
from understudy.recipe.dpgan import TABLES, TEMPO, adversaries, networks  # noqa: E402
from understudy.recipe.recipe import Pairing, Setting, recipe  # noqa: E402
from understudy.schema.column import Number  # noqa: E402
from understudy.schema.encode import coded  # noqa: E402
from understudy.schema.read import from_dict  # noqa: E402
from understudy.source.source import read  # noqa: E402

PEER = Path.home() / ".cache" / "understudy-peers" / "smartnoise" / "bin" / "python"
DELTA, ROUNDS, LIMIT = "1e-5", 60, 600
WANTED = [
    *(f"{who} {epsilon} 0" for epsilon in ("3", "1") for who in ("dpgan", "querygan", "DPCTGAN", "warm_dpgan")),
    *(f"{who} 3 0" for who in ("as_numbers", "ron_dpgan", "pairs")),
    *(f"dpgan {epsilon} {seed}" for seed in (1, 2) for epsilon in ("3", "1")),
]
WORDS = tomllib.loads((BENCHMARKS / "adult.toml").read_text())
SCHEMA = from_dict(WORDS | {"table": WORDS["table"] | {"label": "income"}})
Codes = dict[str, Any]


@recipe("as_numbers", cost="as dpgan", choose="an ablation: numbers are shown as numbers, not by cells", sampled=True)
def as_numbers(setting: Setting) -> Pairing:
    """dpgan with mixed heads: its generator begins anywhere."""
    return adversaries(setting, networks(setting), TEMPO, TABLES)


@cache
def rows(data: Path, name: str) -> Codes:
    """A part of the table, by cells."""
    return coded(read(data / f"adult-{name}.csv", SCHEMA), SCHEMA)


def quality(data: Path, codes: Codes) -> Point:
    """Both measures."""
    found = variations(rows(data, "train"), codes, SCHEMA, ways(tuple(SCHEMA.domain), 2))
    names = [name for name in SCHEMA.domain if name != "income"]
    seen, test = (np.column_stack([part[name] for name in names]) for part in (codes, rows(data, "test")))
    auc = 0.5
    if len(np.unique(codes["income"])) > 1:
        learner = HistGradientBoostingClassifier(random_state=0, max_iter=ROUNDS).fit(seen, codes["income"])
        auc = float(roc_auc_score(rows(data, "test")["income"], learner.predict_proba(test)[:, 1]))
    return {"tv": float(np.mean([variation for _, variation, _ in found])), "auc": auc}


def measure(name: str, data: Path) -> Point:
    """One release, ours or the peer's."""
    who, epsilon, seed = name.split()
    if who == "DPCTGAN":
        return peer(data, epsilon, int(seed))
    many, before = len(rows(data, "train")["income"]), cpu()
    terms = {"epsilon": epsilon, "delta": DELTA, "recipe": who, "workload": "1way", "rows": many}
    made = rehearse(data / "adult-train.csv", SCHEMA, seed=int(seed), **terms)
    found = {"cpu seconds": cpu() - before} | quality(data, made.codes)
    if isinstance(made.guess, Generated):
        last = replace(made.guess, networks=made.guess.networks[-1:])
        found["last alone"] = quality(data, last.rows(many, np.random.default_rng(0)))
    return found


def peer(data: Path, epsilon: str, seed: int) -> Point:
    """DPCTGAN in its own environment, or why not."""
    if not PEER.exists():
        return {"unfinished": "not installed"}
    table = rows(data, "train")
    numbers = [column.name for column in SCHEMA.modelled if isinstance(column, Number)]
    settings = {"epsilon": epsilon, "delta": DELTA, "seed": seed, "rows": len(table["income"]), "numbers": numbers}
    sizes = list(SCHEMA.domain.values())
    made = run(PEER, BENCHMARKS / "peers" / "dpctgan_peer.py", table, sizes, settings, LIMIT)
    if not isinstance(made, Made):
        return {"unfinished": made.reason}
    return {"cpu seconds": made.cost["cpu"]} | quality(data, made.rows)


def cpu() -> float:
    """CPU seconds of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def page(points: Points) -> str:
    """The README: all figures are read off the points."""
    lines = [
        "# DP-GAN on Adult",
        "",
        "    python experiments/dpgan_adult/run.py",
        "",
        "The raw training table, delta 1e-5. Total variation of all pairs, AUC of income on the test table; means",
        "of the runs, with the ends where there are several. CPU seconds are of whole releases.",
        "",
        "| who | epsilon | runs | total variation | AUC | the last average alone | CPU s |",
        "|---|---|---|---|---|---|---|",
    ]
    for who, epsilon in dict.fromkeys(tuple(name.split()[:2]) for name in WANTED):
        found = points.of(who, epsilon)
        if any("unfinished" in point for point in found):
            lines.append(f"| {who} | {epsilon} | 0 | {found[0]['unfinished']} | | | |")
        elif found:
            alone = [point["last alone"] for point in found if "last alone" in point]
            told = f"{spread([p['tv'] for p in alone])}, AUC {spread([p['auc'] for p in alone])}" if alone else ""
            cells = [spread([point[key] for point in found]) for key in ("tv", "auc")]
            took = np.mean([point["cpu seconds"] for point in found])
            lines.append(f"| {who} | {epsilon} | {len(found)} | {' | '.join(cells)} | {told} | {took:.0f} |")
    return "\n".join([*lines, "", (HERE / "verdict.md").read_text()])


def spread(found: list[float]) -> str:
    """The mean, and the ends where there are several."""
    ends = f" ({min(found):.3f}-{max(found):.3f})" if len(found) > 1 else ""
    return f"{np.mean(found):.3f}{ends}"


def main() -> None:
    """Measure what is missing, and write the page."""
    said = argparse.ArgumentParser()
    said.add_argument("--data", type=Path, default=Path("../shared/data"))
    said.add_argument("--points", type=int, default=len(WANTED))
    given = said.parse_args()
    points = Points(HERE / "results.json")
    points.fill(WANTED, lambda name: measure(name, given.data), given.points)
    (HERE / "README.md").write_text(page(points))


if __name__ == "__main__":
    main()
