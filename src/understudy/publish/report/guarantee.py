"""The guarantee in words and odds: whom a release protects, and what is left to an attacker.

Math.  For an (epsilon, delta)-private release and any test of "the person's rows are in the table" against "they are
not" (Wasserman and Zhou; Kairouz, Oh and Viswanath), whatever else the attacker knows:

    true accusations  <=  min( e^epsilon a + delta,  1 - e^-epsilon (1 - delta - a) ),     a = false accusations
    right guesses     <=  (e^epsilon + delta) / (e^epsilon + 1),                          between two equally likely tables

>>> round(right_guesses(0.0, 0.0), 3), round(right_guesses(1.0, 1e-6), 3), right_guesses(2000.0, 0.0)
(0.5, 0.731, 1.0)
>>> round(caught(1.0, 0.0, 0.01), 4)
0.0272
"""

from fractions import Fraction
from math import exp
from typing import Any

from understudy.schema.column import Boolean, Column, Identifier, Image, Listed, Pending
from understudy.schema.pair import Edge, Place
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema
from understudy.schema.write import column_words

FALSE_ALARMS = (0.001, 0.01, 0.1)


def guarantee(certificate: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """What the report says first."""
    epsilon, delta = float(Fraction(certificate["epsilon"])), float(Fraction(certificate["delta"]))
    protects = certificate["protects"]
    return {
        "unit": protects["unit"],
        "rows_per_unit": protects["rows_per_unit"],
        "relation": protects["relation"],
        "neighbours": protects["neighbours"],
        "epsilon": certificate["epsilon"],
        "delta": certificate["delta"],
        "as_numbers": {"epsilon": epsilon, "delta": delta},
        "spent": {"epsilon": certificate["spent"]["epsilon"], "measure": certificate["spent"]["measure"]},
        "attacker": {
            "right_guesses": rounded(right_guesses(epsilon, delta)),
            "accusations": [{"false": a, "true": rounded(caught(epsilon, delta, a))} for a in FALSE_ALARMS],
        },
        "ledger": certificate["ledger"],
        "public": {
            "columns": [{"column": c.name, "what": declared(c, certificate["discovered"])} for c in schema.columns],
            "rows": schema.n,
            "constraints": len(schema.constraints),
            "paid_for": certificate["discovered"],
        },
    }


def right_guesses(epsilon: float, delta: float) -> float:
    """How often an attacker can be right who must tell two equally likely neighbours apart."""
    # (e^eps + delta) / (e^eps + 1) = (1 + delta e^-eps) / (1 + e^-eps)
    return min((1 + delta * exp(-epsilon)) / (1 + exp(-epsilon)), 1.0)


def caught(epsilon: float, delta: float, false: float) -> float:
    """The most true accusations for a share of false ones."""
    growing = exp(epsilon) * false + delta if epsilon < 700 else 1.0
    return min(growing, 1 - exp(-epsilon) * (1 - delta - false), 1.0)


def rounded(share: float) -> float:
    """Six digits: the last ones of an exponential are not the same on every machine."""
    return round(share, 6)


def opposite(relation: Relation, unit: str) -> str:
    """What a neighbouring table has instead of a unit's rows."""
    if relation is Relation.ADD_REMOVE:
        return (
            f"the rows of that {unit} had never been in the table" if unit != "row" else "that row had not been there"
        )
    return f"another {unit}'s rows had stood in their place" if unit != "row" else "another row had stood in its place"


def declared(column: Column, discovered: list[str]) -> str:
    """What the owner declared about a column, and what was paid for instead."""
    how = ", found at a price" if column.name in discovered else ""
    gaps = ", may be missing" if column.nullable else ""
    match column:
        case Identifier():
            return "a key; its values are made anew"
        case Pending():
            return f"{column_words(column)['kind']}, to be found at a price"
        case Image():
            colour = "" if column.channels == 1 else " in colour"
            return f"pictures of {column.height} x {column.width} levels{colour}, each from 0 to {column.high}"
        case Place():
            words = column_words(column)
            box = f"{words['south']} to {words['north']} north, {words['west']} to {words['east']} east"
            within = "" if column.outline is None else " inside a public outline"
            return f"places, {box}{within}, in {column.values_size:,} cells{gaps}"
        case Edge():
            nodes = f"{len(column.joins.nodes):,} public nodes in {len(column.blocks):,} blocks"
            return f"edges between {nodes}, in {column.values_size:,} cells{gaps}"
        case Listed():
            others = "" if column.other is None else f" and '{column.other}'"
            return f"{'in order' if column.ordered else 'listed'}: {len(column.values):,} values{others}{how}{gaps}"
        case Boolean():
            return f"true or false{gaps}"
    words = column_words(column)
    return f"{words['kind']}, {words['min']} to {words['max']}, in {column.values_size:,} cells{how}{gaps}"
