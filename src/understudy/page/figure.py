"""Figures: small pictures in SVG, drawn from numbers and names. Colours are classes of the style sheet, in both its modes.

Every picture says in words (its title, and a title on each mark) what it shows, for those who do not see it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from understudy.page.element import element
from understudy.page.sheet import bound, percent
from understudy.page.text import shortened

WIDE = 320  # of a column's picture, in the picture's own units
ROW, LABEL, VALUE = 20, 108, 52
TALL, FOOT = 120, 22
NUMBERED = 16  # columns up to which the cells of a heat map are large enough for their number


@dataclass(frozen=True)
class Bar:
    """One bar: a share, and beside it what was measured, give or take the noise; None where nothing was."""

    label: str
    share: float
    measured: float | None = None
    within: float = 0.0
    apart: bool = False  # stands apart from the others: missing values

    @property
    def words(self) -> str:
        """The bar for those who do not see it."""
        noise = "" if self.measured is None else f"; measured {percent(self.measured)} +- {percent(self.within)}"
        return f"{self.label}: {percent(self.share)}{noise}"


def picture(width: float, height: float, title: str, *drawn: object, class_: str = "figure") -> Markup:
    """A picture that scales with its place."""
    return element("svg", *drawn, viewBox=f"0 0 {width:g} {height:g}", class_=class_, role="img", aria_label=title)


def lying(bars: Sequence[Bar], title: str) -> Markup:
    """Bars that lie: one a line, its name before it, its share behind it."""
    room = WIDE - LABEL - VALUE
    top = tallest(bars)
    drawn: list[Markup] = []
    for line, bar in enumerate(bars):
        y = line * ROW + 3
        drawn.append(
            element(
                "g",
                element("title", bar.words),
                element("text", fitting(bar.label), x=LABEL - 6, y=y + 11, text_anchor="end", class_="name"),
                element("rect", x=LABEL, y=y, width=room * bar.share / top, height=ROW - 6, class_=colour(bar)),
                *noise_lying(bar, room / top, y + ROW / 2 - 3),
                element("text", percent(bar.share), x=WIDE, y=y + 11, text_anchor="end", class_="value"),
            )
        )
    return picture(WIDE, len(bars) * ROW + 2, title, *drawn)


def fitting(label: str) -> str:
    """A name that fits before a bar: of a span that is too long, where it begins."""
    first, to, _ = label.partition(" to ")
    return shortened(f"from {first}" if to and len(label) > 17 else label, 17)


def noise_lying(bar: Bar, scale: float, y: float) -> list[Markup]:
    """What was measured: a point, and a line as long as the noise."""
    if bar.measured is None:
        return []
    low, high = max(bar.measured - bar.within, 0), max(bar.measured + bar.within, 0)
    at = LABEL + scale * max(bar.measured, 0)
    return [
        element("line", x1=LABEL + scale * low, x2=LABEL + scale * high, y1=y, y2=y, class_="noise"),
        element("circle", cx=at, cy=y, r=2, class_="measured"),
    ]


def standing(bars: Sequence[Bar], title: str) -> Markup:
    """Bars that stand, for columns with an order: the names of the first and the last below."""
    top, step = tallest(bars), WIDE / (len(bars) + sum(bar.apart for bar in bars))
    drawn: list[Markup] = [element("line", x1=0, x2=WIDE, y1=TALL, y2=TALL, class_="axis")]
    for place, bar in enumerate(bars):
        x, height = step * (place + bar.apart), (TALL - 8) * bar.share / top
        drawn.append(
            element(
                "g",
                element("title", bar.words),
                element(
                    "rect", x=x + step * 0.08, y=TALL - height, width=step * 0.84, height=height, class_=colour(bar)
                ),
                *noise_standing(bar, (TALL - 8) / top, x + step / 2),
            )
        )
    drawn += ends([bar for bar in bars if not bar.apart], step)
    if bars[-1].apart:
        drawn.append(element("text", bars[-1].label, x=WIDE, y=TALL + 15, text_anchor="end", class_="name"))
    return picture(WIDE, TALL + FOOT, title, *drawn)


def ends(bars: Sequence[Bar], step: float) -> list[Markup]:
    """Where the first bar begins and the last one ends, in words."""
    first, last = bars[0].label.partition(" to ")[0], bars[-1].label.rpartition(" to ")[2]
    end = step * len(bars) if step * len(bars) > WIDE - 1 else min(step * len(bars), WIDE - 52)  # "missing" needs room
    return [
        element("text", shortened(first, 18), x=0, y=TALL + 15, class_="name"),
        element("text", shortened(last, 18), x=end, y=TALL + 15, text_anchor="end", class_="name"),
    ]


def noise_standing(bar: Bar, scale: float, x: float) -> list[Markup]:
    """What was measured: a point, and a line as long as the noise."""
    if bar.measured is None:
        return []
    low, high = max(bar.measured - bar.within, 0), max(bar.measured + bar.within, 0)
    return [
        element("line", x1=x, x2=x, y1=TALL - scale * low, y2=TALL - scale * high, class_="noise"),
        element("circle", cx=x, cy=TALL - scale * max(bar.measured, 0), r=1.6, class_="measured"),
    ]


def tallest(bars: Sequence[Bar]) -> float:
    """The share that fills the picture."""
    return max([bar.share for bar in bars] + [(bar.measured or 0) + bar.within for bar in bars] + [1e-9])


def colour(bar: Bar) -> str:
    """The class of a bar."""
    return "bar apart" if bar.apart else "bar"


def heat_map(
    names: Sequence[str], value: Callable[[str, str], float | None], shade: Callable[[float], int], title: str
) -> Markup:
    """A square for each pair of columns below the diagonal; ``shade`` is the number of its colour."""
    numbered = len(names) <= NUMBERED
    side = 34 if numbered else 22 if len(names) <= 24 else 14 if len(names) <= 45 else 10
    left = 7.2 * max(len(shortened(name, 20)) for name in names) + 8
    high = side * (len(names) - 1)
    drawn: list[Markup] = []
    for (i, one), (j, other) in combinations(enumerate(names), 2):
        x, y, found = left + side * i, side * (j - 1), value(one, other)
        said = "no bound" if found is None else f"off by at most {bound(found)}"
        square = element(
            "rect",
            element("title", f"{one} × {other}: {said}"),
            x=x,
            y=y,
            width=side - 1,
            height=side - 1,
            class_="none" if found is None else f"shade{shade(found)}",
        )
        drawn.append(square)
        if numbered and found is not None:
            words = element(
                "text",
                f"{min(100 * found, 100):.1f}" if found < 0.0995 else f"{100 * found:.0f}",
                x=x + side / 2 - 0.5,
                y=y + side / 2 + 4,
                text_anchor="middle",
                class_=f"on{shade(found)}",
            )
            drawn.append(words)
    for place, name in enumerate(names):
        if place:
            height = side * (place - 0.5) + 4
            drawn.append(element("text", shortened(name, 20), x=left - 6, y=height, text_anchor="end", class_="name"))
        if place < len(names) - 1:
            x = left + side * (place + 0.5)
            turned = f"translate({x:g} {high + 6:g}) rotate(-60)"
            drawn.append(element("text", shortened(name, 20), transform=turned, text_anchor="end", class_="name", y=4))
    foot = 6 * max(len(shortened(name, 20)) for name in names[:-1]) + 14
    width = left + side * (len(names) - 1) + 4
    box = f"0 0 {width:g} {high + foot:g}"
    return element(
        "svg", *drawn, viewBox=box, width=width, height=high + foot, class_="heat", role="img", aria_label=title
    )


def territory(side: int, squares: Sequence[Sequence[float]], title: str) -> Markup:
    """A map: squares of (row from the south, column from the west, share), the fuller the darker."""
    step, top = WIDE / side, max([share for _, _, share in squares] + [1e-9])
    drawn: list[Markup] = []
    for row, column, share in squares:
        # the eye tells the root of a share better than the share
        size = {"x": step * column, "y": step * (side - 1 - row), "width": step, "height": step}
        drawn.append(element("rect", **size, class_="empty"))
        if share:
            said = element("title", percent(share))
            drawn.append(element("rect", said, **size, class_="bar", fill_opacity=f"{(share / top) ** 0.5:.3g}"))
    return picture(WIDE, WIDE, title, *drawn)


def share_bar(share: float) -> Markup:
    """A share of a whole as a bar in a line of a table."""
    full = element("rect", x=0, y=0, width=100, height=8, class_="empty")
    part = element("rect", x=0, y=0, width=100 * min(max(share, 0), 1), height=8, class_="bar")
    return element("svg", full, part, viewBox="0 0 100 8", class_="share", aria_hidden="true")
