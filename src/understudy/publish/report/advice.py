"""What would help a next release, where this one keeps too little. Made of what is public: the certificate and the schema.

>>> graded = [{"grade": "do not use"}] * 3
>>> words = {"discovered": ["town"], "protects": {"rows_per_unit": 4, "unit": "borrower"}, "workload": {"marginals": 3}}
>>> [line.split(":")[0] for line in advice(words, {"town": 100, "sex": 2}, graded)]
['List what is public', 'Promise fewer rows', 'Coarsen the widest columns', 'Ask for less', 'Spend more']
>>> advice(words, {"town": 100, "sex": 2}, [{"grade": "rely on"}] * 3)
[]
"""

from collections.abc import Mapping, Sequence
from typing import Any

ENOUGH = 0.5  # of the marginals to rely on: more is no reason to advise
WIDE = 20


def advice(certificate: dict[str, Any], domain: Mapping[str, int], marginals: Sequence[dict[str, Any]]) -> list[str]:
    """One line for each thing that could be changed; none where half of the marginals can be relied on."""
    if not marginals or sum(m["grade"] == "rely on" for m in marginals) >= ENOUGH * len(marginals):
        return []
    protects, found = certificate["protects"], certificate["discovered"]
    wide = sorted((name for name, cells in domain.items() if cells > WIDE), key=lambda name: -domain[name])[:3]
    said = []
    if found:
        said.append(
            f"List what is public: values or bounds of {named(found)} were found at a price, a tenth of the budget."
        )
    if protects["rows_per_unit"] > 1:
        unit, rows = protects["unit"], protects["rows_per_unit"]
        said.append(f"Promise fewer rows: up to {rows:,} rows of one {unit} make all noise {rows:,} times as large.")
    if wide:
        said.append(f"Coarsen the widest columns: {named(wide)}.")
    if len(marginals) > 1:
        said.append("Ask for less: a workload of the pairs that matter, or 1way, instead of all.")
    said.append(
        "Spend more: `understudy plan --html` shows what another epsilon would buy. More rows in the table help as well."
    )
    return said


def named(names: Sequence[str]) -> str:
    """Some names in a sentence."""
    return ", ".join(f"'{name}'" for name in names)
