"""The figures and the page of the experiment, from its results."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawing import Chart, Line, save

SQUARES, WIDE, GAP, HEAD = 50, 400, 20, 24
HEADING = """# A town's ties, released

    python experiments/graph/run.py

{nodes:,} invented people in seven districts (`network.py`), {edges:,} ties between them, how they know each other and for how
many years. The people and their districts are public, the ties private, one at a time (edge-level privacy; not node-level).
One release a setting with the seeded twin of the noise, delta 1e-6, the number of ties public, all pairs of columns as the
workload; networkx counts what comes out. "The model without noise" deals the private graph's own blocks and degrees anew:
what lies between it and the private graph is what blocks and degrees do not hold, and no epsilon would bring it back.

![private and released adjacency](adjacency.svg)

Nodes in the order of their districts, and within each of their degree: left the private ties, right the released ones
(`blocks`, epsilon 1). The darker, the more ties (square root).

## Degrees

![share of nodes with at least so many ties](degrees.svg)
"""
LINES = {
    "edges": ("edges (no repeats)", "{:,}"),
    "mean_degree": ("mean degree", "{:.2f}"),
    "deviation_of_degrees": ("deviation of degrees", "{:.2f}"),
    "largest_degree": ("largest degree", "{:,}"),
    "degree_error": ("mean error of a sorted degree, by block", "{:.2f}"),
    "tv_blocks": ("total variation, pairs of blocks", "{:.4f}"),
    "tv_blocks_how": ("total variation, blocks x how", "{:.4f}"),
    "tv_blocks_years": ("total variation, blocks x years", "{:.4f}"),
    "modularity": ("modularity of the districts", "{:.3f}"),
    "assortativity": ("degree assortativity", "{:.3f}"),
    "clustering": ("transitivity (triangles)", "{:.3f}"),
    "largest_component": ("largest component", "{:,}"),
    "mean_certified": ("certified: mean total variation of all pairs", "{:.4f}"),
    "seconds": ("seconds", "{}"),
}


def write_figures(blocks: dict, real: pd.DataFrame, made: pd.DataFrame, path: Path) -> None:
    """Two adjacency matrices side by side."""
    panels = [matrix(blocks, rows) for rows in (real, made)]
    top = max(panel.max() for panel in panels)
    titles = ("private ties", "released ties, epsilon 1")
    drawn = [
        f'<g transform="translate({i * (WIDE + GAP)},{HEAD})"><text y="-8">{title}</text>{squares(panel, top)}'
        f"{lines(blocks)}</g>"
        for i, (title, panel) in enumerate(zip(titles, panels, strict=True))
    ]
    head = f'<svg width="{2 * WIDE + GAP}" height="{HEAD + WIDE}" xmlns="http://www.w3.org/2000/svg">'
    white = '<rect width="100%" height="100%" fill="white"/><style>text{font:bold 12px sans-serif}</style>'
    path.write_text(f"{head}{white}{''.join(drawn)}</svg>\n")


def matrix(blocks: dict, rows: pd.DataFrame) -> np.ndarray:
    """Ties between groups of nodes, districts in order, within each from the most to the fewest ties."""
    degree = pd.concat([rows["one"], rows["other"]]).value_counts()
    order = [node for nodes in blocks.values() for node in sorted(nodes, key=lambda n: -degree.get(n, 0))]
    place = {node: i * SQUARES // len(order) for i, node in enumerate(order)}
    found = np.zeros((SQUARES, SQUARES))
    for one, other in zip(rows["one"].map(place), rows["other"].map(place), strict=True):
        found[one, other] += 1
        found[other, one] += 1
    return found


def squares(panel: np.ndarray, top: float) -> str:
    """A square for every pair of groups that has a tie."""
    side = WIDE / SQUARES
    return "".join(
        f'<rect x="{side * column:.1f}" y="{side * row:.1f}" width="{side:.1f}" height="{side:.1f}" fill="#0b4f8a" '
        f'fill-opacity="{(panel[row, column] / top) ** 0.5:.3f}"/>'
        for row, column in zip(*np.nonzero(panel), strict=True)
    )


def lines(blocks: dict) -> str:
    """The borders of the districts."""
    ends = np.cumsum([len(nodes) for nodes in blocks.values()]) * WIDE / sum(map(len, blocks.values()))
    ways = "".join(f"M{e:.1f} 0V{WIDE}M0 {e:.1f}H{WIDE}" for e in ends)
    return f'<path d="{ways}" stroke="#b55" stroke-width="0.6"/>'


def named(record: dict) -> str:
    """A column's name."""
    return record["recipe"] if record["epsilon"] == "-" else f"{record['recipe']}, eps {record['epsilon']}"


def tail(record: dict) -> list[tuple[float, float]]:
    """The share of nodes with at least so many ties."""
    degrees = np.concatenate(record["degrees"])
    at = [d for d in (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150, 200) if d <= degrees.max()]
    return [(d, float((degrees >= d).mean())) for d in at]


def write_page(found: list[dict], folder: Path) -> None:
    """degrees.svg and README.md."""
    chart = Chart(
        "degrees of all nodes",
        "ties",
        "share of nodes with at least so many",
        [Line(named(r), tail(r), dashed=r["epsilon"] == "-") for r in found[:6]],
        log_x=True,
        log_y=True,
    )
    save([chart], folder / "degrees.svg")
    parts = [HEADING.format(nodes=sum(found[0]["sizes"].values()), edges=found[0]["edges"])]
    parts += [f"| | {' | '.join(map(named, found))} |", "|" + "---|" * (len(found) + 1)]
    for key, (what, form) in LINES.items():
        cells = [form.format(r[key]) if key in r else "-" for r in found]
        parts.append(f"| {what} | {' | '.join(cells)} |")
    parts += ["\n## Certificates\n", "| released with | pair | certified bound |", "|---|---|---|"]
    for r in found:
        parts += [f"| {named(r)} | {pair} | {bound:.4f} |" for pair, bound in r.get("certified", {}).items()]
    (folder / "README.md").write_text("\n".join(parts) + "\n")
