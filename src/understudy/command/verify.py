"""understudy verify: recheck a bundle without any private data, saying what was checked."""

from pathlib import Path
from typing import Annotated

import typer

from understudy.command.options import Bundle, Json, Quiet
from understudy.command.voice import Voice, summary, visible

Against = Annotated[
    Path | None, typer.Option("--ledger", metavar="LEDGER", help="Check too that this ledger holds the reservation.")
]
SHOWN = (
    "This shows integrity, not authorship: not who made the bundle, nor that its answers came from the private table."
)


def verify(bundle: Bundle, ledger: Against = None, json: Json = False, quiet: Quiet = False) -> None:
    """Recheck a bundle: its files, its tape, its prices, its claims and its rows. Needs no private data."""
    import understudy

    voice, checked = Voice(json, quiet), list[str]()
    with voice.telling() as show:

        def tell(line: str) -> None:
            checked.append(line)
            show(f"checked {line}")

        show("reading the bundle")
        made = understudy.verify(bundle, ledger, tell=tell)
    words = {"release": summary(made), "private": made.private, "checked": checked, "shown": SHOWN}
    voice.give(
        {"bundle": str(bundle)} | words,
        *(visible(f"ok  {line}") for line in checked),
        summary(made),
        SHOWN,
    )
