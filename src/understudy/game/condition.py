"""Condition: the guess given some values, and the rules with these values fixed.

    P[row | row agrees with the values]        exactly, for every kind of guess (`Guess.given`)

A value stands for its cell in the guess, and for itself in the rows: where 42 was given, 42 is written, not another value
of the cell. What cannot be is refused before anything is drawn. Like all that is made of the tape, it costs nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.game.player import Guess
from understudy.refusal import Misuse
from understudy.schema.column import Column, Identifier, Image, Moment, Number
from understudy.schema.exact import exact_cell, exact_tick
from understudy.schema.order import Span
from understudy.schema.pair import Pair
from understudy.schema.rules import Rules
from understudy.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class Condition:
    """Where rows come from: a guess, and the rules that they are to obey."""

    guess: Guess
    rules: Rules


def condition(guess: Guess, schema: Schema, given: Mapping[str, object]) -> Condition:
    """The guess and the rules, given these values; Misuse where no row could have them."""
    cells: dict[str, int] = {}
    spans: dict[str, Span] = {}
    for name, value in given.items():
        column = schema.column(name)
        cell = cells[name] = cell_of(column, value)
        if isinstance(column, Number | Moment) and not (column.nullable and cell == column.missing_cell):
            tick = exact_tick(column, value)
            assert tick is not None
            spans[name] = schema.rules.span(column).at(cell, tick)
    if not cells:
        return Condition(guess, schema.rules)
    rules = schema.rules.fixed(cells, spans)
    if rules.example is None:
        raise Misuse("no row with the given values satisfies the schema's constraints", "give other values")
    return Condition(guess.given(cells), rules)


def cell_of(column: Column, value: object) -> int:
    """The cell of a given value."""
    if isinstance(column, Identifier):
        raise Misuse(f"column '{column.name}' is an identifier, which is made anew", "give values of other columns")
    if isinstance(column, Image):
        raise Misuse(
            f"column '{column.name}' is a picture, and its cell is its brightness", "give values of other columns"
        )
    if isinstance(column, Pair):
        raise Misuse(
            f"column '{column.name}' is a place or an edge, which is no single value", "give values of other columns"
        )
    cell = exact_cell(column, value)
    if cell is None:
        raise Misuse(
            f"{value!r} is not in the domain of column '{column.name}'",
            "give a value that the bundle's schema.toml has room for, to its resolution",
        )
    return cell
