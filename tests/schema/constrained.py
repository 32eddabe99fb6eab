"""Hypothesis draws schemas with constraints that they have room for."""

from hypothesis import assume
from hypothesis import strategies as st

from understudy.refusal import SchemaRefused
from understudy.schema.column import Boolean, Column, Listed, Moment, Number
from understudy.schema.constraint import Allowed, Constraint
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema, Unit

COLUMNS: tuple[Column, ...] = (
    Listed("word", missing=("",), values=("a", "b", "missing")),
    Listed("grade", missing=("",), values=(1, 2, 3, 4), ordered=True),
    Boolean("flag", missing=("",)),
    Number("few", missing=("",), grid=Grid.even(0, 5, None)),
    Number("many", missing=("",), grid=Grid.stepped(0, 29, 10)),
    Number("amount", missing=None, grid=Grid.stepped(0, 4999, 700), decimals=2, real=True),
    Moment("day", missing=("",), grid=Grid.stepped(0, 59, 7)),
    Moment("due", missing=("",), grid=Grid.stepped(20, 80, 20)),
    Moment("time", missing=("",), grid=Grid.stepped(0, 86400 * 40, 86400 * 3 + 7), unit="second", clock=True),
)
BY_NAME = {column.name: column for column in COLUMNS}
COMPARABLE = (("few", "many", "amount"), ("day", "due", "time"))


@st.composite
def sets(draw, column):
    """A set of cells, in any of its forms."""
    missing = draw(st.none() | st.booleans()) if column.nullable else None
    match column:
        case Number(grid=grid) | Moment(grid=grid) if grid.high > 10:
            low, high = sorted((draw(st.integers(0, grid.size - 1)), draw(st.integers(0, grid.size - 1))))
            form = draw(st.sampled_from(["range", "missing"]))
            bounds = spelled(column, grid.bounds(low)[0]), spelled(column, grid.bounds(high)[1])
            if form == "range" or missing is None:
                return Allowed(None, *bounds, missing)
            return Allowed(missing=missing)
        case Boolean():
            values = ["true", "false"]
        case Listed():
            values = list(column.values)
        case _:
            values = list(range(6))
    chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True))
    return Allowed(tuple(chosen), None, None, missing)


def spelled(column, tick):
    """A tick in the words of a file."""
    from understudy.schema.write import moment_of, untick

    return moment_of(tick, column).isoformat() if isinstance(column, Moment) else untick(tick, column)


@st.composite
def constraints(draw):
    """An implication or an order."""
    if draw(st.integers(0, 2)) == 0:
        names = draw(st.permutations(draw(st.sampled_from(COMPARABLE))))
        return Constraint(order=tuple(names[: draw(st.integers(2, 3))]))
    when = draw(st.lists(st.sampled_from(sorted(BY_NAME)), max_size=2, unique=True))
    then = draw(st.lists(st.sampled_from(sorted(BY_NAME)), min_size=1, max_size=2, unique=True))
    of = {name: draw(sets(BY_NAME[name])) for name in {*when, *then}}
    return Constraint(*(tuple((name, of[name]) for name in names) for names in (when, then)))


@st.composite
def constrained(draw):
    """A schema whose constraints some row satisfies."""
    declared = tuple(draw(st.lists(constraints(), min_size=1, max_size=5)))
    try:
        return Schema("t", Unit("person"), COLUMNS, constraints=declared)
    except SchemaRefused:
        assume(False)
