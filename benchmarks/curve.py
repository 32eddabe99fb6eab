"""The board's figure: error falling in epsilon and in n, as an SVG written by hand.

Both axes are logarithmic. A line joins the means of the runs, each run is a dot; hollow squares are the best peer.
"""

from math import log10

WIDTH, HEIGHT, LEFT, TOP, GAP = 380, 300, 60, 30, 90
COLOURS = {"3-way": "#1f4e79", "2-way": "#b3541e"}
GREY = "#777"
Series = dict[float, list[float]]  # the runs' errors at each place on the x-axis


def panel(title: str, axis: str, ours: dict[str, Series], peers: dict[str, Series], floors: dict[str, Series]) -> str:
    """One panel; ``floors`` are dashed lines."""
    everything = [*ours.values(), *peers.values(), *floors.values()]
    xs = sorted({x for series in everything for x in series})
    ys = [y for series in everything for runs in series.values() for y in runs]
    low, high = min(ys) / 1.15, max(ys) * 1.15

    def at(x: float, y: float) -> tuple[float, float]:
        across = (log10(x) - log10(xs[0])) / (log10(xs[-1]) - log10(xs[0]))
        return LEFT + across * WIDTH, TOP + HEIGHT * (1 - (log10(y) - log10(low)) / (log10(high) - log10(low)))

    parts = [
        text(LEFT, TOP - 12, title, "start"),
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" {LINE}/>',
    ]
    for x in xs:
        parts.append(text(at(x, low)[0], TOP + HEIGHT + 16, f"{x:,g}", "middle"))
    for y in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
        if low <= y <= high:
            parts.append(text(LEFT - 6, at(xs[0], y)[1] + 4, f"{y:g}", "end"))
    parts.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, axis, "middle"))
    for kind, colour in COLOURS.items():
        parts += [line([at(x, mean(runs)) for x, runs in sorted(ours.get(kind, {}).items())], colour, "")]
        parts += [line([at(x, mean(runs)) for x, runs in sorted(floors.get(kind, {}).items())], colour, "4 4")]
        for x, runs in ours.get(kind, {}).items():
            parts += [f'<circle cx="{at(x, y)[0]:.1f}" cy="{at(x, y)[1]:.1f}" r="2.5" fill="{colour}"/>' for y in runs]
        for x, runs in peers.get(kind, {}).items():
            cx, cy = at(x, mean(runs))
            parts.append(
                f'<rect x="{cx - 4:.1f}" y="{cy - 4:.1f}" width="8" height="8" fill="none" stroke="{colour}"/>'
            )
    return "\n".join(parts)


LINE = f'fill="none" stroke="{GREY}"'


def mean(runs: list[float]) -> float:
    """The mean of the runs."""
    return sum(runs) / len(runs)


def line(points: list[tuple[float, float]], colour: str, dashes: str) -> str:
    """A polyline."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dashes}"/>'


def text(x: float, y: float, words: str, anchor: str) -> str:
    """A label."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def figure(panels: list[str]) -> str:
    """The panels side by side."""
    wide = (WIDTH + GAP) * len(panels) + LEFT
    shifted = "\n".join(
        f'<g transform="translate({i * (WIDTH + GAP)} 0)">\n{one}\n</g>' for i, one in enumerate(panels)
    )
    legend = "blue: 3-way TV, brown: 2-way TV; line: ours; squares: best peer; dashed: bootstrap floor"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {HEIGHT + TOP + 70}" '
        f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{shifted}\n'
        f"{text(LEFT, HEIGHT + TOP + 58, legend, 'start')}\n</svg>\n"
    )
