"""Elements of HTML and SVG: the only way in which pictures are made, so that no text can become markup.

>>> element("text", 'a < "b"', x=1.50, class_="name")
Markup('<text x="1.5" class="name">a &lt; &#34;b&#34;</text>')
>>> element("rect", width=2, stroke_width=0.333)
Markup('<rect width="2" stroke-width="0.33"/>')
"""

from collections.abc import Iterable

from markupsafe import Markup, escape

from understudy.page.text import visible

VOID = {"img", "rect", "line", "circle", "polyline"}


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element. Its name and its attributes' names are ours; whatever else it holds is escaped."""
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{harmless(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in VOID and not children:
        return Markup(f"<{tag}{said}/>")
    return Markup(f"<{tag}{said}>{joined(children)}</{tag}>")


def joined(parts: Iterable[object]) -> Markup:
    """Elements and texts one after another."""
    return Markup("").join(harmless(part) for part in parts)


def harmless(value: object) -> Markup:
    """Markup as it is, numbers short, any other text visible and escaped."""
    if isinstance(value, Markup):
        return value
    return escape(short(value) if isinstance(value, float) else visible(str(value)))


def short(number: float) -> str:
    """A coordinate: two decimals at most.

    >>> short(3.0), short(0.125), short(-0.001)
    ('3', '0.12', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
