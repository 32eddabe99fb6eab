"""Cards: how a notebook shows a schema, a plan, a ledger, a certificate and a release. The same ink and paper as the pages.

>>> "<b>" in card("t", "<b>", [("unit", "person")]), "&lt;b&gt;" in card("t", "<b>", [])
(False, True)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from understudy.page.sheet import fragment


@dataclass(frozen=True)
class Lines:
    """A table: its head, its rows, and which columns are numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Sequence[str] = field(default=())


def card(
    title: str,
    note: str,
    facts: Sequence[tuple[str, object]],
    lines: Lines | None = None,
    picture: Markup | None = None,
    stamp: str = "",
) -> str:
    """A title, a note, facts in two columns, a table, a picture; a stamp where something is not what it seems."""
    return fragment("card.html", title=title, note=note, facts=facts, lines=lines, picture=picture, stamp=stamp)
