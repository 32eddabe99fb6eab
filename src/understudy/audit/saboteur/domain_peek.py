"""The list of values is taken from the private table: whoever has a rare one is named by the domain.

`np.unique` of the column, a one-hot width, the least and the largest value: all are read past the gate. The values come from
the schema, or from a question that is charged.
"""

from collections.abc import Callable, Iterable

from understudy.audit.registry import saboteur
from understudy.audit.trial import Replays

Table = list[str]
SCHEMA = ("north", "south", "elsewhere")
ANSWERS = (5, 3, 1, 0)
TABLES = ["north", "south"], ["north", "south", "the lighthouse"]


def release(domain: Callable[[Table], Iterable[str]]) -> Callable[[Table], object]:
    """A noisy histogram, from the tape, by value."""
    return lambda table: dict(zip(sorted(domain(table)), ANSWERS, strict=False))


@saboteur(
    "domain-peek",
    defect="the values of a column are taken from the private rows",
    printed="document 004's code (np.unique of the labels); documents 000 and 002 (categories of the data)",
    caught_by=Replays,
    sound=lambda: Replays(release(lambda table: SCHEMA), TABLES),
)
def domain_peek() -> Replays:
    return Replays(release(set), TABLES)
