"""Constraints: what holds in every row, declared by the owner and public. Nothing is mined from the table.

    [[constraint]]                                        [[constraint]]
    when = { smoker = ["no"] }                            order = ["visit", "discharge"]
    then = { cigarettes_per_day = { missing = true } }

``when`` (all of it; absent: always) implies ``then`` (all of it). Each names columns and the cells that are meant:

    ["a", "b"]          these values                  { min = 5, max = 9 }     from 5 to 9, both included
    { missing = true }  missing                       { missing = false }      any value
    { values = ["a"], missing = true }                a value or missing

A set is made of whole cells, so that what holds for codes holds for values: a bound within a cell is refused. An
``order`` says that its columns do not decrease, where they are present; a date beside a moment is compared by the day.

>>> from understudy.schema.column import Listed
>>> Allowed(values=("b",), missing=True).cells(Listed("x", missing=("",), values=("a", "b"))).tolist()
[False, True, True]
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.column import Column, Identifier, Image, Listed, Moment, Number, Pending
from understudy.schema.exact import exact_cell, exact_tick
from understudy.schema.pair import Pair
from understudy.schema.words import Table, flag, known, sequence

Value = str | int | float | bool
ALLOWED = {"values", "min", "max", "missing"}
CONSTRAINT = {"when", "then", "order"}


@dataclass(frozen=True)
class Allowed:
    """A set of cells of one column, in the words of the schema."""

    values: tuple[Value, ...] | None = None
    min: Value | None = None
    max: Value | None = None
    missing: bool | None = None

    def cells(self, column: Column) -> NDArray[np.bool_]:
        """Which cells are in the set. A pending column has two: any value, and missing."""
        if isinstance(column, Identifier):
            raise SchemaRefused("it is an identifier, which is made anew", "constrain other columns")
        if isinstance(column, Image):
            raise SchemaRefused("it is a picture, which no rule speaks of", "constrain other columns")
        if isinstance(column, Pair) and (self.values is not None or self.min is not None or self.max is not None):
            raise SchemaRefused("it is a place or an edge, which is no single value", "constrain it by missing only")
        worded = self.values is not None or self.min is not None or self.max is not None
        if isinstance(column, Pending) and worded:
            raise SchemaRefused(
                "its values are still to be discovered", "constrain it by missing only, or declare its values"
            )
        if self.missing and not column.nullable:
            raise SchemaRefused("it is never missing", 'give the column missing = [""], or drop this')
        chosen = np.zeros(size_of(column), dtype=bool)
        chosen[self._values(column)] = True
        if self.missing:
            chosen[-1] = True
        return chosen

    def _values(self, column: Column) -> list[int]:
        """The cells of the values, missing left aside."""
        if self.values is not None:
            return [single(column, value) for value in self.values]
        if self.min is not None or self.max is not None:
            return span(column, self.min, self.max)
        return [] if self.missing else list(range(size_of(column) - column.nullable))

    def words(self) -> Any:
        """The set as the file writes it."""
        words = {"values": None if self.values is None else list(self.values), "min": self.min, "max": self.max}
        told = {word: value for word, value in (words | {"missing": self.missing}).items() if value is not None}
        return told["values"] if set(told) == {"values"} else told


@dataclass(frozen=True)
class Constraint:
    """An implication between sets of cells, or an order of columns."""

    when: tuple[tuple[str, Allowed], ...] = ()
    then: tuple[tuple[str, Allowed], ...] = ()
    order: tuple[str, ...] = ()

    def words(self) -> Table:
        """The section that `constraint_from` reads back."""
        if self.order:
            return {"order": list(self.order)}
        when = {"when": {name: allowed.words() for name, allowed in self.when}} if self.when else {}
        return when | {"then": {name: allowed.words() for name, allowed in self.then}}


def size_of(column: Column) -> int:
    """Cells of a column; of a pending one: any value, and missing."""
    return 1 + column.nullable if isinstance(column, Pending) else column.size


def single(column: Column, value: Value) -> int:
    """The cell of a listed value, which must have the cell to itself."""
    cell = exact_cell(column, value)
    if cell is None or (column.nullable and cell == column.missing_cell):
        raise SchemaRefused(f"{value!r} is not one of its values", "correct it; for missing write { missing = true }")
    if isinstance(column, Number | Moment) and len(set(column.grid.bounds(cell))) > 1:
        raise SchemaRefused(f"{value!r} shares its cell with other values", "give a range, { min = ..., max = ... }")
    return cell


def span(column: Column, low: Value | None, high: Value | None) -> list[int]:
    """The cells between two bounds, both included."""
    if isinstance(column, Listed) and column.ordered:
        first = 0 if low is None else single(column, low)
        last = len(column.values) - 1 if high is None else single(column, high)
    elif isinstance(column, Number | Moment):
        first = 0 if low is None else edge(column, low, 0)
        last = column.grid.size - 1 if high is None else edge(column, high, 1)
    else:
        raise SchemaRefused("it has no order, so no min and max", "list its values")
    return list(range(first, last + 1))


def edge(column: Number | Moment, bound: Value, end: int) -> int:
    """The cell that begins (end 0) or ends (end 1) with this bound."""
    cell, tick = exact_cell(column, bound), exact_tick(column, bound)
    if cell is None or tick is None:
        raise SchemaRefused(f"{bound!r} is not within its bounds, or not a value of its kind", "correct it")
    if column.grid.bounds(cell)[end] != tick:
        which = "first" if end == 0 else "last"
        raise SchemaRefused(f"{bound!r} is not the {which} value of a cell", "move it, or cut a cell there with edges")
    return cell


def constraint_from(words: Any) -> Constraint:
    """One constraint from its section."""
    if not isinstance(words, dict):
        raise SchemaRefused("it is not a section", "write when and then, or order, there")
    known(words, CONSTRAINT, "[[constraint]]")
    if "order" in words:
        names = sequence(words, "order")
        if set(words) != {"order"} or len(names) < 2 or not all(isinstance(name, str) for name in names):
            raise SchemaRefused("order is a list of two or more columns, and stands alone", "split the constraint")
        return Constraint(order=tuple(names))
    when, then = (sets(words.get(word, {}), word) for word in ("when", "then"))
    if not then:
        raise SchemaRefused("then is empty", "say what must hold")
    return Constraint(when, then)


def sets(words: Any, word: str) -> tuple[tuple[str, Allowed], ...]:
    """Columns and their sets of cells."""
    if not isinstance(words, dict):
        raise SchemaRefused(f"{word} is not a table", f"write {word} = {{ column = [...] }}")
    return tuple((name, allowed_from(name, of_column)) for name, of_column in words.items())


def allowed_from(name: str, words: Any) -> Allowed:
    """A set of cells from a list of values, or from a table."""
    if isinstance(words, list):
        words = {"values": words}
    if not isinstance(words, dict):
        raise SchemaRefused(f"column '{name}': its set is neither a list nor a table", "put its values in brackets")
    known(words, ALLOWED, f"column '{name}'")
    if not words or ("values" in words and {"min", "max"} & set(words)):
        raise SchemaRefused(f"column '{name}': give values, or min and max, or missing", "keep one of them")
    values = tuple(value_from(name, v) for v in sequence(words, "values")) if "values" in words else None
    low, high = (value_from(name, words[word]) if word in words else None for word in ("min", "max"))
    if values == ():
        raise SchemaRefused(f"column '{name}': its list of values is empty", "list what is allowed")
    return Allowed(values, low, high, flag(words, "missing") if "missing" in words else None)


def value_from(name: str, value: Any) -> Value:
    """A value of the file; dates become their texts."""
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str | int | float | bool):
        raise SchemaRefused(f"column '{name}': a value is a text, a number, a date, true or false", "correct it")
    return value
