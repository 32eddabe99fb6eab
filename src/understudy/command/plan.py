"""understudy plan: what a release would ask, cost, take and promise, before a row is touched."""

from typing import TYPE_CHECKING, Any

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


def plan(
    schema: SchemaFile,
    epsilon: Epsilon,
    delta: Delta,
    recipe: RecipeName = DEFAULT,
    workload: WorkloadWords = "2way",
    rows: Rows = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the budget split, memory and time of a release, and a second accountant's opinion. Touches no data.

    What cannot be carried out is refused, naming the column or the marginal and its number of cells.
    """
    import understudy

    agreed = understudy.plan(schema, epsilon=epsilon, delta=delta, recipe=recipe, workload=workload, rows=rows)
    document = document_of(agreed)
    Voice(json, quiet).give(document, *lines(document))


def document_of(agreed: "Plan") -> dict[str, Any]:
    """The plan for machines, with the second opinion; a pure epsilon is a sum and needs none."""
    document = agreed.to_json()
    opinion = agreed.second_opinion() if agreed.budget.delta else None
    return document | {"second_opinion": opinion and vars(opinion)}


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
