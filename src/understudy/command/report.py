"""understudy report: what a release keeps, in words; and, for its owner alone, the stand-in beside the private table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.command.options import Bundle, Json, Quiet
from understudy.command.voice import Voice, summary, visible, warn

if TYPE_CHECKING:
    from understudy.game.player import Codes
    from understudy.publish.release import Release
    from understudy.report.internal import Internal

Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="DATA",
        help="The private table: writes an INTERNAL page that compares it with the stand-in, in the clear.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where the internal page goes: never in or beside the bundle. Default: internal/BUNDLE.html",
    ),
]


def report(bundle: Bundle, against: Against = None, out: Out = None, json: Json = False, quiet: Quiet = False) -> None:
    """Say what a release guarantees and keeps. With --against, compare it with the private table, for the owner only.

    The page of the release itself is report.html in the bundle. The internal page shows private rows without noise: it is
    stamped, readable by its owner alone, and never part of a bundle. The bundle's own schema says how DATA is read.
    """
    import understudy

    voice = Voice(json, quiet)
    with voice.telling() as tell:
        tell("reading the bundle")
        made = understudy.read_bundle(bundle)
        facts = made.report.facts() if against is None else {}
    if against is None:
        voice.give(facts, *lines(facts, made, bundle))
        return
    from understudy.report.internal import place, write_private
    from understudy.report.internal_page import internal_page

    target = place(out or Path("internal") / f"{bundle.resolve().name}.html", bundle)
    warn("INTERNAL: this is about the private table; do not publish it")
    with voice.telling() as tell:
        tell("reading the private table")
        compared = beside(made, against)
        facts = compared.facts(tell)
        tell("writing the page")
        write_private(target, internal_page(compared, facts))
    voice.give(facts | {"page": str(target)}, visible(str(target)))


def beside(made: "Release", against: str) -> "Internal":
    """The released rows and the private ones, both by the bundle's schema."""
    from understudy.publish.report.report import shown
    from understudy.report.internal import Internal
    from understudy.schema.encode import coded
    from understudy.source.source import read

    table = read(against, made.schema)
    real: Codes = coded(table, made.schema)
    pictures = tuple(
        (column.name, shown(made.table[column.name], column, "synthetic"), shown(table[column.name], column, "private"))
        for column in made.schema.images
    )
    return Internal(made.schema, made.certificate, real, made.codes, pictures)


def lines(facts: dict[str, Any], made: "Release", bundle: Path) -> list[str]:
    """The releasable report for a terminal."""
    from understudy.page.sheet import at_most

    guarantee, kept = facts["guarantee"], facts["kept"]
    odds = at_most(guarantee["attacker"]["right_guesses"], 100)
    grades = [
        f"{grade}: {', '.join(names)}"
        for grade in ("rely on", "with care", "do not use")
        if (names := [c["columns"][0] for c in kept["columns"] if c["grade"] == grade])
    ]
    pairs = [
        (sum(m["grade"] == grade for m in kept["marginals"]), grade) for grade in ("rely on", "with care", "do not use")
    ]
    return [
        summary(made),
        visible(f"neighbours: {guarantee['relation']}"),
        f"an attacker who must tell whether one {visible(guarantee['unit'])} was there is right at most "
        f"{odds} times; 50 is a coin",
        "",
        *(
            visible(f"columns to {grade}") if grade.startswith("rely") else visible(f"columns, {grade}")
            for grade in grades
        ),
        "marginals: " + ", ".join(f"{grade} {many:,}" for many, grade in pairs),
        *(["", "if that is too little:"] if facts["advice"] else []),
        *(visible(f"  {line}") for line in facts["advice"]),
        "",
        visible(f"the whole report, with pictures: {bundle / 'report.html'}"),
    ]
