"""The budget: what was asked, how often, with which noise, and its part of the whole. All of it is on the tape."""

from fractions import Fraction
from typing import Any

from understudy.game.measurement import variance_of
from understudy.vault.tape import Tape

WORDS = {
    "count": "the number of rows",
    "marginals": "noisy tables of counts",
    "degrees": "degrees of nodes, in order of size",
    "vote": "votes of teachers on candidates",
    "select": "choosing what to measure",
    "errors": "how far the model was off",
    "select_cell": "choosing single cells",
    "payoff": "what the choices came to",
    "norms": "how far rows lie from the centre",
    "mean_features": "sums of rows, class by class",
    "moments": "second moments of rows, class by class",
    "critic_gradient": "slopes of a critic",
    "quantiles": "finding bounds of columns",
    "categories": "finding values of columns",
    "gradient_step": "noisy gradients of a critic, over samples of rows",
    "worst_cell": "certificate: the worst cell",
    "variations": "certificate: each marginal's total variation",
    "worst_query": "certificate: the worst listed query",
}

IN_ROWS = ("count", "marginals", "errors", "worst_cell", "variations", "worst_query")


def split(certificate: dict[str, Any], tape: Tape) -> list[dict[str, Any]]:
    """A line for each kind of question, in the order in which they were first asked."""
    share = certificate["spent"]["share"]
    return [
        {
            "kind": kind,
            "what": WORDS.get(kind, kind.replace("_", " ")),
            "looks": len(tape.of(kind)),
            "share": share[kind],
            "noise": noise(tape, kind),
        }
        for kind in dict.fromkeys(entry.kind for entry in tape)
    ]


def noise(tape: Tape, kind: str) -> list[float]:
    """The least and the largest standard deviation of what was added, in rows; empty where it is counted otherwise."""
    if kind not in IN_ROWS:
        return []
    sizes: set[float] = set()
    for entry in tape.of(kind):
        mechanism = entry.question["mechanism"]
        if mechanism["kind"] not in ("DiscreteGaussian", "DiscreteLaplace"):
            return []
        # certificates count in units of 1/m of a row
        unit = Fraction(entry.question.get("synthetic_rows", 1))
        sizes.add(float(f"{variance_of(mechanism) ** 0.5 / float(unit):.4g}"))
    return [min(sizes), max(sizes)] if sizes else []
