"""understudy ledger: make one, show it, export it, check it."""

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from understudy.command.options import Delta, Epsilon, Json, LedgerFile, Quiet
from understudy.command.voice import Voice, number, table, visible
from understudy.schema.relation import Relation

app = typer.Typer(help="The budget of one table's people: make a ledger, show it, export it, check it.")

Neighbours = Annotated[
    Relation,
    typer.Option(
        "--relation",
        metavar="add-remove|replace-one",
        help="Neighbouring tables: one unit added or removed, or exchanged for another.",
    ),
]
Unit = Annotated[str, typer.Option(metavar="NOUN", help="Whom it protects: patient, household, row.")]
Population = Annotated[str, typer.Option(metavar="NAME", help="Whose budget it is: the table, or the people in it.")]
Bundles = Annotated[
    list[Path] | None,
    typer.Option("--bundle", metavar="BUNDLE", help="A bundle whose receipt the ledger must hold. Can be repeated."),
]


@app.command()
def init(
    ledger: LedgerFile,
    epsilon: Epsilon,
    delta: Delta,
    unit: Unit,
    population: Population,
    relation: Neighbours = Relation.ADD_REMOVE,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a ledger with a budget that never grows."""
    import understudy

    made = understudy.Ledger.create(
        ledger, epsilon=epsilon, delta=delta, relation=relation, unit=unit, population=population
    )
    voice = Voice(json, quiet)
    voice.say(
        visible(f"{ledger} holds epsilon {epsilon} and delta {delta} for '{population}', and refuses what exceeds it")
    )
    if json:
        voice.give({"ledger": str(ledger), "uid": made.uid})


@app.command()
def show(ledger: LedgerFile, json: Json = False, quiet: Quiet = False) -> None:
    """Show the budget, what is left of it, and every release that was reserved."""
    import understudy

    book = understudy.Ledger.open(ledger)
    entries, left = book.entries(), book.left()
    releases = [
        {
            "release": entry.release,
            "epsilon": entry.words["epsilon"],
            "delta": entry.words["delta"],
            "looks": sum(e.kind == "charge" and e.release == entry.release for e in entries),
            "answered": sum(e.kind == "answer" and e.release == entry.release for e in entries),
        }
        for entry in entries
        if entry.kind == "reserve"
    ]
    document = {
        "uid": book.uid,
        "population": book.population,
        "unit": book.unit,
        "relation": book.budget.relation.value,
        "budget": {"epsilon": str(book.budget.epsilon), "delta": str(book.budget.delta)},
        "left": {"epsilon": str(left[0]), "delta": str(left[1])},
        "releases": releases,
    }
    rows = [
        [r["release"], number(r["epsilon"]), number(r["delta"]), str(r["looks"]), str(r["answered"])] for r in releases
    ]
    rows.append(["left", number(left[0]), number(left[1]), "", ""])
    rows.append(["budget", number(book.budget.epsilon), number(book.budget.delta), "", ""])
    Voice(json, quiet).give(
        document,
        visible(f"ledger of '{book.population}': {book.budget.relation.words(book.unit)}"),
        "",
        table(["release", "epsilon", "delta", "looks", "answered"], rows, ["epsilon", "delta", "looks", "answered"]),
    )


@app.command()
def export(ledger: LedgerFile, json: Json = False, quiet: Quiet = False) -> None:
    """Write every entry to stdout, one JSON line each: enough to recompute the chain elsewhere."""
    import understudy

    entries = understudy.Ledger.open(ledger).export()
    Voice(json, quiet).give(entries, *(jsonlib.dumps(entry) for entry in entries))


@app.command()
def check(ledger: LedgerFile, bundle: Bundles = None, json: Json = False, quiet: Quiet = False) -> None:
    """Recompute the chain and every total; with bundles, that the ledger holds each one's reservation.

    A file that was put back from an older copy is found by the receipt of a bundle that was made since.
    """
    import understudy

    book = understudy.Ledger.open(ledger)
    book.check()
    counter, head = book.head()
    checked = [f"chain and totals of {counter:,} entries hold; the head is {head}"]
    for path in bundle or ():
        understudy.verify(path, ledger)
        checked.append(f"it holds the reservation of {path}")
    Voice(json, quiet).give(
        {"ledger": str(ledger), "head": head, "checked": checked}, *(visible(f"ok  {c}") for c in checked)
    )
