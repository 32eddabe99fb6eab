"""Curves: a few lines over one axis, both axes logarithmic or plain.

>>> drawn = curves([Curve("error", ((0.1, 0.5), (1.0, 0.05)))], "epsilon", "error", "Error by epsilon")
>>> drawn.count("<polyline"), drawn.count("<circle")
(1, 2)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup

from understudy.page.element import element

WIDE, HIGH, LEFT, RIGHT, FOOT, HEAD = 560, 310, 70, 26, 54, 12
DOTTED = 20  # points up to which each has a dot


@dataclass(frozen=True)
class Curve:
    """A name and its points; values of 0 or less are not drawn on a logarithmic axis."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Axis:
    """From a value to its place."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool

    def place(self, value: float) -> float:
        """Where a value stands."""
        low, high, at = ((log10(v) if self.logarithmic else v) for v in (self.low, self.high, value))
        return self.begin + (self.end - self.begin) * ((at - low) / (high - low) if high > low else 0.5)

    def marks(self) -> list[float]:
        """Values to write beside the axis: powers of ten, or five even ones."""
        if self.logarithmic:
            return [10.0**k for k in range(ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9) + 1)]
        return [self.low + (self.high - self.low) * i / 4 for i in range(5)]


def curves(
    lines: Sequence[Curve], across: str, upwards: str, title: str, here: float | None = None, logarithmic: bool = True
) -> Markup:
    """The picture; ``here`` is a value on the lower axis that is pointed out."""
    points = [p for line in lines for p in line.points if not logarithmic or min(p) > 0]
    if not points:
        return element("p", "Nothing to draw.")
    x, y = (
        Axis(*reach([p[i] for p in points], logarithmic), *ends, logarithmic)
        for i, ends in enumerate([(LEFT, WIDE - RIGHT), (HIGH - FOOT, HEAD)])
    )
    drawn = [*grid(x, y), *labels(across, upwards)]
    if here is not None and x.low <= here <= x.high:
        at = x.place(here)
        drawn.append(element("line", x1=at, x2=at, y1=HEAD, y2=HIGH - FOOT, class_="noise"))
    for number, line in enumerate(lines):
        kept = [(x.place(a), y.place(b)) for a, b in line.points if not logarithmic or min(a, b) > 0]
        way = " ".join(f"{a:.1f},{b:.1f}" for a, b in kept)
        drawn.append(element("polyline", element("title", line.name), points=way, class_=f"line{number}"))
        drawn += [element("circle", cx=a, cy=b, r=3, class_=f"dot{number}") for a, b in kept if len(kept) <= DOTTED]
    said = f"{title}. " + "; ".join(f"{line.name}: from {ends(line)}" for line in lines if line.points)
    words = {"viewBox": f"0 0 {WIDE} {HIGH}", "role": "img", "aria_label": said, "class_": "figure curve"}
    return element("svg", *drawn, **words)


def ends(line: Curve) -> str:
    """Where a line begins and ends, in words."""
    (x, y), (far, high) = line.points[0], line.points[-1]
    return f"{y:.3g} at {x:g} to {high:.3g} at {far:g}"


def legend(lines: Sequence[Curve]) -> Markup:
    """Which line is which."""
    strokes = [element("line", x1=1, x2=31, y1=5, y2=5, class_=f"line{number}") for number in range(len(lines))]
    samples = [element("svg", line, viewBox="0 0 32 10", class_="sample", aria_hidden="true") for line in strokes]
    parts = [element("li", sample, line.name) for sample, line in zip(samples, lines, strict=True)]
    return element("ul", *parts, class_="legend")


def reach(values: list[float], logarithmic: bool) -> tuple[float, float]:
    """The ends of an axis: whole powers of ten, or the values themselves."""
    low, high = min(values), max(values)
    if not logarithmic:
        return (low, high) if high > low else (low - 0.5, high + 0.5)
    low, high = 10.0 ** floor(log10(low) + 1e-9), 10.0 ** ceil(log10(high) - 1e-9)
    return low, high if high > low else low * 10


def grid(x: Axis, y: Axis) -> list[Markup]:
    """Fine lines at the marks, and their values."""
    drawn = []
    for mark in y.marks():
        at = y.place(mark)
        drawn.append(element("line", x1=LEFT, x2=WIDE - RIGHT, y1=at, y2=at, class_="grid"))
        drawn.append(element("text", f"{mark:.4g}", x=LEFT - 6, y=at + 4, text_anchor="end"))
    for mark in x.marks():
        at = x.place(mark)
        drawn.append(element("line", x1=at, x2=at, y1=HEAD, y2=HIGH - FOOT, class_="grid"))
        drawn.append(element("text", f"{mark:.4g}", x=at, y=HIGH - FOOT + 22, text_anchor="middle"))
    return drawn


def labels(across: str, upwards: str) -> list[Markup]:
    """The names of the axes."""
    middle = (HIGH - FOOT + HEAD) / 2
    return [
        element("text", across, x=(LEFT + WIDE) / 2, y=HIGH - 8, text_anchor="middle"),
        element("text", upwards, transform=f"translate(15 {middle:g}) rotate(-90)", text_anchor="middle"),
    ]
