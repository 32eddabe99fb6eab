"""Constraints are read word by word, mean whole cells, and are refused where they fit no schema or no row."""

import json
import tomllib
from dataclasses import replace
from importlib.resources import files as package_files
from itertools import product

import numpy as np
import pytest
from constrained import COLUMNS, constrained
from hypothesis import given
from jsonschema import Draft202012Validator

from understudy.refusal import SchemaRefused
from understudy.schema.column import Boolean, Moment
from understudy.schema.constraint import Constraint
from understudy.schema.order import Ordering, ordering_of
from understudy.schema.read import from_dict
from understudy.schema.rules import Clause, Rules
from understudy.schema.satisfy import satisfying
from understudy.schema.schema import Schema, Unit
from understudy.schema.write import to_dict, to_toml

TABLE = """
[table]
unit = "person"
[columns.id]
kind = "identifier"
[columns.smoker]
kind = "boolean"
true = ["yes"]
false = ["no"]
missing = [""]
[columns.grade]
kind = "ordinal"
values = ["low", "mid", "high"]
[columns.ward]
kind = "categorical"
values = ["north", "missing"]
missing = [""]
[columns.age]
kind = "integer"
min = 0
max = 99
step = 10
[columns.born]
kind = "date"
min = "2000-01-01"
max = "2000-01-10"
missing = [""]
[columns.seen]
kind = "datetime"
min = "2000-01-01T00:00"
max = "2000-12-31T23:59"
[columns.income]
kind = "integer"
discover = true
missing = [""]
"""


def read(words):
    return from_dict(tomllib.loads(TABLE + words))


def cells(words, name):
    """The allowed cells of the first clause about a column."""
    return np.flatnonzero(next(c.allowed for c in read(words).rules.clauses if c.column == name)).tolist()


MEANT = {
    "values": ('then = { smoker = ["no"] }', "smoker", [0]),
    "a truth value": ("then = { smoker = [false] }", "smoker", [0]),
    "missing": ("then = { smoker = { missing = true } }", "smoker", [2]),
    "any value": ("then = { smoker = { missing = false } }", "smoker", [0, 1]),
    "a value or missing": ('then = { smoker = { values = ["yes"], missing = true } }', "smoker", [1, 2]),
    "a value that is called missing": ('then = { ward = ["missing"] }', "ward", [1]),
    "a range": ("then = { age = { min = 20, max = 49 } }", "age", [2, 3, 4]),
    "half a range": ("then = { age = { min = 80 } }", "age", [8, 9]),
    "a range of a list in order": ('then = { grade = { min = "mid" } }', "grade", [1, 2]),
    "dates without quotes": ("then = { born = { max = 2000-01-02, missing = true } }", "born", [0, 1, 10]),
    "missing, before discovery": ("then = { income = { missing = true } }", "income", [1]),
}


@pytest.mark.parametrize(("words", "name", "expected"), MEANT.values(), ids=MEANT)
def test_a_set_means_its_cells(words, name, expected):
    assert cells(f"[[constraint]]\n{words}", name) == expected


REFUSED = {
    "an unknown column": ('then = { smokes = ["no"] }', "no column 'smokes'", "names"),
    "an identifier": ("then = { id = { missing = true } }", "identifier", "other columns"),
    "a value outside": ('then = { smoker = ["maybe"] }', "'maybe' is not one", "correct"),
    "a missing code as a value": ('then = { smoker = [""] }', "'' is not one", "missing = true"),
    "a value in company": ("then = { age = [42] }", "shares its cell", "range"),
    "a bound inside a cell": ("then = { age = { min = 18 } }", "not the first value", "edges"),
    "an end inside a cell": ("then = { age = { max = 40 } }", "not the last value", "edges"),
    "a bound outside": ("then = { age = { max = 129 } }", "not within", "correct"),
    "a range without order": ('then = { ward = { min = "north" } }', "has no order", "list"),
    "never missing": ("then = { age = { missing = true } }", "never missing", "give the column"),
    "a value before discovery": ("then = { income = { min = 0 } }", "to be discovered", "missing only"),
    "an order before discovery": ('order = ["age", "income"]', "no bounds", "order numbers"),
    "nothing to hold": ("then = {}", "then is empty", "say what"),
    "no then": ('when = { smoker = ["no"] }', "then is empty", "say what"),
    "an empty list": ("then = { smoker = [] }", "is empty", "list what"),
    "an empty set": ("then = { smoker = {} }", "give values", "keep one"),
    "values and bounds": ("then = { age = { values = [1], min = 0 } }", "give values", "keep one"),
    "a misspelt word": ("then = { age = { minimum = 0 } }", "no word 'minimum'", "it knows"),
    "a misspelt section word": ("so = { age = { min = 0 } }", "no word 'so'", "it knows"),
    "a bare word": ('then = { smoker = "missing" }', "neither a list nor a table", "brackets"),
    "a nested value": ("then = { smoker = [[1]] }", "a text, a number", "correct"),
    "when is no table": ('when = "always"\nthen = { smoker = ["no"] }', "when is not a table", "write when"),
    "an order of one": ('order = ["age"]', "two or more", "split"),
    "an order with a then": ('order = ["born", "seen"]\nthen = { smoker = ["no"] }', "stands alone", "split"),
    "an order of unlike columns": ('order = ["age", "born"]', "not comparable", "one kind"),
    "an order of texts": ('order = ["ward", "smoker"]', "no bounds", "order numbers"),
    "an order with itself": ('order = ["age", "age"]', "in a circle", "drop"),
    "no row": ('then = { smoker = ["no"] }\n[[constraint]]\nthen = { smoker = ["yes"] }', "no row can", "widen"),
}
SEEN = {"nothing to hold", "no then", "an empty list", "an empty set", "values and bounds", "a misspelt word"} | {
    *("a misspelt section word", "a bare word", "a nested value", "when is no table", "an order of one"),
    "an order with a then",
}
VALIDATOR = Draft202012Validator(json.loads((package_files("understudy.schema") / "schema.json").read_text()))


@pytest.mark.parametrize(("words", "rule", "remedy"), REFUSED.values(), ids=REFUSED)
def test_what_fits_no_schema_is_refused_by_its_place(words, rule, remedy):
    with pytest.raises(SchemaRefused) as refused:
        read(f"[[constraint]]\nthen = {{ ward = {{ missing = false }} }}\n[[constraint]]\n{words}")
    assert rule in refused.value.rule and remedy in refused.value.remedy
    assert refused.value.rule.startswith("constraint 2: ") or rule == "no row can"


@pytest.mark.parametrize("name", REFUSED)
def test_json_schema_refuses_what_it_can_see(name):
    parsed = tomllib.loads(f"{TABLE}[[constraint]]\n{REFUSED[name][0]}")
    assert VALIDATOR.is_valid(json.loads(json.dumps(parsed, default=str))) is (name not in SEEN)


def test_one_section_in_single_brackets_is_refused():
    with pytest.raises(SchemaRefused, match="double brackets"):
        read('[constraint]\nthen = { smoker = ["no"] }')


@given(constrained())
def test_what_is_written_is_read_back(schema):
    again = from_dict(tomllib.loads(to_toml(schema)))
    assert again == schema and again.digest == schema.digest
    assert again.digest != replace(schema, constraints=()).digest
    assert VALIDATOR.is_valid(to_dict(schema))


def test_without_constraints_the_digest_is_what_it_was():
    assert "constraint" not in to_dict(Schema("t", Unit("person"), (Boolean("b"),)))


def test_discovery_keeps_the_constraints():
    schema = read("[[constraint]]\nwhen = { income = { missing = false } }\nthen = { smoker = { missing = false } }")
    settled = schema.settle(replace(schema.pending[0].like, grid=schema.column("age").grid))
    (clause,) = settled.rules.clauses
    assert clause.when[0][1].tolist() == [True] * 10 + [False]


small = {"a": 2, "b": 3, "c": 2}


@pytest.mark.parametrize("seed", range(200))
def test_the_search_finds_a_row_if_and_only_if_there_is_one(seed):
    rng = np.random.default_rng(seed)
    clauses = []
    for _ in range(rng.integers(1, 9)):
        then, *when = rng.permutation(list(small))[: rng.integers(1, 4)].tolist()
        pick = {name: rng.random(small[name]) < 0.5 for name in (then, *when)}
        clauses.append(Clause(tuple((name, pick[name]) for name in when), then, pick[then]))
    rules = Rules(small, tuple(clauses), Ordering((), {}))
    every = np.array(list(product(*map(range, small.values())))).T
    possible = ~rules.broken(dict(zip(small, every, strict=True)))
    found = satisfying(small, rules.clauses, rules.ordering)
    assert (found is not None) == possible.any()
    if found is not None:
        assert not rules.broken({name: np.array([cell]) for name, cell in found.items()}).any()


def test_broken_rows_are_those_where_the_words_fail():
    """Against the sentence itself, over every combination of cells."""
    schema = read(
        '[[constraint]]\nwhen = { smoker = ["no"], grade = { min = "mid" } }\nthen = { ward = { missing = true } }'
    )
    sizes = {name: schema.column(name).size for name in ("smoker", "grade", "ward")}
    every = dict(zip(sizes, np.array(list(product(*map(range, sizes.values())))).T, strict=True))
    wrong = [s == 0 and g >= 1 and w != 2 for s, g, w in zip(*every.values(), strict=True)]
    assert schema.rules.broken(every).tolist() == wrong


TRIO = tuple(column for column in COLUMNS if isinstance(column, Moment))


@pytest.mark.parametrize("seed", range(30))
def test_an_order_is_broken_by_cells_that_hold_no_ticks_in_order(seed):
    """Cells against every tick in them: days and a clock in steps of six hours, three columns in a row."""
    from understudy.schema.grid import Grid

    rng = np.random.default_rng(seed)
    columns = tuple(
        Moment(
            name, ("",), grid=Grid.cut(0, 6 * unit, tuple(rng.integers(1, 6 * unit, 2).tolist())), unit=words, clock=c
        )
        for name, words, unit, c in (("x", "day", 1, False), ("y", "hour", 4, True), ("z", "day", 1, False))
    )
    columns = tuple(columns[i] for i in rng.permutation(3))
    ordering = ordering_of([columns[:2], columns[1:]])
    sizes = [column.size for column in columns]
    every = np.array(list(product(*map(range, sizes)))).T
    codes = {column.name: cells for column, cells in zip(columns, every, strict=True)}

    def held(row):
        """Whether some ticks of the cells are in order, pair by pair."""
        ticks = [
            [None]
            if cell == column.missing_cell
            else range(column.grid.bounds(cell)[0], column.grid.bounds(cell)[1] + 1)
            for column, cell in zip(columns, row, strict=True)
        ]
        return any(in_order(a, b, 0) and in_order(b, c, 1) for a, b, c in product(*ticks))

    def in_order(one, other, place):
        if one is None or other is None:
            return True
        seconds = [t * (3600 if c.clock else 86400) for t, c in zip((one, other), columns[place:], strict=False)]
        if columns[place].clock != columns[place + 1].clock:
            seconds = [s // 86400 for s in seconds]
        return seconds[0] <= seconds[1]

    expected = [not held(row) for row in every.T]
    assert ordering.broken(codes).tolist() == expected
    sound = {name: cells[~np.array(expected)] for name, cells in codes.items()}
    drawn = ordering.draw(sound, rng)
    for place in range(2):
        first, second = columns[place], columns[place + 1]
        for i in range(len(sound["x"])):
            present = [sound[c.name][i] != c.missing_cell for c in (first, second)]
            assert not all(present) or in_order(drawn[first.name][i], drawn[second.name][i], place)
    for column in columns:
        cells = sound[column.name]
        assert all(
            column.grid.cell(int(t)) == cell
            for t, cell in zip(drawn[column.name], cells, strict=True)
            if cell < column.grid.size
        )


def test_orders_in_a_circle_are_refused():
    day, due, time = TRIO
    with pytest.raises(SchemaRefused, match="constraint 2: the orders run in a circle"):
        Schema("t", Unit("p"), TRIO, constraints=(Constraint(order=("day", "due")), Constraint(order=("due", "day"))))
