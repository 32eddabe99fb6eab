"""Rules: the constraints of a schema over codes. Which rows break them, which cells a row may have, one row that obeys.

    clause     when(row) implies  row[column] in allowed          (a constraint has one for each column of its ``then``)
    ordering   the cells of a row can hold ticks in order         (`order`)

A row obeys if it breaks neither. All of it is public: the schema's, or what a reader of a release asked for.

>>> import numpy as np
>>> no, missing = np.array([True, False]), np.array([False, False, True])
>>> rules = Rules({"smoker": 2, "cigarettes": 3}, (Clause((("smoker", no),), "cigarettes", missing),), Ordering((), {}))
>>> rules.broken({"smoker": np.array([0, 0, 1]), "cigarettes": np.array([1, 2, 1])}).tolist()
[True, False, False]
>>> rules.example
{'smoker': 0, 'cigarettes': 2}
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused
from understudy.schema.column import Column, Moment, Number
from understudy.schema.constraint import Allowed, Constraint, size_of
from understudy.schema.order import Codes, Ordering, Span, ordering_of, span_of
from understudy.schema.satisfy import satisfying

Cells = NDArray[np.bool_]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Clause:
    """When all of ``when`` holds, the column is in an allowed cell."""

    when: tuple[tuple[str, Cells], ...]
    column: str
    allowed: Cells

    @property
    def columns(self) -> tuple[str, ...]:
        return (*(name for name, _ in self.when), self.column)

    def applies(self, codes: Codes, but: str = "") -> Mask:
        """Rows where it applies, whatever column ``but`` is."""
        rows = np.ones(len(codes[self.column]), dtype=bool)
        for name, cells in self.when:
            if name != but:
                rows &= cells[codes[name]]
        return rows

    def permitted(self, codes: Codes, name: str) -> Mask:
        """For each row, the cells of a column with which the clause holds."""
        held = self.allowed[None, :] if name == self.column else self.allowed[codes[self.column]][:, None]
        applies = self.applies(codes, but=name)[:, None]
        for column, cells in self.when:
            if column == name:
                applies = applies & cells[None, :]
        return ~applies | held


@dataclass(frozen=True, eq=False)
class Rules:
    """Clauses and an ordering, over columns of so many cells."""

    sizes: dict[str, int]
    clauses: tuple[Clause, ...]
    ordering: Ordering

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column that a rule speaks of."""
        of_clauses = (name for clause in self.clauses for name in clause.columns)
        return tuple(dict.fromkeys((*of_clauses, *(name for pair in self.ordering.pairs for name in pair))))

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The columns that rules are about: those of ``then``, and the later ones of an order."""
        later = (second for _, second in self.ordering.pairs)
        return tuple(dict.fromkeys((*(clause.column for clause in self.clauses), *later)))

    def beside(self, name: str) -> tuple[str, ...]:
        """The columns that stand in a rule with this one."""
        groups = [*(clause.columns for clause in self.clauses), self.ordering.columns]
        return tuple(dict.fromkeys(other for group in groups if name in group for other in group if other != name))

    def broken(self, codes: Codes) -> Mask:
        """Rows that break a rule."""
        return self.violations(codes) > 0

    def violations(self, codes: Codes) -> NDArray[np.int64]:
        """How many rules each row breaks; the ordering is one."""
        count = np.zeros(len(next(iter(codes.values()))), dtype=np.int64)
        for clause in self.clauses:
            count += clause.applies(codes) & ~clause.allowed[codes[clause.column]]
        return count + self.ordering.broken(codes) if self.ordering.pairs else count

    def permitted(self, codes: Codes, name: str) -> Mask:
        """For each row, the cells of a column with which no rule about it is broken, all other columns staying."""
        return self._within(codes, name, tuple(clause for clause in self.clauses if name in clause.columns))

    def demanded(self, codes: Codes, name: str) -> Mask:
        """The same, of the rules that have the column in their ``then`` or in an order."""
        return self._within(codes, name, tuple(clause for clause in self.clauses if name == clause.column))

    def _within(self, codes: Codes, name: str, clauses: tuple[Clause, ...]) -> Mask:
        rows = np.ones((len(codes[name]), self.sizes[name]), dtype=bool)
        for clause in clauses:
            rows &= clause.permitted(codes, name)
        if any(name in pair for pair in self.ordering.pairs):
            values = self.ordering.permitted(codes, name)
            rows[:, : values.shape[1]] &= values
        return rows

    def fixed(self, cells: Mapping[str, int], spans: Mapping[str, Span]) -> "Rules":
        """The rules, and that these columns are in these cells, at ticks that their spans narrow."""
        clauses = tuple(Clause((), name, np.arange(self.sizes[name]) == cell) for name, cell in cells.items())
        ordering = Ordering(self.ordering.pairs, self.ordering.spans | dict(spans))
        return replace(self, clauses=clauses + self.clauses, ordering=ordering)

    def span(self, column: Number | Moment) -> Span:
        """The span of a column, be it in an order or not."""
        return self.ordering.spans.get(column.name) or span_of(column, getattr(column, "decimals", 0))

    @cached_property
    def example(self) -> dict[str, int] | None:
        """Cells of the constrained columns with which a row obeys; None where no row does."""
        return satisfying({name: self.sizes[name] for name in self.columns}, self.clauses, self.ordering)


def rules_of(columns: tuple[Column, ...], constraints: tuple[Constraint, ...]) -> Rules:
    """The constraints over these columns; SchemaRefused, naming the constraint, where one does not fit them."""
    by_name = {column.name: column for column in columns}
    clauses: list[Clause] = []
    orders: list[tuple[Column, ...]] = []
    for place, constraint in enumerate(constraints, start=1):
        try:
            when = tuple((name, cells(by_name, name, allowed)) for name, allowed in constraint.when)
            clauses += [Clause(when, name, cells(by_name, name, allowed)) for name, allowed in constraint.then]
            if constraint.order:
                orders.append(tuple(named(by_name, name) for name in constraint.order))
                ordering_of(orders)
        except SchemaRefused as refusal:
            raise SchemaRefused(f"constraint {place}: {refusal.rule}", refusal.remedy) from None
    sizes = {column.name: size_of(column) for column in columns}
    return Rules(sizes, tuple(clauses), ordering_of(orders))


def refuse_unsatisfiable(rules: Rules) -> None:
    """Some row must obey: a release draws rows until all of them do."""
    if rules.example is None:
        raise SchemaRefused("no row can satisfy all constraints together", "drop or widen one of them")


def named(by_name: dict[str, Column], name: str) -> Column:
    """A column that the schema has."""
    if name not in by_name:
        raise SchemaRefused(f"there is no column '{name}' to constrain", "use the names of [columns]")
    return by_name[name]


def cells(by_name: dict[str, Column], name: str, allowed: Allowed) -> Cells:
    """The cells of a set; a refusal names the column."""
    column = named(by_name, name)
    try:
        return allowed.cells(column)
    except SchemaRefused as refusal:
        raise SchemaRefused(f"column '{name}': {refusal.rule}", refusal.remedy) from None
