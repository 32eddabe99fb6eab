"""The schema: everything public about a private table, in one frozen object.

>>> from understudy.schema.column import Boolean, Listed
>>> smoke = Schema("survey", Unit("person"), columns=(Boolean("smokes"), Listed("sex", values=("f", "m"))))
>>> smoke.domain
{'smokes': 2, 'sex': 2}
>>> smoke.cells(("smokes", "sex"))
4
"""

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from understudy.refusal import SchemaRefused
from understudy.schema.column import Boolean, Column, Identifier, Image, Listed, Moment, Pending
from understudy.schema.constraint import Constraint
from understudy.schema.pair import Edge, Pair, fields_of
from understudy.schema.relation import Relation
from understudy.schema.rules import Rules, refuse_unsatisfiable, rules_of


@dataclass(frozen=True)
class Unit:
    """Whom privacy protects: a noun, the column that names them, how many rows each may give, the keys that name nobody.

    Without a column every row is a unit of its own, and then rows must be 1.
    """

    noun: str
    column: str | None = None
    rows: int = 1
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.missing and self.column is None:
            raise SchemaRefused("unit_missing without a unit_column", "name the column whose keys may be missing")
        if self.rows < 1:
            raise SchemaRefused("rows_per_unit is below 1", "declare the most rows that one unit may have")
        if self.column is None and self.rows != 1:
            raise SchemaRefused("rows_per_unit other than 1 needs a unit_column", "name the column that holds the unit")


@dataclass(frozen=True)
class Csv:
    """How a CSV of this table is written."""

    delimiter: str = ","
    encoding: str = "utf-8"
    quote: str = '"'

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or len(self.quote) != 1 or self.delimiter in ("\n", "\r", self.quote):
            raise SchemaRefused("[csv] delimiter and quote are one character each, and differ", "correct the schema")
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError):
            raise SchemaRefused("[csv] encoding is not known", "use a name like utf-8 or cp1252") from None

    def holds(self, text: str) -> bool:
        """Whether a text is read back as it was written in this encoding."""
        try:
            return text.encode(self.encoding).decode(self.encoding) == text
        except ValueError:
            return False


@dataclass(frozen=True)
class Schema:
    """Columns in order, the privacy unit, the relation, n where the owner declares it public, what holds in every row."""

    name: str
    unit: Unit
    columns: tuple[Column, ...]
    relation: Relation = Relation.ADD_REMOVE
    n: int | None = None
    csv: Csv = field(default_factory=Csv)
    ignored: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    label: str | None = None  # the column of classes that the others are modelled by

    def __post_init__(self) -> None:
        domain = [column.name for column in self.columns]
        beside = [name for column in self.columns for name in column.sources if name != column.name]
        names = [*domain, *beside, *self.ignored]
        if len(set(names)) != len(names):
            raise SchemaRefused("a column is declared twice", "declare each column once")
        if self.unit.column is not None and self.unit.column not in names:
            raise SchemaRefused(f"unit_column '{self.unit.column}' is not declared", "declare it, as an identifier")
        halves = [name for column in self.columns if isinstance(column, Pair) for name in column.sources]
        if self.unit.column in halves:
            remedy = "the unit of an edge list is an edge; for others, name a column of its own"
            raise SchemaRefused(f"unit_column '{self.unit.column}' is one half of a place or an edge", remedy)
        if not any(not isinstance(column, Identifier) for column in self.columns):
            raise SchemaRefused("no column is left to model", "declare at least one that is not an identifier")
        if self.n is not None and self.n < 0:
            raise SchemaRefused("rows, the public number of rows, is negative", "declare it as it is, or leave it out")
        if self.label is not None and not classes(self.columns, self.label):
            raise SchemaRefused(f"label '{self.label}' is no column with a list of values", "name a categorical column")
        refuse_unwritable(self.columns, self.csv)
        refuse_unsatisfiable(self.rules)

    @cached_property
    def modelled(self) -> tuple[Column, ...]:
        """The columns that have cells: all but the identifiers."""
        return tuple(column for column in self.columns if not isinstance(column, Identifier))

    @cached_property
    def domain(self) -> dict[str, int]:
        """Cells of each modelled column."""
        return {column.name: column.size for column in self.modelled}

    @cached_property
    def rules(self) -> Rules:
        """The constraints over the codes of the columns."""
        return rules_of(self.columns, self.constraints)

    @cached_property
    def fields(self) -> tuple[Column, ...]:
        """The columns as the table has them: a place is two columns of numbers there."""
        return tuple(field for column in self.columns for field in fields_of(column))

    def field(self, name: str) -> Column:
        """The column of the table that has this name."""
        return next(field for field in self.fields if field.name == name)

    @property
    def images(self) -> tuple[Image, ...]:
        """The columns of pictures."""
        return tuple(column for column in self.columns if isinstance(column, Image))

    @property
    def pending(self) -> tuple[Pending, ...]:
        """Columns that discovery has still to settle."""
        return tuple(column for column in self.columns if isinstance(column, Pending))

    def cells(self, names: tuple[str, ...]) -> int:
        """Number of cells of a marginal."""
        return prod(self.domain[name] for name in names)

    def column(self, name: str) -> Column:
        """The column of that name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise SchemaRefused(f"the schema has no column '{name}'", "run `understudy schema show`")

    def settle(self, found: Column) -> "Schema":
        """The schema with a pending column replaced by what was discovered."""
        return replace(self, columns=tuple(found if c.name == found.name else c for c in self.columns))

    def _repr_html_(self) -> str:
        """The schema as a notebook shows it."""
        from understudy.page.notebook import Lines, card
        from understudy.schema.write import column_words

        rows = [
            (c.name, column_words(c)["kind"], "" if isinstance(c, Identifier | Pending) else c.size, "yes" * c.nullable)
            for c in self.columns
        ]
        facts = [
            ("neighbours", self.relation.words(self.unit.noun)),
            ("rows of one unit", f"at most {self.unit.rows:,}"),
        ]
        facts += [("number of rows", "private" if self.n is None else f"{self.n:,}, public")]
        lines = Lines(("column", "kind", "cells", "can be missing"), rows, right=("cells",))
        return card(f"Schema of {self.name}", "All that is public about the table.", facts, lines)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the schema's canonical form."""
        from understudy.schema.write import to_dict

        return hashlib.sha256(json.dumps(to_dict(self), sort_keys=True, default=str).encode()).hexdigest()


def classes(columns: tuple[Column, ...], label: str) -> bool:
    """Whether a column of that name is there, and has a list of values that are classes."""
    likes = [column.like if isinstance(column, Pending) else column for column in columns if column.name == label]
    return bool(likes) and isinstance(likes[0], Listed | Boolean)


def refuse_unwritable(columns: tuple[Column, ...], csv: Csv) -> None:
    """Every word that may be written must exist in the encoding."""
    for column in columns:
        if not all(csv.holds(word) for word in (column.name, *words_of(column))):
            raise SchemaRefused(
                f"column '{column.name}': not every word of it can be written in [csv] encoding '{csv.encoding}'",
                "declare another encoding, such as utf-8",
            )


def words_of(column: Column) -> list[str]:
    """The words of the schema that rows of a column are written with."""
    codes = list(column.missing or ())
    match column:
        case Pending():
            return words_of(column.like)
        case Listed():
            return [*codes, *map(str, column.values), *([] if column.other is None else [str(column.other)])]
        case Boolean():
            return [*codes, *column.true, *column.false]
        case Identifier():
            return [column.prefix]
        case Edge():
            return [*codes, *column.sources, *column.joins.nodes]
        case Pair():
            return [*codes, *column.sources]
        case Moment():
            return [*codes, column.format or ""]
    return codes
