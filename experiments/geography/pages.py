"""The map and the page of the experiment, from its results."""

import re
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

from understudy.schema.encode import codes, raw
from understudy.schema.pair import Place

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawing import Chart, Line, save

WIDE, GAP, HEAD = 380, 16, 24
HEADING = """# Places of an invented city, released

    python experiments/geography/run.py

{rows:,} invented people (`city.py`): an old town, suburbs, villages, an island and a lake; home (latitude, longitude), age,
rent and commute, which depend on where the home is. The schema declares the box, the coast as a public outline and a
quadtree of depth {depth}: {cells:,} of its {leaves:,} leaves hold land, and only these are cells. One release a setting with
the seeded twin of the noise, delta 1e-6, the number of rows public, all pairs of columns as the workload. Errors are total
variations of the released rows against the table that they were made from, at each level of the quadtree (level l has 4^l
squares); a fresh sample of the same city shows what the private rows themselves are off by.

![density of the private rows, of the released rows, and some released points](map.svg)

Left: the private rows. Middle: the released rows (querygan, epsilon 1), by leaf; the darker, the more (square root). Right:
4,000 of the released points. No released point can lie in the water: that is the outline, not the noise.
"""


def write_maps(place: Place, wkt: str, box: dict, real: object, made: object, path: Path) -> None:
    """Three maps side by side."""
    tall = WIDE * (box["north"] - box["south"]) / (box["east"] - box["west"]) / 0.68
    frame = (box["south"], box["north"], box["west"], box["east"], tall)
    counted = [np.bincount(codes(raw(table(rows), place), place), minlength=place.size) for rows in (real, made)]
    top = max(counts.max() for counts in counted)
    panels = [density(place, counts, top, frame) for counts in counted] + [points(made, frame)]
    titles = ("private rows", "released rows, epsilon 1", "4,000 released points")
    drawn = [
        f'<g transform="translate({i * (WIDE + GAP)},{HEAD})"><text y="-8">{title}</text>'
        f'<rect width="{WIDE}" height="{tall:.0f}" fill="#dcebf5"/>{shore(wkt, frame, True)}{panel}'
        f"{shore(wkt, frame, False)}</g>"
        for i, (title, panel) in enumerate(zip(titles, panels, strict=True))
    ]
    clip = f'<svg width="{3 * WIDE + 2 * GAP}" height="{HEAD + tall:.0f}" xmlns="http://www.w3.org/2000/svg">'
    white = '<rect width="100%" height="100%" fill="white"/><style>text{font:bold 12px sans-serif}</style>'
    path.write_text(f"{clip}{white}{''.join(drawn)}</svg>\n")


def table(rows: object) -> pa.Table:
    """The coordinates of some rows."""
    return pa.table({name: rows[name].to_numpy() for name in ("lat", "lon")})


def at(lat: float, lon: float, frame: tuple) -> tuple[float, float]:
    """Where a point is on the page, within the frame."""
    south, north, west, east, tall = frame
    x, y = WIDE * (lon - west) / (east - west), tall * (north - lat) / (north - south)
    return min(max(x, 0), WIDE), min(max(y, 0), tall)


def shore(wkt: str, frame: tuple, filled: bool) -> str:
    """The land, or its edge."""
    rings = re.findall(r"\(([^()]+)\)", wkt)
    ways = []
    for ring in rings:
        corners = [at(float(c.split()[1]), float(c.split()[0]), frame) for c in ring.split(",")]
        ways.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z")
    look = 'fill="#fbfaf5"' if filled else 'fill="none" stroke="#456" stroke-width="0.8"'
    return f'<path d="{" ".join(ways)}" fill-rule="evenodd" {look}/>'


def density(place: Place, counts: np.ndarray, top: int, frame: tuple) -> str:
    """A square for each cell that has a row."""
    drawn = []
    for cell in np.flatnonzero(counts):
        (south, north), (west, east) = place.tree.bounds(int(cell))
        x, y = at((north + 1) / 1e4, west / 1e4, frame)
        right, down = at(south / 1e4, (east + 1) / 1e4, frame)
        depth = (counts[cell] / top) ** 0.5
        drawn.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{right - x:.1f}" height="{down - y:.1f}" fill="#8c2d19" '
            f'fill-opacity="{depth:.3f}"/>'
        )
    return "".join(drawn)


def points(rows: object, frame: tuple) -> str:
    """Some rows as points."""
    some = rows.iloc[:: max(len(rows) // 4000, 1)]
    return "".join(
        '<circle cx="{:.1f}" cy="{:.1f}" r="0.9" fill="#8c2d19" fill-opacity="0.6"/>'.format(*at(lat, lon, frame))
        for lat, lon in zip(some["lat"], some["lon"], strict=True)
    )


def write_page(found: list[dict], folder: Path) -> None:
    """error.svg and README.md."""
    levels = list(range(1, found[0]["depth"] + 1))
    shown = [r for r in found if r["recipe"] == "-" or (r["epsilon"] == "1" and r["recipe"] != "independent")]
    charts = [
        Chart(
            title,
            "level of the quadtree",
            "total variation",
            [
                Line(named(r), list(zip(levels, r["errors"][name], strict=True)), dashed=r["recipe"] == "-")
                for r in shown
            ],
        )
        for name, title in (("home", "home"), ("rent", "home x rent"), ("commute", "home x commute"))
    ]
    save(charts, folder / "error.svg")
    parts = [HEADING.format(**found[0], leaves=4 ** found[0]["depth"])]
    parts.append("## Error by level\n\n![total variation by level](error.svg)\n")
    for name in ("home", "age", "rent", "commute"):
        parts.append(f"{'home alone' if name == 'home' else f'home x {name}'}:\n")
        parts += [f"| released with | {' | '.join(f'level {i}' for i in levels)} |", "|" + "---|" * (len(levels) + 1)]
        parts += [f"| {named(r)} | {' | '.join(f'{e:.4f}' for e in r['errors'][name])} |" for r in found] + [""]
    parts += ["## Nearest at epsilon 1, by leaf\n", *nearest(found), ""]
    parts += [
        "## Certificates\n",
        "| released with | pair | certified bound | measured | points in the water | seconds |",
    ]
    parts.append("|---|---|---|---|---|---|")
    for r in found[1:]:
        pairs = r["certified"] or {"(no pair has the home)": r["mean_certified"]}
        for i, (pair, bound) in enumerate(pairs.items()):
            other = pair.replace("home", "").strip(" x")
            true = f"{r['errors'][other][-1]:.4f}" if other in r["errors"] else "-"
            lead = [named(r), pair, f"{bound:.4f}", true]
            tail = [f"{r['in_the_water']:,}", str(r["seconds"])] if not i else ["", ""]
            parts.append(f"| {' | '.join([*lead, *tail])} |")
    (folder / "README.md").write_text("\n".join(parts) + "\n")


def nearest(found: list[dict]) -> list[str]:
    """Who is nearest, for the home and for each of its pairs."""
    at_one = [r for r in found if r["epsilon"] == "1"]
    lines = []
    for name in found[0]["errors"]:
        best = min(at_one, key=lambda r: r["errors"][name][-1])
        what = "home alone" if name == "home" else f"home x {name}"
        lines.append(f"* {what}: {named(best)}, {best['errors'][name][-1]:.4f}")
    return lines


def named(record: dict) -> str:
    """A line's name."""
    if record["recipe"] == "-":
        return "a fresh sample"
    said = "" if record["kind"] == "place" else ", two columns"
    return f"{record['recipe']}, eps {record['epsilon']}{said}"
