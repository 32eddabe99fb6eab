"""What a certificate says, in words: built from its JSON, for a README, a terminal and a repr.

>>> statement({"epsilon": "1/2", "delta": "1/1000000", "claims": {"mean_total_variation": 0.031}})
'epsilon 0.5, delta 1e-06, mean total variation at most 0.031'
"""

from fractions import Fraction
from typing import Any


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
    off = f" (within {n['within']:,})" if n["within"] else ""
    stamp = [] if certificate["mode"] == "release" else ["NOT PRIVATE. This bundle was made with a seeded test twin."]
    return [
        *stamp,
        f"Whom it protects: neighbouring tables are those where {protects['relation']}. Whatever could have come out of this "
        f"release has, for a neighbouring table, a probability of at most e^{epsilon:g} = {2.718281828459045**epsilon:.3g} times "
        f"that which it had, plus {delta:g}: so nearly the same is learned with and without any one {protects['unit']}. This "
        "covers everything that was read from the private table: domains, number of rows, selection, measurements and this "
        "certificate.",
        f"What it promises, with probability at least {claims['confidence']:.0%}, for the {certificate['rows']:,} rows in this "
        f"bundle and the {certificate['workload']['marginals']:,} marginals of workload '{certificate['workload']['name']}', "
        "against the private table as the schema reads it: no cell of any marginal is off by more than "
        f"{claims['worst_cell_error']:.4f} of all rows; the total variation distance is at most "
        f"{claims['mean_total_variation']:.4f} on average over the marginals; and for every single marginal at most what "
        "certificate.json lists for it.",
        f"The private table has about {n['estimate']:,} rows{off}.",
        "What was declared public: the schema (schema.toml) except for what discovery paid for"
        + (f" ({', '.join(certificate['discovered'])})." if certificate["discovered"] else " (nothing)."),
    ]
