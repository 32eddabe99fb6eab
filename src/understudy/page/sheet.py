"""A sheet: one self-contained page. No script, no request, nothing but its own style.

Law.  A page's Content-Security-Policy allows nothing but the one style sheet that stands in it, by its digest (and, where
a page has pictures, images that are written into the page itself). Every text that goes into a template is escaped by
jinja2 and made visible first; only what `element` built counts as markup. Style attributes are not used: the policy
forbids them too.
"""

import base64
import hashlib
from functools import cache
from importlib import resources
from math import ceil
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from understudy.page.text import visible


def sheet(template: str, **words: Any) -> bytes:
    """A page from its template."""
    policy = f"default-src 'none'; style-src '{digest(style())}'; img-src data:; base-uri 'none'; form-action 'none'"
    page = environment().get_template(template).render(style=Markup(style()), policy=policy, **words)
    return page.encode()


def fragment(template: str, **words: Any) -> str:
    """A piece of a page, for a notebook."""
    return environment().get_template(template).render(**words)


@cache
def environment() -> Environment:
    """The templates. What is undefined is an error, not a blank."""
    made = Environment(
        loader=FunctionLoader(read),
        autoescape=True,
        finalize=seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS
    return made


def seen(value: object) -> object:
    """A text as a reader's screen may have it; markup stays as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def read(name: str) -> str:
    """A file of this folder's sheets."""
    return (resources.files("understudy.page") / "sheets" / name).read_text(encoding="utf-8")


@cache
def style() -> str:
    """The style sheet, which a page carries whole."""
    return "\n" + read("style.css")


def digest(text: str) -> str:
    """How a policy names a style sheet: sha256 of its exact text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def count(number: float) -> str:
    """A whole number with its thousands apart.

    >>> count(20000)
    '20,000'
    """
    return f"{number:,.0f}"


def percent(share: float) -> str:
    """A share of a whole: three digits, so that small ones still say something.

    >>> percent(0.0312), percent(0.7311), percent(0.00004), percent(1.0)
    ('3.12 %', '73.1 %', '0.004 %', '100 %')
    """
    return f"{100 * share:.3g} %"


def bound(value: float) -> str:
    """A bound on a frequency, rounded up so that what is printed holds too.

    >>> bound(0.03121), bound(1.0)
    ('0.0313', '1')
    """
    upwards = -(-value * 10**4 // 1) / 10**4
    return "1" if upwards >= 1 else f"{upwards:.4f}"


def brief(number: float) -> str:
    """A small number as one would type it.

    >>> brief(1e-06), brief(0.5), brief(1 / 3000000)
    ('1e-6', '0.5', '3.33e-7')
    """
    digits, _, power = f"{number:.3g}".partition("e")
    return f"{digits}e{int(power)}" if power else digits


def at_most(share: float, whole: int) -> str:
    """A share as so many of a whole, rounded up so that what is printed holds too.

    >>> at_most(0.0271828, 1000), at_most(0.99996, 1000), at_most(0.7310587, 100)
    ('27.2 of 1,000', '1,000 of 1,000', '73.2 of 100')
    """
    many = ceil(share * whole * 10 - 1e-9) / 10
    return f"{many:,.1f}".removesuffix(".0") + f" of {whole:,}"


def plural(number: int, noun: str, many: str = "") -> str:
    """A number of things.

    >>> plural(1, "row"), plural(2000, "row"), plural(2, "look")
    ('1 row', '2,000 rows', '2 looks')
    """
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


FILTERS = {"count": count, "percent": percent, "bound": bound, "brief": brief, "at_most": at_most, "plural": plural}
