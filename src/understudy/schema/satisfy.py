"""One row that obeys: a backtracking search over the constrained columns.

Cells that no clause tells apart are one class, so a column has as many classes as clauses see in it, not as many as cells.
A clause is checked as soon as its columns have classes. At the leaf the order is solved: each column, from the first to
the last, takes its least tick that is not before the others; if that does not do, nothing does.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.order import Ordering

if TYPE_CHECKING:
    from understudy.schema.rules import Clause

PATIENCE = 100_000  # steps after which the search is given up
Class = NDArray[np.intp]


def satisfying(sizes: dict[str, int], clauses: tuple["Clause", ...], ordering: Ordering) -> dict[str, int] | None:
    """A cell for each column, or None where no row obeys."""
    columns = tuple(sizes)
    classes = [classes_of(name, sizes[name], clauses, ordering) for name in columns]
    due: list[list[Clause]] = [[] for _ in columns]
    for clause in clauses:
        due[max(columns.index(name) for name in clause.columns)].append(clause)
    chosen: dict[str, Class] = {}
    path = [iter(classes[0])] if columns else []
    for _ in range(PATIENCE):
        if not path:
            return None if columns else {}
        depth = len(path) - 1
        cells = next(path[-1], None)
        if cells is None:
            path.pop()
            continue
        chosen[columns[depth]] = cells
        if not all(holds(clause, chosen) for clause in due[depth]):
            continue
        if depth + 1 < len(columns):
            path.append(iter(classes[depth + 1]))
        elif (found := ordered(chosen, ordering)) is not None:
            return found
    raise SchemaRefused("the constraints are too entangled to find a row that obeys", "simplify them")


def classes_of(name: str, size: int, clauses: tuple["Clause", ...], ordering: Ordering) -> list[Class]:
    """The classes of a column's cells."""
    sets = [
        cells
        for clause in clauses
        for column, cells in (*clause.when, (clause.column, clause.allowed))
        if column == name
    ]
    if any(name in pair for pair in ordering.pairs):
        sets.append(np.arange(size) < len(ordering.spans[name].first))  # missing is in no order
    groups: dict[bytes, list[int]] = {}
    signs = np.array(sets, dtype=bool).reshape(len(sets), size).T
    for cell in range(size):
        groups.setdefault(signs[cell].tobytes(), []).append(cell)
    return [np.array(cells) for cells in groups.values()]


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
