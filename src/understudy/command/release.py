"""understudy release: the main verb. The private table in, a bundle out."""

from pathlib import Path
from typing import Annotated, TypedDict

import typer

from understudy.command.options import (
    Data,
    Delta,
    Epsilon,
    Form,
    Json,
    Quiet,
    RecipeName,
    Rows,
    SchemaFile,
    WorkloadWords,
)
from understudy.command.plan import document_of, lines
from understudy.command.stop import heard
from understudy.command.voice import Voice, summary, visible
from understudy.recipe.default import DEFAULT
from understudy.refusal import Misuse

Out = Annotated[Path | None, typer.Option(metavar="BUNDLE", help="The folder to write; needed unless --dry-run.")]
Budget = Annotated[
    Path | None, typer.Option("--ledger", metavar="LEDGER", help="The ledger to charge; without it, one of its own.")
]
Name = Annotated[
    str | None, typer.Option("--id", metavar="ID", help="The release's name in the ledger; drawn if absent.")
]
AsForm = Annotated[
    Form,
    typer.Option(
        "--format",
        metavar="parquet|csv|csv-exact|npz|png",
        help="How rows are written; csv guards against spreadsheet formulas, csv-exact not; npz has pictures as arrays, "
        "png is a zip of PNG files in a folder for each label.",
    ),
]
Dry = Annotated[
    bool, typer.Option("--dry-run", help="Show the plan and stop. Touches neither the data nor the ledger.")
]


class Terms(TypedDict):
    """What a plan and a release have in common."""

    epsilon: str
    delta: str
    recipe: str
    workload: str
    rows: int | None


def release(
    data: Data,
    schema: SchemaFile,
    epsilon: Epsilon,
    delta: Delta,
    out: Out = None,
    recipe: RecipeName = DEFAULT,
    workload: WorkloadWords = "2way",
    rows: Rows = None,
    form: AsForm = "parquet",
    ledger: Budget = None,
    id: Name = None,
    dry_run: Dry = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a stand-in for a private table: synthetic rows and their certificate, in a bundle.

    Epsilon and delta are the total for everything that is read. A run that was interrupted is taken up by the same
    command.
    """
    import understudy

    voice = Voice(json, quiet)
    terms: Terms = {"epsilon": epsilon, "delta": delta, "recipe": recipe, "workload": workload, "rows": rows}
    if dry_run:
        document = document_of(understudy.plan(schema, **terms))
        voice.give(document, *lines(document))
        return
    if out is None:
        raise Misuse("no place was named for the bundle", "give --out FOLDER, or --dry-run")
    stages: list[str] = []
    try:
        with voice.telling() as show:

            def tell(stage: str) -> None:
                stages.append(stage)
                show(stage)

            made = understudy.release(data, schema, **terms, ledger=ledger, out=out, form=form, id=id, tell=tell)
        voice.say(summary(made))
        voice.say(visible(f"the bundle is {out}: read its README.md, and recheck it with `understudy verify {out}`"))
        if json:
            voice.give({"bundle": str(out), "certificate": made.certificate})
    except KeyboardInterrupt:
        heard()
        raise KeyboardInterrupt(charged(stages, epsilon, delta)) from None


def charged(stages: list[str], epsilon: str, delta: str) -> str:
    """What stays charged after a stop; in doubt, all of it."""
    if len(stages) < 2:  # the first stage reads the table; the second reserves the budget
        return "this run charged nothing"
    return f"epsilon {epsilon} and delta {delta} are reserved and stay charged; the same command takes the run up again"
