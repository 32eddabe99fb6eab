"""dimension.svg and README.md, from the results of run.py."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from drawing import Chart, Line, save  # noqa: E402

KINDS = {"frank-wolfe": "DP Frank-Wolfe", "descent": "noisy projected descent"}
Told = list[dict[str, Any]]


def write(folder: Path) -> None:
    """The page, of the dimensions that there are."""
    told = [json.loads(path.read_text()) for path in folder.glob("[0-9]*.json")]
    told.sort(key=lambda row: row["p"])
    draw(told)
    large = folder / "large.json"
    parts = [head(told), table(told), growth(told)]
    parts += [reach(json.loads(large.read_text()))] if large.exists() else []
    (HERE / "README.md").write_text("\n\n".join(parts) + "\n")


def head(told: Told) -> str:
    """What was measured."""
    fits = " or ".join(str(seeds) for seeds in sorted({row["seeds"] for row in told}))
    public = f"N = {told[0]['n']:,}, delta {told[0]['delta']}, add-remove, {fits} fits a point"
    return f"""# What a dimension costs: log p against sqrt p

    python experiments/dimension/run.py 10 32 100 316 1000 3162 10000 large page

Bag-of-words data: five features that matter, each +-1, and one of the other p - 5 is 1, so the largest feature is 1 and the
norm sqrt(6) whatever p is; the target is their weighted sum plus noise, the weights of l1 norm 1. {public},
each of its own data, noise by the seeded twin. The excess risk is exact over the population and relative to predicting 0. DP
Frank-Wolfe takes 20 steps in the l1 ball, noisy projected descent (gradients of all rows) 40 in the l2 ball; both are told the
true radius. Steps are the same at every p and were not tuned.

The second and third columns say which epsilon makes the mean excess a quarter (bisection, to a factor of 1.05). Privacy's cost
enters as 1 / (N epsilon), so this epsilon grows with p as the error does where it is small.

![epsilon and excess by dimension](dimension.svg)"""


def table(told: Told) -> str:
    """A row a dimension."""
    lines = [
        f"| p | epsilon for 1/4: {' | epsilon for 1/4: '.join(KINDS.values())} | ratio |"
        f" excess at epsilon {told[0]['fixed']}: {' | excess: '.join(KINDS.values())} |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for row in told:
        first, second = (row[kind]["epsilon needed"] for kind in KINDS)
        risks = [
            f"{np.mean(row[k]['excess']):.3f} ({min(row[k]['excess']):.3f} to {max(row[k]['excess']):.3f})"
            for k in KINDS
        ]
        lines.append(f"| {row['p']:,} | {first:.3f} | {second:.3f} | {second / first:.2f} | {' | '.join(risks)} |")
    return "\n".join(lines)


def growth(told: Told) -> str:
    """Slopes, the laws that fit, and the crossing."""
    wide = [row for row in told if row["p"] >= 100]
    said = []
    for kind, name in KINDS.items():
        needed = np.array([row[kind]["epsilon needed"] for row in wide])
        p = np.array([row["p"] for row in wide], dtype=float)
        slope = float(np.polyfit(np.log(p), np.log(needed), 1)[0])
        fits = {law: r_squared(shape(p), needed) for law, shape in (("log p", np.log), ("sqrt p", np.sqrt))}
        better = max(fits, key=lambda law: fits[law])
        said.append(
            f"* {name}: from p = 100 on, epsilon grows as p^{slope:.2f}; of a + b log p and a + b sqrt p, {better} fits better "
            f"(R^2 {fits['log p']:.3f} and {fits['sqrt p']:.3f})."
        )
    places = [crossing(told, lambda row, kind: row[kind]["epsilon needed"])]
    places.append(crossing(told, lambda row, kind: float(np.mean(row[kind]["excess"]))))
    said.append(
        f"* The crossing: below p = {places[0]} descent needs the smaller epsilon, above it Frank-Wolfe does; at epsilon "
        f"{told[0]['fixed']} the errors cross at p = {places[1]}."
    )
    return "\n".join(said)


def r_squared(x: np.ndarray, y: np.ndarray) -> float:
    """How much of y a straight line in x explains."""
    left = y - np.polyval(np.polyfit(x, y, 1), x)
    return float(1 - left.var() / y.var())


def crossing(told: Told, of: Any) -> str:
    """Where descent's curve goes above Frank-Wolfe's for the last time, between two dimensions on a logarithmic axis."""
    gaps = [(math.log(row["p"]), math.log(of(row, "descent") / of(row, "frank-wolfe"))) for row in told]
    found = "none that was measured"
    for (x0, y0), (x1, y1) in zip(gaps, gaps[1:], strict=False):
        if y0 <= 0 < y1:
            found = f"{math.exp(x0 - y0 * (x1 - x0) / (y1 - y0)):,.0f}"
    return found


def reach(large: dict[str, Any]) -> str:
    """The size that document 001 could not run."""
    lines = [
        f"## N = {large['n']:,}, p = {large['p']:,}",
        "",
        f"One fit of each at epsilon {large['epsilon']:g}, features as int8, one thread, on a machine that others used too.",
        "",
        "| learner | steps | CPU s | s | peak MB so far, the data's own 1,000 included | excess |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind, name in KINDS.items():
        row = large[kind]
        cells = [
            name,
            row["steps"],
            row["cpu seconds"],
            row["seconds"],
            row["peak megabytes so far"],
            f"{row['excess']:.4f}",
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def draw(told: Told) -> None:
    """Both measures by p, with log p and sqrt p through the first points."""
    needed = {kind: [(row["p"], row[kind]["epsilon needed"]) for row in told] for kind in KINDS}
    risks = [
        Line(name, [(row["p"], float(np.mean(row[kind]["excess"]))) for row in told]) for kind, name in KINDS.items()
    ]
    lines = [Line(KINDS[kind], points) for kind, points in needed.items()]
    hundred = next(place for place, row in enumerate(told) if row["p"] >= 100)
    for kind, law, shape in (("frank-wolfe", "log 2p", lambda p: math.log(2 * p)), ("descent", "sqrt p", math.sqrt)):
        start, level = needed[kind][hundred]
        lines.append(Line(law, [(row["p"], level * shape(row["p"]) / shape(start)) for row in told], dashed=True))
    charts = [
        Chart("epsilon for an excess risk of 1/4", "features p", "epsilon", lines, log_x=True, log_y=True),
        Chart(
            f"excess risk at epsilon {told[0]['fixed']}", "features p", "relative excess", risks, log_x=True, log_y=True
        ),
    ]
    save(charts, HERE / "dimension.svg")
