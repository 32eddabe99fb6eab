"""understudy plan: what a release would ask, cost, take and promise, before a row is touched."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.command.options import (
    Delta,
    Epsilon,
    Json,
    Quiet,
    RecipeName,
    Rows,
    SchemaFile,
    WorkloadWords,
)
from understudy.command.voice import Voice, number, table, visible
from understudy.recipe.default import DEFAULT

if TYPE_CHECKING:
    from understudy.publish.plan import Plan

Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write the plan as a page too, with what to expect at other epsilons."),
]
Assumed = Annotated[
    int | None,
    typer.Option(
        "--assume-rows", metavar="N", min=1, help="How many rows to reckon with; a guess that you may publish."
    ),
]
Trial = Annotated[
    bool, typer.Option("--trial", help="Try the recipe on invented rows of the same schema, at several epsilons.")
]


def plan(
    schema: SchemaFile,
    epsilon: Epsilon,
    delta: Delta,
    recipe: RecipeName = DEFAULT,
    workload: WorkloadWords = "2way",
    rows: Rows = None,
    html: Page = None,
    assume_rows: Assumed = None,
    trial: Trial = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the budget split, memory and time of a release, and a second accountant's opinion. Touches no data.

    What cannot be carried out is refused, naming the column or the marginal and its number of cells.
    """
    import understudy

    agreed = understudy.plan(schema, epsilon=epsilon, delta=delta, recipe=recipe, workload=workload, rows=rows)
    voice, document = Voice(json, quiet), document_of(agreed)
    if html is None and not trial and assume_rows is None:
        voice.give(document, *lines(document))
        return
    from understudy.publish.storage import refuse_existing, write_new
    from understudy.report.plan_page import plan_page
    from understudy.report.prospect import prospect

    if html is not None:
        refuse_existing(html)
    with voice.telling() as tell:
        expected = prospect(agreed, assume_rows, trial, tell)
    if html is not None:
        write_new(html, plan_page(agreed, document, expected))
        voice.say(visible(f"the plan as a page: {html}"))
    voice.give(document | {"expected": expected}, *lines(document), "", *outlook(expected))


def document_of(agreed: "Plan") -> dict[str, Any]:
    """The plan for machines, with the second opinion; a pure epsilon is a sum and needs none."""
    document = agreed.to_json()
    opinion = agreed.second_opinion() if agreed.budget.delta else None
    return document | {"second_opinion": opinion and vars(opinion)}


def outlook(expected: dict[str, Any]) -> list[str]:
    """What to expect, for people."""
    tried = {p["epsilon"]: p for p in (expected["trial"] or {"points": []})["points"]}
    rows = [
        [
            f"{p['epsilon']:g}",
            f"{p['direct']:.4f}",
            f"{p['certificate_adds']:.4f}",
            f"{tried[p['epsilon']]['error']:.4f}" if p["epsilon"] in tried else "",
        ]
        for p in expected["curve"]
    ]
    head = ["epsilon", "measured directly", "certificate adds", "tried on invented rows"]
    return [
        f"mean total variation to expect, for a table of {expected['rows']:,} rows:",
        table(head, rows, right=head),
    ]


def lines(document: dict[str, Any]) -> list[str]:
    """The plan for people."""
    split = [[part["what"], f"{part['share']:.1%}", f"{part['looks']:,}", part["noise"]] for part in document["lines"]]
    total = sum(part["share"] for part in document["lines"])
    split.append(["together", f"{total:.1%}", f"{sum(part['looks'] for part in document['lines']):,}", ""])
    opinion, work = document["second_opinion"], document["workload"]
    return [
        visible(f"a release of table '{document['table']}'")
        + f" with epsilon {number(document['epsilon'])}, delta {number(document['delta'])}",
        visible(f"neighbours: {document['protects']}"),
        f"recipe {document['recipe']}, certified on workload {work['name']}, marginals: {work['marginals']:,}",
        "",
        table(["what is asked", "budget", "looks", "noise, as a standard deviation"], split, right=["budget", "looks"]),
        "",
        f"memory: at most about {document['memory_mb']:,} MB; time: about {document['seconds']:,} s",
        f"second opinion (dp-accounting): the same looks cost epsilon {opinion['pld']:.3f} by loss distributions and "
        f"{opinion['rdp']:.3f} by Renyi orders, at the same delta"
        if opinion
        else "second opinion: none is needed, pure epsilons are added up",
    ]
