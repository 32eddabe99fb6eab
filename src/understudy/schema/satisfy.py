"""One row that obeys: a backtracking search over the constrained columns.

Cells that no clause tells apart are one class, so a column has as many classes as clauses see in it, not as many as cells.
A clause is checked as soon as its columns have classes. At the leaf the order is solved: each column, from the first to
the last, takes its least tick that is not before the others; if that does not do, nothing does.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.order import Ordering

if TYPE_CHECKING:
    from understudy.schema.rules import Clause

PATIENCE = 100_000  # classes that are tried before the search is given up
Liking = Mapping[str, NDArray[np.float64]]
Class = NDArray[np.intp]


def satisfying(
    sizes: dict[str, int], clauses: tuple["Clause", ...], ordering: Ordering, liking: Liking
) -> dict[str, int] | None:
    """A cell for each column, or None where no row obeys."""
    columns = tuple(sizes)
    classes = [classes_of(name, sizes[name], clauses, ordering, liking) for name in columns]
    due: list[list[Clause]] = [[] for _ in columns]
    for clause in clauses:
        due[max(columns.index(name) for name in clause.columns)].append(clause)
    chosen: dict[str, Class] = {}
    tried = 0

    def search(depth: int) -> dict[str, int] | None:
        nonlocal tried
        if depth == len(columns):
            return ordered(chosen, ordering)
        for cells in classes[depth]:
            tried += 1
            if tried > PATIENCE:
                raise SchemaRefused("the constraints are too entangled to find a row that obeys", "simplify them")
            chosen[columns[depth]] = cells
            if all(holds(clause, chosen) for clause in due[depth]) and (found := search(depth + 1)) is not None:
                return found
        del chosen[columns[depth]]
        return None

    found = search(0)
    return None if found is None else {name: found[name] for name in columns}


def classes_of(name: str, size: int, clauses: tuple["Clause", ...], ordering: Ordering, liking: Liking) -> list[Class]:
    """The classes of a column's cells, the likelier first; within one, the likeliest cell first."""
    sets = [
        cells
        for clause in clauses
        for column, cells in (*clause.when, (clause.column, clause.allowed))
        if column == name
    ]
    if any(name in pair for pair in ordering.pairs):
        sets.append(np.arange(size) < len(ordering.spans[name].first))  # missing is in no order
    weights = liking.get(name, np.zeros(size))
    groups: dict[bytes, list[int]] = {}
    signs = np.array(sets, dtype=bool).reshape(len(sets), size).T
    for cell in np.argsort(-weights, kind="stable"):
        groups.setdefault(signs[cell].tobytes(), []).append(int(cell))
    classes = [np.array(cells) for cells in groups.values()]
    return sorted(classes, key=lambda cells: -float(weights[cells].sum()))


def holds(clause: "Clause", chosen: dict[str, Class]) -> bool:
    """Whether a clause holds for classes: all cells of a class are alike to it."""
    applies = all(cells[chosen[name][0]] for name, cells in clause.when)
    return not applies or bool(clause.allowed[chosen[clause.column][0]])


def ordered(chosen: dict[str, Class], ordering: Ordering) -> dict[str, int] | None:
    """The first cell of each class; in an order, the least cell that is not before the others."""
    found = {name: int(cells[0]) for name, cells in chosen.items()}
    codes = {name: np.array([found.get(name, 0)]) for name in ordering.spans}
    ticks: dict[str, NDArray[np.int64]] = {}
    for name in ordering.columns:
        span = ordering.spans[name]
        low = ordering.floor(codes, ticks, name)
        values = np.sort(chosen[name][chosen[name] < len(span.first)]) if name in chosen else np.arange(0)
        ticks[name] = np.zeros(1, dtype=np.int64)
        if len(values) == 0:
            continue
        enough = values[span.last[values] >= low]
        if len(enough) == 0:
            return None
        found[name] = int(enough[0])
        codes[name], ticks[name] = enough[:1], np.maximum(span.first[enough[:1]], low)
    return found
