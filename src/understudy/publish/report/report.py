"""The releasable report: a page that a person reads, and its JSON twin, which holds every figure of the page.

Both are functions of the certificate, the tape, the settled schema, the model and the rows; nothing else is known here. So
they belong to the bundle, and a replay of the tape repeats them byte for byte (tests/law/test_replay.py).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import pyarrow as pa
from markupsafe import Markup

from understudy.game.player import Codes, Guess
from understudy.page.figure import Bar, lying, share_bar, standing, territory
from understudy.page.heat import heat_map
from understudy.page.png import gallery, image
from understudy.page.sheet import brief, sheet
from understudy.publish.report.advice import advice
from understudy.publish.report.budget import split
from understudy.publish.report.guarantee import guarantee, opposite
from understudy.publish.report.kept import GRADES, MOST_COLUMNS, Bounds, bounds_of, kept, shade
from understudy.publish.report.shares import shares
from understudy.publish.report.training import training, training_curve
from understudy.schema.column import Image
from understudy.schema.image import pixels
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

FORMAT = "understudy report 1"
DRAWN = 120  # columns that are drawn
LINES = 500  # of a table of marginals
LEVELS = 200_000  # of all pictures together


@dataclass(frozen=True)
class Report:
    """What a report is made of."""

    certificate: dict[str, Any]
    schema: Schema
    tape: Tape
    guess: Guess
    codes: Codes
    table: pa.Table

    def facts(self) -> dict[str, Any]:
        """The JSON twin."""
        c = self.certificate
        told = kept(c, self.schema)
        return {
            "format": FORMAT,
            "table": c["table"],
            "release": c["release"],
            "version": c["version"],
            "mode": c["mode"],
            "recipe": c["recipe"],
            "rows": c["rows"],
            "guarantee": guarantee(c, self.schema),
            "kept": told,
            "advice": advice(c, self.schema.domain, told["marginals"]),
            "columns": shares(self.tape, self.schema, self.codes),
            "budget": split(c, self.tape),
            "training": training(self.guess),
            "digests": c["digests"],
            "cite": cite(c),
        }

    def page(self) -> bytes:
        """The page."""
        facts = self.facts()
        return sheet("release.html", galleries=self.galleries(), **facts, **drawn(facts, self.schema))

    def map(self) -> Markup | None:
        """The certified bound of every pair of columns, where there are any and not too many."""
        return bounds_map(bounds_of(self.certificate), list(self.schema.domain))

    def galleries(self) -> list[tuple[str, Markup]]:
        """The first pictures of each column of pictures."""
        return [(column.name, shown(self.table[column.name], column, "synthetic")) for column in self.schema.images]


def shown(values: pa.ChunkedArray, column: Image, kind: str) -> Markup:
    """As many pictures as fit on a page of ``LEVELS`` levels; the kind is told to those who do not see them."""
    across = max(min(12, isqrt(LEVELS // column.pixels)), 1)
    found = pixels(values.slice(0, across * min(across, 5)), column)
    size = (column.height, column.width) if column.channels == 1 else (column.height, column.width, column.channels)
    levels = (found.astype("uint16") * 255 // column.high).astype("uint8").reshape(len(found), *size)
    return image(gallery(levels, across), f"The first {len(found)} {kind} pictures", max(1, 56 // column.width))


def cite(certificate: dict[str, Any]) -> str:
    """How to name the release in a text."""
    c = certificate
    return (
        f"Synthetic stand-in for '{c['table']}', release {c['release']}, {c['rows']:,} rows; made with understudy "
        f"{c['version']} (recipe {c['recipe']}) under differential privacy, epsilon {float(Fraction(c['epsilon'])):g}, "
        f"delta {brief(float(Fraction(c['delta'])))} for one {c['protects']['unit']} ({c['protects']['neighbours']}). "
        f"Rows {c['digests']['rows'][:16]}."
    )


def drawn(facts: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """What the page has beside the figures: pictures, and tables cut to a length that can be read."""
    kept = facts["kept"]
    names = [c["column"] for c in facts["columns"]]
    ranked = sorted(kept["marginals"], key=lambda m: (m["bound"], m["columns"]))
    by_grade = [(grade, [m for m in ranked if m["grade"] == grade]) for grade in GRADES]
    grade_of = {m["columns"][0]: m for m in kept["columns"]}
    return {
        "opposite": opposite(schema.relation, facts["guarantee"]["unit"]),
        "odds": [(a["false"], a["true"]) for a in facts["guarantee"]["attacker"]["accusations"]],
        "by_grade": [(grade, found[:LINES], len(found)) for grade, found in by_grade],
        "columns_by_grade": [(g, [n for n in names if grade_of[n]["grade"] == g]) for g in (*GRADES, None)],
        "pairs_by_grade": pairs_by_grade(kept),
        "map": bounds_map(Bounds({tuple(m["columns"]): m["bound"] for m in kept["marginals"]}), names),
        "shade": shade,
        "plots": [(column, grade_of[column["column"]], plot(column)) for column in facts["columns"][:DRAWN]],
        "undrawn": max(len(names) - DRAWN, 0),
        "share_bar": share_bar,
        "curve": training_curve(facts["training"]),
    }


def pairs_by_grade(kept: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The pairs of each grade; none where the marginals of the workload are these pairs, and listed anyway."""
    if all(len(m["columns"]) == 2 for m in kept["marginals"]):
        return []
    ranked = sorted(kept["pairs"], key=lambda pair: (pair["bound"] or 0.0, pair["columns"]))
    return [(grade, [pair for pair in ranked if pair["grade"] == grade]) for grade in GRADES]


def bounds_map(bounds: Bounds, names: list[str]) -> Markup | None:
    """The heat map of some bounds."""
    if not bounds.certified or not 2 <= len(names) <= MOST_COLUMNS:
        return None
    return heat_map(names, lambda a, b: bounds.of((a, b)), shade, "Certified bound for each pair of columns")


def plot(column: dict[str, Any]) -> object:
    """One column as a picture."""
    if "map" in column:
        side, squares = column["map"]["side"], column["map"]["squares"]
        return territory(side, squares, f"Shares of the squares of {column['column']}")
    bars = [
        Bar(bar["label"], bar["share"], bar.get("measured"), bar.get("within", 0.0), apart)
        for bar, apart in zip(column["bars"], apart_of(column), strict=True)
    ]
    title = f"Shares of the cells of {column['column']}"
    return standing(bars, title) if column["ordered"] and len(bars) > 16 else lying(bars, title)


def apart_of(column: dict[str, Any]) -> list[bool]:
    """Which bar is that of missing values: the last, where there may be any."""
    return [False] * (len(column["bars"]) - 1) + [column["missing"]]
