"""Line charts as SVG, for the pages of the experiments: a line a series, a band where there is an interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 380, 260, 56, 12, 30, 40


@dataclass(frozen=True)
class Line:
    """Points (x, y), and, where known, (low, high) for each."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """A panel: its title, what its axes say, its lines, and whether an axis is logarithmic."""

    title: str
    x: str
    y: str
    lines: Sequence[Line]
    log_x: bool = False
    log_y: bool = False


def save(charts: Sequence[Chart], path: Path) -> None:
    """Panels side by side, three in a row."""
    columns = min(3, len(charts))
    rows = math.ceil(len(charts) / columns)
    parts = [
        f'<g transform="translate({(i % columns) * WIDTH},{(i // columns) * HEIGHT})">{panel(chart)}</g>'
        for i, chart in enumerate(charts)
    ]
    size = f'width="{columns * WIDTH}" height="{rows * HEIGHT}" viewBox="0 0 {columns * WIDTH} {rows * HEIGHT}"'
    style = "<style>text{font:11px sans-serif;fill:#222}.t{font-weight:bold}</style>"
    body = f'<rect width="100%" height="100%" fill="white"/>{style}{"".join(parts)}'
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>\n')


def panel(chart: Chart) -> str:
    """One chart."""
    xs = [x for line in chart.lines for x, _ in line.points]
    ys = [
        v for line in chart.lines for pair in (*line.points, *((0, e) for b in line.band for e in b)) for v in pair[1:]
    ]
    across, up = scale(xs, LEFT, WIDTH - RIGHT, chart.log_x), scale(ys, HEIGHT - BOTTOM, TOP, chart.log_y)
    drawn = [f'<text class="t" x="{LEFT}" y="14">{escape(chart.title)}</text>']
    drawn.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(chart.x)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'transform="rotate(-90 12 {middle})"'
    drawn.append(f'<text x="12" y="{middle}" {turned} text-anchor="middle">{escape(chart.y)}</text>')
    for value in ticks(xs, chart.log_x):
        drawn.append(
            f'<line x1="{across(value):.1f}" x2="{across(value):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#eee"/>'
        )
        drawn.append(f'<text x="{across(value):.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{value:g}</text>')
    for value in ticks(ys, chart.log_y):
        drawn.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(value):.1f}" y2="{up(value):.1f}" stroke="#eee"/>'
        )
        drawn.append(f'<text x="{LEFT - 4}" y="{up(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for i, line in enumerate(chart.lines):
        colour = COLOURS[i % len(COLOURS)]
        if line.band:
            there = [
                f"{across(x):.1f},{up(high):.1f}" for (x, _), (_, high) in zip(line.points, line.band, strict=True)
            ]
            back = [f"{across(x):.1f},{up(low):.1f}" for (x, _), (low, _) in zip(line.points, line.band, strict=True)]
            drawn.append(f'<polygon points="{" ".join(there + back[::-1])}" fill="{colour}" opacity="0.15"/>')
        way = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line.points)
        dashes = ' stroke-dasharray="5 4"' if line.dashed else ""
        drawn.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>')
        drawn.append(f'<text x="{LEFT + 6}" y="{TOP + 12 + 13 * i}" style="fill:{colour}">{escape(line.name)}</text>')
    return "".join(drawn)


def scale(values: Sequence[float], start: float, end: float, log: bool):
    """From numbers to places on the page."""
    low, high = spread(values, log)
    f = (lambda v: math.log(max(v, 1e-12))) if log else (lambda v: v)
    return lambda v: start + (f(v) - f(low)) / (f(high) - f(low)) * (end - start)


def spread(values: Sequence[float], log: bool) -> tuple[float, float]:
    """The ends of an axis."""
    low, high = min(values), max(values)
    if log:
        return max(low, 1e-6) * 0.9, max(high, 1e-6) * 1.1
    margin = 0.05 * (high - low or 1)
    return low - margin, high + margin


def ticks(values: Sequence[float], log: bool) -> list[float]:
    """Round numbers within the axis."""
    low, high = spread(values, log)
    if log:
        powers = [10.0**k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
        found = [v for v in powers if low <= v <= high]
        return found if len(found) > 1 else [m * v for v in powers for m in (1, 2, 5) if low <= m * v <= high]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    return [round(step * k, 10) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
