"""understudy audit: attack the recipe of a bundle, on stand-in rows, before others do."""

from pathlib import Path
from typing import Annotated

import typer

from understudy.command.options import Bundle, Json, Quiet
from understudy.command.voice import Voice, visible
from understudy.refusal import AuditFailed

Runs = Annotated[
    int, typer.Option("--runs", metavar="N", min=100, max=1_000_000, help="Tapes of each of the two worlds.")
]
Workload = Annotated[
    str | None,
    typer.Option(metavar="2way|3way|FILE", help="The release's workload, where it was a file; if absent, as released."),
]


Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write the audit as a page too, with the attack's ROC curve."),
]


def audit(
    bundle: Bundle,
    runs: Runs = 2_000,
    workload: Workload = None,
    html: Page = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a bundle's recipe on its own synthetic rows: replay, two worlds, marginals. Reads no private data.

    It prints the claimed epsilon beside lower bounds that are certified, and its power. A violation ends with code 9.
    """
    from understudy.audit.audit import audit as attack
    from understudy.audit.audit import lines
    from understudy.publish.storage import refuse_existing, write_new
    from understudy.report.audit_page import audit_page

    voice = Voice(json, quiet)
    if html is not None:
        refuse_existing(html)
    with voice.telling() as tell:
        found = attack(bundle, workload=workload, runs=runs, tell=tell)
    if html is not None:
        write_new(html, audit_page(found))
        voice.say(visible(f"the audit as a page: {html}"))
    if found.violations:
        raise AuditFailed("; ".join(found.violations), "release nothing with it, and report the recipe")
    voice.give({"bundle": str(bundle)} | found.to_json(), *(visible(line) for line in lines(found)))
