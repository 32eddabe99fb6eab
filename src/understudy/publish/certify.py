"""The certificate of a release, written from the tape. `verify` writes it again and compares.

Everything in it follows from the tape, the settled schema and the rows, so a replay repeats it byte for byte.
"""

import math
from fractions import Fraction
from typing import Any

from understudy.game.measurement import size
from understudy.game.player import Codes
from understudy.privacy.accountant import Budget, converted
from understudy.privacy.charge import Charge
from understudy.publish.certificate import claims, only
from understudy.publish.regret import regret
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

FORMAT = "understudy certificate 1"
DISCOVERING = ("quantiles", "categories")


def certificate_of(tape: Tape, schema: Schema, codes: Codes) -> dict[str, Any]:
    """The certificate of some rows, all but the digests of the bundle's files."""
    header = tape.header
    worst = only(tape, "worst_cell").question
    budget = budget_of(header)
    claimed = claims(tape, schema, size(tape, schema))
    return {
        "format": FORMAT,
        "version": header["version"],
        "mode": header["mode"],
        "release": header["release"],
        "table": schema.name,
        "recipe": header["recipe"],
        "workload": {
            "name": header["workload"],
            "marginals": len(worst["cliques"]),
            "queries": sum(len(entry.question["queries"]) for entry in tape.of("worst_query")),
        },
        "epsilon": header["epsilon"],
        "delta": header["delta"],
        "protects": {
            "unit": schema.unit.noun,
            "rows_per_unit": schema.unit.rows,
            "relation": schema.relation.words(schema.unit.noun),
            "neighbours": schema.relation.value,
        },
        "spent": spent(tape, budget, Fraction(header["reserved_delta"])),
        "claims": claimed.to_json(),
        "regret": regret(tape, schema, codes, claimed.cell),
        "rows": worst["synthetic_rows"],
        "constraints": len(schema.constraints),
        "discovered": list(dict.fromkeys(e.question["column"] for e in tape if e.kind in DISCOVERING)),
        "ledger": header["receipt"],
        "digests": {"tape": tape.head, "schema": schema.digest, "rows": worst["synthetic"]},
    }


def budget_of(header: dict[str, Any]) -> Budget:
    """The budget that the tape's header names, and how it is counted."""
    terms = Fraction(header["epsilon"]), Fraction(header["delta"]), Relation(header["relation"])
    return Budget(*terms, int(header["order"]) if "order" in header else None)


def spent(tape: Tape, budget: Budget, reserved_delta: Fraction) -> dict[str, Any]:
    """The charges on the tape, added up exactly, in total and by kind of question."""
    kinds: dict[str, Charge] = {}
    total = Charge.zero(budget.relation, budget.measure)
    for entry in tape:
        charge = Charge.from_json(entry.charge)
        total = total + charge
        kinds[entry.kind] = kinds.get(entry.kind, Charge.zero(budget.relation, budget.measure)) + charge
    comes_to = converted(total, budget.delta - reserved_delta)
    comes_to = math.ceil(comes_to * 1e9) / 1e9  # upwards; the last digits of a logarithm are not the same everywhere
    return {
        "measure": budget.measure.value,
        "amount": str(total.amount),
        "delta": str(total.delta),
        "epsilon": comes_to,
        "share": {kind: float(charge.amount / total.amount) for kind, charge in kinds.items()},
    }
