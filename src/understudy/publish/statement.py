"""What a certificate says, in words: built from its JSON, for a README, a terminal and a repr.

>>> statement({"epsilon": "1/2", "delta": "1/1000000", "claims": {"mean_total_variation": 0.031}})
'epsilon 0.5, delta 1e-06, mean total variation at most 0.031'
"""

from fractions import Fraction
from math import exp
from typing import Any


class Certificate(dict[str, Any]):
    """The words of a certificate: a JSON object that a notebook shows as a card."""

    def _repr_html_(self) -> str:
        """The certificate as a notebook shows it."""
        from understudy.page.notebook import Lines, card

        claims, protects = self["claims"], self["protects"]
        facts = [("epsilon, delta", f"{self['epsilon']}, {self['delta']}"), ("neighbours", protects["relation"])]
        facts += [("recipe, rows", f"{self['recipe']}, {self['rows']:,}"), ("ledger", self["ledger"]["ledger_uid"])]
        facts += [(name.replace("_", " "), value) for name, value in claims.items() if isinstance(value, float)]
        worst = sorted(claims.get("total_variation", []), key=lambda claim: -claim["bound"])[:10]
        rows = [(" x ".join(claim["columns"]), f"{claim['bound']:.4f}") for claim in worst]
        lines = Lines(("the largest bounds", "off by at most"), rows, right=("off by at most",)) if rows else None
        stamp = "" if self["mode"] == "release" else "NOT PRIVATE"
        return card(f"Certificate of {self['table']}", "", facts, lines, stamp=stamp)


def statement(certificate: dict[str, Any]) -> str:
    """The guarantee and the headline claim in one line."""
    epsilon, delta = float(Fraction(certificate["epsilon"])), float(Fraction(certificate["delta"]))
    mean = certificate["claims"]["mean_total_variation"]
    return f"epsilon {epsilon:g}, delta {delta:g}, mean total variation at most {mean:.3g}"


def paragraphs(certificate: dict[str, Any]) -> list[str]:
    """The certificate for a person: whom it protects, what it bounds, and what was declared public."""
    epsilon, delta = float(Fraction(certificate["epsilon"])), float(Fraction(certificate["delta"]))
    claims, protects = certificate["claims"], certificate["protects"]
    n = claims["rows_in_private_table"]
    listed = (
        f"each of the {certificate['workload']['queries']:,} listed queries is within {claims['worst_query_error']:.4f}; "
        if "worst_query_error" in claims
        else ""
    )
    off = f" (within {n['within']:,})" if n["within"] else ""
    stamp = [] if certificate["mode"] == "release" else ["NOT PRIVATE. This bundle was made with a seeded test twin."]
    return [
        *stamp,
        f"Whom it protects: neighbouring tables are those where {protects['relation']}. Whatever could have come out of "
        f"this release has, for a neighbouring table, a probability of at most "
        f"{factor(epsilon)} times that which it had, plus {delta:g}: so nearly the same is learned whatever "
        f"the rows of any one {protects['unit']} are. This covers everything that was read from the private table: "
        "domains, number of rows, selection, measurements and this certificate.",
        f"What it promises, with probability at least {claims['confidence']:.0%}, for the {certificate['rows']:,} rows in this "
        f"bundle and the {certificate['workload']['marginals']:,} marginals of workload '{certificate['workload']['name']}', "
        "against the private table as the schema reads it: no cell of any marginal is off by more than "
        f"{claims['worst_cell_error']:.4f} of all rows; {listed}the total variation distance is at most "
        f"{claims['mean_total_variation']:.4f} on average over the marginals; and for every single marginal at most what "
        "certificate.json lists for it.",
        *measured(certificate["regret"]),
        *held(certificate["constraints"]),
        f"The private table has about {n['estimate']:,} rows{off}.",
        "What was declared public: the schema (schema.toml) except for what discovery paid for"
        + (f" ({', '.join(certificate['discovered'])})." if certificate["discovered"] else " (nothing)."),
    ]


def measured(regret: dict[str, Any]) -> list[str]:
    """What the measurements say by themselves, where it is anything."""
    said = (
        f"Beside it, at no cost: the {regret['measured_marginals']:,} marginals that were measured on the way have, with "
        f"probability at least {regret['confidence']:.0%} by itself, no cell that is off by more than "
        f"{regret['worst_measured_cell_error']:.4f}."
    )
    return [said] if regret["worst_measured_cell_error"] < 1 else []


def held(constraints: int) -> list[str]:
    """What holds in every row, where something was declared."""
    said = f"Every row obeys the constraints in schema.toml ({constraints:,}); the bounds above are about the rows that do."
    return [said] if constraints else []


def factor(epsilon: float) -> str:
    """What epsilon multiplies odds by; beyond what a float holds, its name alone.

    >>> factor(1.0), factor(1000.0)
    ('e^1 = 2.72', 'e^1000')
    """
    return f"e^{epsilon:g} = {exp(epsilon):.3g}" if epsilon < 700 else f"e^{epsilon:g}"
