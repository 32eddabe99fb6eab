"""What is kept: the certified bounds of a release, and the grades that follow from them.

Math.  A total variation distance of t between two tables over some columns means: no share of rows that can be told from
these columns, of any group of their cells, differs by more than t. It cannot grow where columns are left out, so

    bound(columns)  =  the least certified bound over the marginals that contain them

>>> grade(0.03), grade(0.08), grade(0.4)
('rely on', 'with care', 'do not use')
>>> bounds = Bounds({("a", "b"): 0.1, ("b", "c"): 0.02})
>>> bounds.of(("b",)), bounds.of(("a",)), bounds.of(("a", "c"))
(0.02, 0.1, None)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from understudy.schema.schema import Schema

RELY, CARE = 0.05, 0.15  # up to here one may rely on a marginal, or use it with care
SHADES = (0.02, RELY, 0.10, CARE, 0.30)  # where the colours of a heat map change
GRADES = ("rely on", "with care", "do not use")
MOST_COLUMNS = 64  # of which all pairs are told
SAID = {
    *("confidence", "worst_cell_error", "worst_query_error", "mean_total_variation", "total_variation"),
    "rows_in_private_table",
}

Columns = tuple[str, ...]


@dataclass(frozen=True)
class Bounds:
    """Certified total variations, and what they imply for fewer columns."""

    certified: Mapping[Columns, float]

    @cached_property
    def implied(self) -> dict[Columns, float]:
        """The best bound of each column and each pair."""
        found: dict[Columns, float] = {}
        for clique, bound in self.certified.items():
            for k in (1, 2):
                for part in combinations(sorted(clique), k):
                    found[part] = min(bound, found.get(part, 1.0))
        return found

    def of(self, columns: Columns) -> float | None:
        """The bound for one column or two; None where no certified marginal contains them."""
        return self.implied.get(tuple(sorted(columns)))


def kept(certificate: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Every bound of the certificate, graded."""
    claims = certificate["claims"]
    bounds = bounds_of(certificate)
    names = [column.name for column in schema.modelled]
    pairs = list(combinations(names, 2)) if len(names) <= MOST_COLUMNS else []
    return {
        "confidence": claims.get("confidence"),
        "rows_in_private_table": claims.get("rows_in_private_table"),
        "worst_cell_error": claims.get("worst_cell_error"),
        "worst_query_error": claims.get("worst_query_error"),
        "mean_total_variation": claims.get("mean_total_variation"),
        "workload": certificate.get("workload"),
        "grades": {"rely on": RELY, "with care": CARE},
        "marginals": [graded(list(clique), bound) for clique, bound in bounds.certified.items()],
        "columns": [graded([name], bounds.of((name,))) for name in names],
        "pairs": [graded(list(pair), bounds.of(pair)) for pair in pairs],
        "others": {name: value for name, value in claims.items() if name not in SAID},
        "measured": certificate.get("regret"),
    }


def bounds_of(certificate: dict[str, Any]) -> Bounds:
    """The certified total variations."""
    claimed = certificate["claims"].get("total_variation", [])
    return Bounds({tuple(claim["columns"]): claim["bound"] for claim in claimed})


def graded(columns: list[str], bound: float | None) -> dict[str, Any]:
    """Columns with their bound and grade; no grade where nothing is certified."""
    return {"columns": columns, "bound": bound, "grade": None if bound is None else grade(bound)}


def grade(bound: float) -> str:
    """Which use a bound allows. The limits are a convention of this report, printed in it."""
    return GRADES[(bound > RELY) + (bound > CARE)]


def shade(bound: float) -> int:
    """The colour of a bound, 1 to 6: two for each grade."""
    return 1 + sum(bound > limit for limit in SHADES)
