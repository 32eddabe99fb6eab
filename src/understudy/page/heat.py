"""Heat maps: a square for each pair of columns, its colour the pair's grade. Darker is worse, on paper and to every eye.

>>> found = {("a", "b"): 0.03, ("a", "c"): 0.2}
>>> drawn = heat_map(["a", "b", "c"], lambda a, b: found.get((a, b)), lambda value: 1 + (value > 0.1), "Bounds")
>>> drawn.count("<rect"), "largest is 0.2000, of a and c" in drawn
(3, True)
"""

from collections.abc import Callable, Sequence
from itertools import combinations

from markupsafe import Markup

from understudy.page.element import element
from understudy.page.figure import EM
from understudy.page.sheet import bound
from understudy.page.text import breadth, shortened

NUMBERED = 16  # columns up to which the squares are large enough for their number
NAME = 11  # ems of a name at most

Value = Callable[[str, str], float | None]


def heat_map(names: Sequence[str], value: Value, shade: Callable[[float], int], title: str) -> Markup:
    """A square for each pair of columns below the diagonal; ``shade`` is the number of its colour."""
    side = side_of(len(names))
    left = EM * max(breadth(shortened(name, NAME)) for name in names[1:]) + 10
    foot = 0.9 * EM * max(breadth(shortened(name, NAME)) for name in names[:-1]) + 16
    found = {pair: value(*pair) for pair in combinations(names, 2)}
    drawn: list[Markup] = []
    for (i, one), (j, other) in combinations(enumerate(names), 2):
        drawn += square(left + side * i, side * (j - 1), side, one, other, found[one, other], shade)
    high = side * (len(names) - 1)
    for place, name in enumerate(shortened(name, NAME) for name in names):
        if place:
            height = side * (place - 0.5) + 4
            drawn.append(element("text", name, x=left - 6, y=height, text_anchor="end", class_="name"))
        if place < len(names) - 1:
            turned = f"translate({left + side * (place + 0.5):g} {high + 6:g}) rotate(-60)"
            drawn.append(element("text", name, transform=turned, text_anchor="end", class_="name", y=4))
    width, height = left + high + 4, high + foot
    words = {"viewBox": f"0 0 {width:g} {height:g}", "width": width, "height": height, "class_": "heat"}
    return element("svg", *drawn, **words, role="img", aria_label=spoken(title, found))


def side_of(columns: int) -> int:
    """How large a square is."""
    return 34 if columns <= NUMBERED else 22 if columns <= 24 else 14 if columns <= 45 else 10


def square(
    x: float, y: float, side: int, one: str, other: str, found: float | None, shade: Callable[[float], int]
) -> list[Markup]:
    """One pair; with its number, in percentage points, where there is room."""
    said = "no bound" if found is None else bound(found)
    colour = "none" if found is None else f"shade{shade(found)}"
    title = element("title", f"{one} × {other}: {said}")
    drawn = [element("rect", title, x=x, y=y, width=side - 1, height=side - 1, class_=colour)]
    if side == side_of(NUMBERED) and found is not None:
        number = f"{min(100 * found, 100):.1f}" if found < 0.0995 else f"{100 * found:.0f}"
        middle = {"x": x + side / 2 - 0.5, "y": y + side / 2 + 4, "text_anchor": "middle"}
        drawn.append(element("text", number, **middle, class_=f"on{shade(found)}"))
    return drawn


def spoken(title: str, found: dict[tuple[str, str], float | None]) -> str:
    """The map in words."""
    known = {pair: value for pair, value in found.items() if value is not None}
    if not known:
        return f"{title}. No pair has one"
    one, other = max(known, key=lambda pair: known[pair])
    return f"{title}. {len(known):,} pairs; the largest is {bound(known[one, other])}, of {one} and {other}"
