"""The internal report as a page: stamped on top and at the bottom, plain HTML, nothing that moves."""

from typing import Any

import numpy as np
from markupsafe import Markup

from understudy.page.figure import Bar, lying, standing
from understudy.page.heat import heat_map
from understudy.page.sheet import sheet
from understudy.publish.report.kept import MOST_COLUMNS, shade
from understudy.publish.report.shares import column_shares
from understudy.report.internal import Internal

DRAWN = 120


def internal_page(report: Internal, facts: dict[str, Any]) -> bytes:
    """The page of the facts."""
    names = list(report.schema.domain)
    mapped = 2 <= len(names) <= MOST_COLUMNS
    off = {columns: tv for columns, tv, _ in report.pairs()} if mapped else {}
    title = "Total variation of each pair of columns"
    return sheet(
        "internal.html",
        **facts,
        galleries=report.pictures,
        plots=[(column, plot(report, column["column"])) for column in facts["columns"][:DRAWN]],
        map=heat_map(names, lambda a, b: off.get((a, b)), shade, title) if mapped else None,
    )


def plot(report: Internal, name: str) -> Markup:
    """A column's synthetic bars, each with a point for the private rows."""
    column = report.schema.column(name)
    real = np.bincount(report.real[name], minlength=column.size).astype(np.float64)
    shown = column_shares(column, report.synthetic[name], (real, 0.0), int(real.sum()))
    last = len(shown["bars"]) - 1
    bars = [
        Bar(bar["label"], bar["share"], bar.get("measured"), 0.0, column.nullable and place == last)
        for place, bar in enumerate(shown["bars"])
    ]
    title = f"Shares of the cells of {name}, synthetic and private"
    return standing(bars, title) if shown["ordered"] and len(bars) > 16 else lying(bars, title)
