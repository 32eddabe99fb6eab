"""A workload file: JSON, either a list of marginals or an object with marginals and queries.

    [["age", "sex"], ["income"]]

    {"marginals": [["age", "sex"],                              left out: all pairs
                   {"columns": ["income"], "weight": 3}],       matters three times as much to those who choose
     "prefixes": ["age"],                                       cells 0..b of an ordered column, every b
     "ranges": ["dose"],                                        cells a..b, every a <= b
     "conjunctions": 3,                                         yes to three yes-or-no columns, every three of them
     "queries": [{"cells": {"age": [2, 5], "sex": [1, 1]}},     a conjunction of ranges
                 {"sum": {"age": 1, "dose": -2}, "at_least": 3}]}   a linear threshold over the numbers of the cells

Marginals are put in schema order, and what is listed twice counts once, with its last weight. The missing cell has no place
in an order: it is in no prefix and no range that is made here.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from understudy.question.queries import Box, HalfSpace, Query, conjunctions, prefixes, ranges, refuse_unfit
from understudy.refusal import Infeasible, Misuse
from understudy.schema.column import Boolean, Listed, Moment, Number, Pending
from understudy.schema.schema import Schema

Columns = tuple[str, ...]

KEYS = {"marginals", "prefixes", "ranges", "conjunctions", "queries"}
MANY_QUERIES = 100_000
MOST_WEIGHT = 100
FORM = 'write [["age", "sex"], ...] or {"marginals": [...], "prefixes": [...], "ranges": [...], "queries": [...]}'


def listed(path: Path, schema: Schema) -> tuple[dict[Columns, int], tuple[Query, ...]]:
    """The marginals of a file with their weights, and its queries."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise Misuse(f"the workload '{path}' is neither 1way..5way nor a JSON file", FORM) from None
    if isinstance(found, list):
        found = {"marginals": found}
    if not isinstance(found, dict) or not found or set(found) - KEYS:
        raise Misuse("a workload file is a list of marginals, or an object with marginals and queries", FORM)
    queries = tuple(dict.fromkeys(islice(queries_of(found, schema), MANY_QUERIES + 1)))
    for query in queries:
        refuse_unfit(query, schema)
    if len(queries) > MANY_QUERIES:
        raise Infeasible(f"the workload has more than {MANY_QUERIES:,} queries", "list the ones that matter")
    return marginals_of(found["marginals"], schema) if "marginals" in found else {}, queries


def marginals_of(found: Any, schema: Schema) -> dict[Columns, int]:
    """The marginals of a file, each in schema order, with their weights."""
    if not isinstance(found, list) or not found:
        raise Misuse("marginals are a list of lists of column names", 'write [["age", "sex"], ...]')
    names = tuple(column.name for column in schema.modelled)
    weighted = {}
    for columns, weight in map(weighted_marginal, found):
        for name in columns:
            if name not in names:
                raise Misuse(f"the workload names '{name}', which is not a modelled column", "correct the file")
        weighted[tuple(name for name in names if name in columns)] = weight
    return weighted


def weighted_marginal(words: Any) -> tuple[list[str], int]:
    """One marginal of a file, and how much it matters."""
    match words:
        case [*columns]:
            weight = 1
        case {"columns": [*columns], "weight": weight} if len(words) == 2:
            pass
        case _:
            columns, weight = [], 1
    sound = columns and all(isinstance(name, str) for name in columns)
    if not sound or type(weight) is not int or not 1 <= weight <= MOST_WEIGHT:
        raise Misuse(
            "a marginal is a list of column names, or such a list with a weight",
            f'write ["age", "sex"] or {{"columns": ["age", "sex"], "weight": 3}}; weights are 1 to {MOST_WEIGHT}',
        )
    return columns, weight


def queries_of(found: dict[str, Any], schema: Schema) -> Iterator[Query]:
    """Everything that a file asks besides marginals, one after another: there may be more than we care to hold."""
    for name in strings(found.get("prefixes", [])):
        yield from prefixes(name, ordered_cells(name, schema))
    for name in strings(found.get("ranges", [])):
        yield from ranges(name, ordered_cells(name, schema))
    if "conjunctions" in found:
        yield from conjunctions_of(found["conjunctions"], schema)
    one_by_one = found.get("queries", [])
    if not isinstance(one_by_one, list):
        raise Misuse("queries are a list", FORM)
    yield from map(query_of, one_by_one)


def conjunctions_of(ways: Any, schema: Schema) -> Iterator[Query]:
    """All monotone conjunctions of so many of the schema's yes-or-no columns."""
    names = [column.name for column in schema.modelled if isinstance(column, Boolean)]
    if type(ways) is not int or not 1 <= ways <= len(names):
        raise Misuse(
            f"conjunctions are of 1 to all of the {len(names)} boolean columns", 'write {"conjunctions": 2}, or fewer'
        )
    return conjunctions(names, ways)


def query_of(words: Any) -> Query:
    """One query of a file."""
    match words:
        case {"cells": dict(sides)} if len(words) == 1 and all(is_range(side) for side in sides.values()):
            return Box(tuple((name, low, high) for name, (low, high) in sides.items()))
        case {"sum": dict(weights), "at_least": at_least} if len(words) == 2 and all(
            type(number) is int for number in [*weights.values(), at_least]
        ):
            return HalfSpace(tuple(weights.items()), at_least)
    raise Misuse(
        "a query is a box of cells or a threshold on a sum of cells",
        'write {"cells": {"age": [2, 5]}} or {"sum": {"age": 1, "dose": -2}, "at_least": 3}',
    )


def is_range(side: Any) -> bool:
    """Whether a JSON value is a list of two integers."""
    return isinstance(side, list) and len(side) == 2 and all(type(end) is int for end in side)


def strings(found: Any) -> list[str]:
    """A list of column names."""
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise Misuse("prefixes and ranges are lists of column names", FORM)
    return found


def ordered_cells(name: str, schema: Schema) -> int:
    """The cells of an ordered column, without the missing one."""
    column = {column.name: column for column in schema.modelled}.get(name)
    if column is None:
        raise Misuse(f"the workload names '{name}', which is not a modelled column", "correct the file")
    if isinstance(column, Pending):
        raise Misuse(f"the cells of '{name}' are not known yet", "declare its bounds, or ask for marginals only")
    if not isinstance(column, Number | Moment) and not (isinstance(column, Listed) and column.ordered):
        raise Misuse(f"column '{name}' has no order", "ask prefixes and ranges of ordered columns only")
    return column.values_size
