"""A workload: the marginals that must come out well, and on which the certificate speaks.

>>> ways(("a", "b", "c"), 2)
(('a', 'b'), ('a', 'c'), ('b', 'c'))
"""

import json
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

from understudy.refusal import Infeasible, Misuse
from understudy.schema.schema import Schema

Columns = tuple[str, ...]

LARGEST = 2**26  # cells of one marginal that we are willing to count
MANY = 200_000  # marginals of one workload


@dataclass(frozen=True)
class Workload:
    """Marginals by name. Each is a tuple of distinct columns in schema order."""

    name: str
    cliques: tuple[Columns, ...]

    def refuse_infeasible(self, schema: Schema) -> None:
        """No marginal may have more cells than can be counted; told from the schema alone."""
        for clique in self.cliques:
            cells = schema.cells(clique)
            if cells > LARGEST:
                widest = max(clique, key=lambda name: schema.domain[name])
                raise Infeasible(
                    f"the marginal {' x '.join(clique)} has {cells:,} cells, more than {LARGEST:,}",
                    f"coarsen column '{widest}' ({schema.domain[widest]:,} cells), or choose a smaller workload",
                )


def ways(names: Columns, k: int) -> tuple[Columns, ...]:
    """All k-way marginals."""
    return tuple(combinations(names, k))


def read_workload(words: str, names: Columns) -> Workload:
    """A workload from the words of a command: 1way, 2way, ..., or a JSON file with lists of column names."""
    if words.endswith("way") and words[:-3].isdigit():
        k = int(words[:-3])
        if not 1 <= k <= 5:
            raise Misuse("a workload has marginals of 1 to 5 columns", "use 1way to 5way")
        refuse_many(comb(len(names), min(k, len(names))))
        workload = Workload(words, ways(names, min(k, len(names))))
    else:
        workload = Workload("listed", listed(Path(words), names))
        refuse_many(len(workload.cliques))
    return workload


def refuse_many(marginals: int) -> None:
    """There is a limit to how many marginals one workload may have."""
    if marginals > MANY:
        raise Infeasible(
            f"the workload has {marginals:,} marginals, more than {MANY:,}", "list the ones that matter in a file"
        )


def listed(path: Path, names: Columns) -> tuple[Columns, ...]:
    """The marginals of a JSON file, each in schema order."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Misuse(
            f"the workload '{path}' is neither 1way..5way nor a JSON file", 'write [["age", "sex"], ...] to a file'
        ) from None
    well_formed = isinstance(found, list) and found and all(isinstance(c, list) and c for c in found)
    if not well_formed or not all(isinstance(name, str) for c in found for name in c):
        raise Misuse("a workload file is a list of lists of column names", 'write [["age", "sex"], ...]')
    for name in (name for clique in found for name in clique):
        if name not in names:
            raise Misuse(f"the workload names '{name}', which is not a modelled column", "correct the file")
    return tuple(dict.fromkeys(tuple(name for name in names if name in clique) for clique in found))
