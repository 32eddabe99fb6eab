"""Hypothesis draws any column, any schema and any value that a cell may hold."""

import string
from dataclasses import replace
from datetime import timedelta, timezone
from decimal import Decimal

from hypothesis import strategies as st

from understudy.refusal import SchemaRefused
from understudy.schema.column import FAITHFUL, Bad, Boolean, Column, Identifier, Image, Listed, Moment, Number, Pending
from understudy.schema.grid import Grid
from understudy.schema.kinds import refuse_discoverable_codes, refuse_readable_codes
from understudy.schema.outline import Outline
from understudy.schema.pair import Edge, Place
from understudy.schema.relation import Relation
from understudy.schema.schema import Csv, Schema, Unit, words_of

names = st.text(min_size=1, max_size=8)
words = st.text(string.ascii_letters + "0123456789 -äß漢", max_size=4)
missing_codes = st.none() | st.lists(st.sampled_from(["", "NA", "?", "none", "-9", "99999"]), unique=True).map(tuple)


def legal(make, refuse=refuse_readable_codes):
    """Only the columns that a schema would accept."""

    @st.composite
    def drawn(draw):
        for _ in range(20):
            try:
                column = draw(make())
                refuse(column)
                return column
            except SchemaRefused:
                continue
        return Boolean("fallback")

    return drawn()


@st.composite
def grids(draw, low, high):
    """Any grid between two ticks, by step, by bins or by edges."""
    first, last = sorted((draw(st.integers(low, high)), draw(st.integers(low, high))))
    way = draw(st.sampled_from(["step", "bins", "edges"]))
    if way == "step":
        return Grid.stepped(first, last, draw(st.integers((last - first) // 50 + 1, last - first + 2)))
    if way == "bins":
        return Grid.even(first, last, draw(st.none() | st.integers(1, 50)))
    return Grid.cut(first, last, tuple(draw(st.lists(st.integers(first, last), max_size=10))))


def rules(missing, *more):
    """The rules for bad cells that such a column may have."""
    return st.sampled_from([Bad.CLAMP, *([] if missing is None else [Bad.MISSING]), *more])


@st.composite
def listeds(draw):
    kind = draw(st.sampled_from([words, st.integers(-(2**63), 2**63 - 1)]))
    every = draw(st.lists(kind, min_size=1, max_size=8, unique=True))
    other = every.pop() if draw(st.booleans()) else None
    missing = draw(missing_codes)
    bad = draw(rules(missing, *([] if other is None else [Bad.OTHER])))
    return Listed("listed", missing, bad, tuple(every), other, draw(st.booleans()))


@st.composite
def booleans(draw):
    texts = draw(st.lists(words, min_size=2, max_size=6, unique=True))
    cut = draw(st.integers(1, len(texts) - 1))
    missing = draw(missing_codes)
    return Boolean("boolean", missing, draw(rules(missing)), tuple(texts[:cut]), tuple(texts[cut:]))


@st.composite
def integers(draw):
    missing = draw(missing_codes)
    span = draw(st.sampled_from([20, 1000, 2**62 - 1]))
    return Number("integer", missing, draw(rules(missing)), draw(grids(-span, span)))


@st.composite
def reals(draw):
    missing = draw(missing_codes)
    span = draw(st.sampled_from([20, 10**6, FAITHFUL]))
    return Number("real", missing, draw(rules(missing)), draw(grids(-span, span)), draw(st.integers(0, 15)), True)


@st.composite
def dates(draw):
    missing = draw(missing_codes)
    form = draw(st.sampled_from([None, "%d.%m.%Y"]))
    return Moment("date", missing, draw(rules(missing)), draw(grids(-300_000, 2_000_000)), "day", None, form)


@st.composite
def datetimes(draw):
    missing = draw(missing_codes)
    unit, ticks = draw(st.sampled_from([("second", 86400), ("minute", 1440), ("hour", 24), ("day", 1)]))
    zone = draw(st.sampled_from([None, "UTC", "Etc/GMT+5"]))
    grid = draw(grids(-300_000 * ticks, 2_000_000 * ticks))
    return Moment("datetime", missing, draw(rules(missing)), grid, unit, zone, None, True)


def images():
    """Any size of picture that is small."""
    size = st.integers(1, 4)
    return st.builds(
        Image, st.just("image"), st.none(), st.just(Bad.CLAMP), size, size, st.sampled_from([1, 3]), st.integers(1, 255)
    )


corners = st.tuples(st.integers(-12, 30), st.integers(-12, 30))


@st.composite
def outlines(draw):
    """Any polygon, be its edges crossed or not."""
    ring = draw(st.lists(corners, min_size=3, max_size=7, unique=True))
    return Outline((((*ring, ring[0]),),))


@st.composite
def places(draw):
    """Any box of at least one tick a cell, with an outline or without."""
    depth, missing, decimals = draw(st.integers(1, 3)), draw(missing_codes), draw(st.integers(0, 2))
    bad = draw(rules(missing))

    def side(name):
        low = draw(st.integers(-12, 10))
        high = low + draw(st.integers(2**depth - 1, 20))
        return Number(name, missing, bad, Grid.even(low, high, 2**depth), decimals, True)

    outline = draw(st.none() | outlines())
    return Place("place", missing, bad, side("lat"), side("lon"), depth, outline)


@st.composite
def edges(draw):
    """Any public nodes in any blocks."""
    missing = draw(missing_codes)
    every = draw(st.lists(words | st.sampled_from(["a0", "a1", "b0", "7"]), min_size=2, max_size=8, unique=True))
    cuts = sorted(draw(st.sets(st.integers(1, len(every) - 1), max_size=3)))
    parts = [every[a:b] for a, b in zip([0, *cuts], [*cuts, len(every)], strict=True)]
    return Edge(
        "edge", missing, draw(rules(missing)), ("from", "to"), tuple((str(i), tuple(p)) for i, p in enumerate(parts))
    )


any_column = st.one_of(*(legal(kind) for kind in (listeds, booleans, integers, reals, dates, datetimes)))


@st.composite
def pendings(draw):
    """A column that is still to be discovered."""
    column = draw(legal(draw(st.sampled_from([integers, reals, dates, datetimes])), refuse_discoverable_codes))
    like = replace(column, grid=Grid((0,), 0)) if not isinstance(column, Boolean) else Listed("listed", other="other")
    bins = 16 if isinstance(like, Listed) else draw(st.integers(1, 1000))
    return Pending(like.name, like.missing, like.bad, like, bins)


@st.composite
def any_schema(draw):
    """Any schema, with columns of all kinds under any names."""
    columns: list[Column] = draw(
        st.lists(any_column | pendings() | images() | legal(places) | legal(edges), min_size=1, max_size=4)
    )
    columns += draw(st.lists(st.builds(Identifier, names, prefix=words, width=st.integers(0, 9), text=st.booleans())))
    titles = draw(st.lists(names, min_size=len(columns) + 1, max_size=len(columns) + 3, unique=True))
    columns = [renamed(column, title) for column, title in zip(columns, titles, strict=False)]
    unit = Unit("person") if draw(st.booleans()) else Unit("patient", titles[0], draw(st.integers(1, 9)))
    every = [word for column in columns for word in (column.name, *words_of(column))]
    encodings = [name for name in ("utf-8", "cp1252") if all(map(Csv(encoding=name).holds, every))]
    return Schema(
        draw(words),
        unit,
        tuple(columns),
        draw(st.sampled_from(Relation)),
        draw(st.none() | st.integers(0, 10**9)),
        Csv(draw(st.sampled_from([",", ";", "\t", '"'])), draw(st.sampled_from(encodings)), "'"),
        tuple(titles[len(columns) :]),
    )


def renamed(column, title):
    """The column under another name; the two of a place have names that no other has."""
    if isinstance(column, Edge):
        return replace(column, name=title, ends=tuple(f"{end} of {title} 漢" for end in column.ends))
    if isinstance(column, Place):
        sides = [replace(side, name=f"{side.name} of {title} 漢") for side in column.sides]
        return replace(column, name=title, latitude=sides[0], longitude=sides[1])
    if isinstance(column, Pending):
        return replace(column, name=title, like=replace(column.like, name=title))
    return replace(column, name=title)


looks_readable = st.sampled_from(
    [
        "",
        "0",
        "-9",
        "1.5",
        ".5",
        "1e3",
        "9e999999",
        "-99e999999",
        "0e999999",
        "1e-999999",
        "9" * 5000,
        "inf",
        "nan",
        "٣",
    ]
    + ["2020-01-31", "2020-01-31T10:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00", "2020-02-30", "31.01.2020"]
    + ["true", "True", "1", "NA", "\x00", "=1+1", " 1", "1 ", "1_000"]
)
zones = st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours)))
any_value = st.one_of(
    st.none(),
    st.text(),
    looks_readable,
    st.booleans(),
    st.integers(),
    st.sampled_from([2**70, -(2**70), 10**5000, -(10**5000)]),
    st.floats(),
    st.decimals(),
    st.sampled_from([Decimal("sNaN"), Decimal("1e999999"), Decimal("-1e999999999"), Decimal("1e-999999")]),
    st.dates(),
    st.datetimes(timezones=st.none() | zones),
    st.times(),
    st.timedeltas(),
    st.binary(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.none()),
    st.builds(object),
)
