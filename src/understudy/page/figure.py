"""Figures: small pictures in SVG, drawn from numbers and names. Colours are classes of the style sheet, in both its modes.

Every picture says in words (its title, and a title on each mark) what it shows, for those who do not see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup

from understudy.page.element import element
from understudy.page.sheet import percent
from understudy.page.text import breadth, shortened

WIDE = 320  # of a column's picture, in the picture's own units
EM = 11.5  # the height of its letters
ROW, LABEL, VALUE = 20, 132, 52
TALL, FOOT, SCALE = 120, 22, 38
SPOKEN = 16  # bars that a picture's title tells one by one


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
        noise = "" if self.measured is None else f"; measured {percent(self.measured)} ± {percent(self.within)}"
        return f"{self.label}: {percent(self.share)}{noise}"

    @property
    def top(self) -> float:
        """How far it reaches, with its noise."""
        return max(self.share, 0.0 if self.measured is None else self.measured + self.within)


def picture(width: float, height: float, title: str, *drawn: object, class_: str = "figure") -> Markup:
    """A picture that scales with its place."""
    return element("svg", *drawn, viewBox=f"0 0 {width:g} {height:g}", class_=class_, role="img", aria_label=title)


def spoken(title: str, bars: Sequence[Bar]) -> str:
    """A picture in words: every bar where they are few, else the highest of them."""
    if len(bars) <= SPOKEN:
        return f"{title}. " + "; ".join(f"{bar.label} {percent(bar.share)}" for bar in bars)
    highest = max(bars, key=lambda bar: bar.share)
    return f"{title}. {len(bars)} bars; the highest is {highest.label}, {percent(highest.share)}"


def lying(bars: Sequence[Bar], title: str) -> Markup:
    """Bars that lie: one a line, its name before it, its share behind it."""
    names = [fitting(bar.label) for bar in bars]
    begin = min(EM * max(map(breadth, names)) + 8, LABEL)
    scale = (WIDE - begin - VALUE) / max(*(bar.top for bar in bars), 1e-9)
    drawn: list[Markup] = []
    for line, (bar, name) in enumerate(zip(bars, names, strict=True)):
        y = line * ROW + 3
        drawn.append(
            element(
                "g",
                element("title", bar.words),
                element("text", name, x=begin - 6, y=y + 11, text_anchor="end", class_="name"),
                element("rect", x=begin, y=y, width=scale * bar.share, height=ROW - 6, class_=colour(bar)),
                *noise_lying(bar, begin, scale, y + ROW / 2 - 3),
                element("text", tenths(bar.share), x=WIDE, y=y + 11, text_anchor="end", class_="value"),
            )
        )
    return picture(WIDE, len(bars) * ROW + 2, spoken(title, bars), *drawn)


def fitting(label: str) -> str:
    """A name that fits before a bar: of a span that is too long, where it begins."""
    room = (LABEL - 8) / EM
    first, to, _ = label.partition(" to ")
    return shortened(f"from {first}" if to and breadth(label) > room else label, room)


def tenths(share: float) -> str:
    """A share with one decimal, so that a column of them can be compared at a glance.

    >>> tenths(0.5312), tenths(0.0), tenths(0.0001)
    ('53.1 %', '0 %', '< 0.1 %')
    """
    return "0 %" if share == 0 else "< 0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"


def noise_lying(bar: Bar, begin: float, scale: float, y: float) -> list[Markup]:
    """What was measured: a point, and a line as long as the noise."""
    if bar.measured is None:
        return []
    low, high = max(bar.measured - bar.within, 0), max(bar.measured + bar.within, 0)
    at = begin + scale * max(bar.measured, 0)
    return [
        element("line", x1=begin + scale * low, x2=begin + scale * high, y1=y, y2=y, class_="noise"),
        element("circle", cx=at, cy=y, r=2, class_="measured"),
    ]


def standing(bars: Sequence[Bar], title: str) -> Markup:
    """Bars that stand, for columns with an order: a scale beside them, the names of the first and the last below.

    Missing values stand apart; where they outgrow all others, their bar is broken and its share is written below.
    """
    inside = [bar for bar in bars if not bar.apart]
    top = max(*(bar.top for bar in inside), 1e-9)
    if all(bar.top < 1.5 * top for bar in bars):
        top = max(bar.top for bar in bars)
    step = (WIDE - SCALE) / (len(bars) + sum(bar.apart for bar in bars))
    scale = (TALL - 8) / top
    mark = round_mark(top)
    drawn: list[Markup] = [
        element("line", x1=SCALE, x2=WIDE, y1=TALL - scale * mark, y2=TALL - scale * mark, class_="grid"),
        element("line", x1=SCALE, x2=WIDE, y1=TALL, y2=TALL, class_="axis"),
        element("text", f"{100 * mark:g} %", x=SCALE - 5, y=TALL - scale * mark + 4, text_anchor="end", class_="value"),
        element("text", "0", x=SCALE - 5, y=TALL + 1, text_anchor="end", class_="value"),
    ]
    for place, bar in enumerate(bars):
        x, broken = SCALE + step * (place + bar.apart), bar.share > top
        height = scale * min(bar.share, top)
        drawn.append(
            element(
                "g",
                element("title", bar.words),
                element(
                    "rect", x=x + step * 0.08, y=TALL - height, width=step * 0.84, height=height, class_=colour(bar)
                ),
                *([tear(x, step)] if broken else noise_standing(bar, scale, x + step / 2)),
            )
        )
    return picture(WIDE, TALL + FOOT, spoken(title, bars), *drawn, *ends(bars, step))


def round_mark(top: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not above the top.

    >>> round_mark(0.123), round_mark(0.0499), round_mark(0.9)
    (0.1, 0.02, 0.5)
    """
    power = 10.0 ** floor(log10(top))
    return round(max(m * power for m in (1, 2, 5) if m * power <= top * 1.000001), 12)


def tear(x: float, step: float) -> Markup:
    """Where a bar that is too tall is torn."""
    return element("line", x1=x - step * 0.3, x2=x + step * 1.3, y1=24, y2=18, class_="tear")


def ends(bars: Sequence[Bar], step: float) -> list[Markup]:
    """Where the first bar begins and the last one ends, in words; behind them how many are missing."""
    inside, missing = [bar for bar in bars if not bar.apart], [bar for bar in bars if bar.apart]
    said = "".join(f"missing {tenths(bar.share)}" for bar in missing)
    room = EM * breadth(said) + 10 if missing else 0.0
    end = min(SCALE + step * len(inside), WIDE - room)
    most = (end - SCALE) / EM / 2 - 0.5
    first, last = inside[0].label.partition(" to ")[0], inside[-1].label.rpartition(" to ")[2]
    return [
        element("text", shortened(first, most), x=SCALE, y=TALL + 15, class_="name"),
        element("text", shortened(last, most), x=end, y=TALL + 15, text_anchor="end", class_="name"),
        *(element("text", said, x=WIDE, y=TALL + 15, text_anchor="end", class_="name") for _ in missing),
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


def colour(bar: Bar) -> str:
    """The class of a bar."""
    return "bar apart" if bar.apart else "bar"


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
