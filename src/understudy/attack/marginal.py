"""The marginal attack: an enemy who knows our algorithm and reads the tape.

Math.  A recipe that measured the marginals c_1..c_w makes rows that follow them. Someone who was in the table has raised
exactly his cell of each. So the score of a person x, against a reference table of the same population, is

    score(x) = mean over i of  ln( (s_i(x) + 1) / (m + 1) ) - ln( (r_i(x) + 1) / (k + 1) )

with s_i(x) the synthetic rows, and r_i(x) the reference rows, in x's cell of marginal i (after Golob and others 2024, who know
which marginals were measured; here the tape says so). Nothing private is read: the tape and the rows are released.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.question.counting import counts
from understudy.vault.tape import Tape

Codes = Mapping[str, NDArray[np.integer]]
Columns = tuple[str, ...]


def measured(tape: Tape) -> list[Columns]:
    """The marginals that a release looked at, each once."""
    cliques = [tuple(clique) for entry in tape.of("marginals") for clique in entry.question["cliques"]]
    return list(dict.fromkeys(cliques))


def scores(
    people: Codes, synthetic: Codes, reference: Codes, domain: Mapping[str, int], cliques: Sequence[Columns]
) -> NDArray[np.float64]:
    """How much likelier each person's cells are in the synthetic rows than in the reference."""
    found = np.zeros(size(people))
    for clique in cliques:
        sizes = tuple(domain[name] for name in clique)
        place = tuple(people[name] for name in clique)
        raised = log_share(synthetic, clique, sizes) - log_share(reference, clique, sizes)
        found += raised[place]
    return found / max(len(cliques), 1)


def log_share(rows: Codes, clique: Columns, sizes: tuple[int, ...]) -> NDArray[np.float64]:
    """ln of each cell's share, one row added so that none is empty."""
    return np.asarray(np.log(counts([rows[name] for name in clique], sizes) + 1.0) - np.log(size(rows) + 1.0))


def size(rows: Codes) -> int:
    """How many rows there are."""
    return len(next(iter(rows.values())))
