"""An edge charged as if it had one end: it adds to the degrees of two nodes, and moves them by 2, not by 1."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from understudy.audit.registry import saboteur
from understudy.audit.trial import Moves
from understudy.question.degrees import Degrees
from understudy.question.mechanism import Exact
from understudy.question.sensitivity import Sensitivity
from understudy.schema.relation import Relation

QUESTION = Degrees(Exact(), "tie", (2, 3))
EDGES = list(combinations(range(5), 2))


class Graph:
    """Rows of one column of edges, as `question/rows.py` hands them to a statistic."""

    def __init__(self, edges: list[tuple[int, int]]):
        self.edges = edges

    def ends(self, column: str) -> NDArray[np.int64]:
        return np.array(self.edges, dtype=np.int64).reshape(-1, 2)


def trial(declared: Sensitivity) -> Moves:
    """Every graph of two edges between five nodes in two blocks, and every third edge."""
    norms = {"l1": declared.l1, "l2": declared.l2sq**0.5, "linf": declared.linf}
    graphs = [[one, other] for one, other in combinations(EDGES, 2)]
    return Moves(norms, [(degrees(graph), degrees([*graph, edge])) for graph in graphs for edge in EDGES])


def degrees(edges: list[tuple[int, int]]) -> NDArray[np.int64]:
    """The exact statistic."""
    return QUESTION.statistic(Graph(edges))  # type: ignore[arg-type]


@saboteur(
    "one-end",
    defect="an edge charged as if it moved the degree of one node",
    printed="a common slip: a degree sequence taken for a histogram of rows",
    caught_by=Moves,
    sound=lambda: trial(QUESTION.sensitivity(1, Relation.ADD_REMOVE)),
)
def one_end() -> Moves:
    return trial(Sensitivity(l1=1, l2sq=1, linf=1))
