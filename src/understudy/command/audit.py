"""understudy audit: attack the recipe of a bundle, on stand-in rows, before others do."""

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


def audit(
    bundle: Bundle, runs: Runs = 2_000, workload: Workload = None, json: Json = False, quiet: Quiet = False
) -> None:
    """Attack a bundle's recipe on its own synthetic rows: replay, two worlds, marginals. Reads no private data.

    It prints the claimed epsilon beside lower bounds that are certified, and its power. A violation ends with code 9.
    """
    from understudy.audit.audit import audit as attack
    from understudy.audit.audit import lines

    voice = Voice(json, quiet)
    with voice.telling() as tell:
        found = attack(bundle, workload=workload, runs=runs, tell=tell)
    if found.violations:
        raise AuditFailed("; ".join(found.violations), "release nothing with it, and report the recipe")
    voice.give({"bundle": str(bundle)} | found.to_json(), *(visible(line) for line in lines(found)))
