"""Columns: what the owner declares about each, all of it public.

| kind        | class      | cells of its domain                                  |
|-------------|------------|------------------------------------------------------|
| categorical | Listed     | the listed values, then "other" if the list is open  |
| ordinal     | Listed     | the same, in a meaningful order                      |
| boolean     | Boolean    | false, true                                          |
| integer     | Number     | the cells of its grid                                |
| real        | Number     | the cells of its grid, ticks of 10^-decimals         |
| date        | Moment     | the cells of its grid, ticks of one day              |
| datetime    | Moment     | the cells of its grid, ticks of its unit             |
| identifier  | Identifier | none: dropped on the way in, made anew on the way out|
| image       | Image      | its brightness in at most 16 steps; pixels beside it |
| place       | Place      | the leaves of its quadtree that its outline reaches  |
| edge        | Edge       | the pairs of blocks that two nodes can join          |

A place or an edge is a ``Pair``: one column of the schema, two of the table. A nullable column has one more cell, the last:
missing. A column whose bounds or values are still to be paid for is ``Pending``: it has no cells until discovery settles it.

``bad`` says where a cell goes that cannot be read or is not in the domain. There is a place for everything.

    clamp    a number beyond a bound goes to that bound; what cannot be read is missing, or else the first cell
    missing  the missing cell (the column must be nullable)
    other    the other cell (the list must be open)
"""

from dataclasses import dataclass
from enum import Enum

from understudy.refusal import SchemaRefused
from understudy.schema.grid import Grid


class Bad(Enum):
    """Where a bad cell goes."""

    CLAMP = "clamp"
    MISSING = "missing"
    OTHER = "other"


@dataclass(frozen=True)
class Column:
    """What all columns have: a name, codes for missing (None: not nullable), a rule for bad cells."""

    name: str
    missing: tuple[str, ...] | None = None
    bad: Bad = Bad.CLAMP

    @property
    def nullable(self) -> bool:
        return self.missing is not None

    @property
    def sources(self) -> tuple[str, ...]:
        """What its columns are called in the table."""
        return (self.name,)

    @property
    def values_size(self) -> int:
        """Cells without the missing one."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        return self.values_size + self.nullable

    @property
    def missing_cell(self) -> int:
        """The cell of missing values; asked only of nullable columns."""
        assert self.nullable
        return self.values_size

    @property
    def unreadable_cell(self) -> int:
        """Where the rule puts what cannot be read at all."""
        if self.bad is Bad.OTHER:
            return self.values_size - 1
        return self.missing_cell if self.nullable else 0


@dataclass(frozen=True)
class Listed(Column):
    """A categorical or ordinal column: listed values of one type, and ``other`` if the list is open."""

    values: tuple[str, ...] | tuple[int, ...] = ()
    other: str | int | None = None
    ordered: bool = False

    def __post_init__(self) -> None:
        every = [*self.values, *([] if self.other is None else [self.other])]
        kinds = {type(v) for v in every}
        if kinds - {str} and kinds - {int}:
            raise SchemaRefused(f"column '{self.name}': values must be all text or all integers", "write them alike")
        if len(set(every)) != len(every):
            raise SchemaRefused(f"column '{self.name}': a value is listed twice", "list each value once")
        if not every:
            raise SchemaRefused(
                f"column '{self.name}': no values are listed",
                'list them, as in values = ["a", "b"], or set discover = true',
            )
        if any(isinstance(v, int) and not -(2**63) <= v < 2**63 for v in every):
            raise SchemaRefused(f"column '{self.name}': an integer value does not fit in 64 bits", "put it in quotes")
        if set(self.missing or ()) & {str(v) for v in every}:
            raise SchemaRefused(f"column '{self.name}': a missing code is also a value", "keep it in one of the lists")
        if self.bad is Bad.OTHER and self.other is None:
            raise SchemaRefused(f"column '{self.name}': bad = 'other' needs an open list", 'add other = "..."')

    @property
    def values_size(self) -> int:
        return len(self.values) + (self.other is not None)


@dataclass(frozen=True)
class Boolean(Column):
    """True and false, and the texts that stand for them."""

    true: tuple[str, ...] = ("true", "True", "TRUE", "1")
    false: tuple[str, ...] = ("false", "False", "FALSE", "0")

    def __post_init__(self) -> None:
        texts = [*self.true, *self.false, *(self.missing or ())]
        if not self.true or not self.false:
            raise SchemaRefused(
                f"column '{self.name}': no text stands for true, or none for false",
                'give both, as in true = ["yes"] and false = ["no"]',
            )
        if len(set(texts)) != len(texts):
            raise SchemaRefused(f"column '{self.name}': the texts for true, false and missing overlap", "separate them")

    @property
    def values_size(self) -> int:
        return 2


FAITHFUL = 10**15  # ticks up to here survive being written as a 64-bit float


@dataclass(frozen=True)
class Number(Column):
    """An integer column (decimals = 0, ``real`` False) or a real one, on a grid of 10^-decimals."""

    grid: Grid = Grid((0,), 0)
    decimals: int = 0
    real: bool = False

    def __post_init__(self) -> None:
        # a 64-bit float carries 15 decimal digits; beyond them a tick could not be read back as itself
        if self.real and max(abs(self.grid.low), abs(self.grid.high)) > FAITHFUL:
            raise SchemaRefused(f"column '{self.name}': its bounds have more than 15 digits", "use fewer decimals")

    @property
    def values_size(self) -> int:
        return self.grid.size


UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


@dataclass(frozen=True)
class Moment(Column):
    """A date (ticks: days since 1970-01-01) or a datetime (ticks: its unit since then, on its clock)."""

    grid: Grid = Grid((0,), 0)
    unit: str = "day"
    timezone: str | None = None
    format: str | None = None
    clock: bool = False  # False: a date, True: a datetime

    @property
    def values_size(self) -> int:
        return self.grid.size


@dataclass(frozen=True)
class Identifier(Column):
    """A key: never modelled; made anew as prefix + running number."""

    prefix: str = ""
    width: int = 0
    text: bool = True

    @property
    def values_size(self) -> int:
        return 1


SHADES = 16


@dataclass(frozen=True)
class Image(Column):
    """A picture: height x width x channels levels from 0 to ``high``, row by row. Its cell is its brightness.

    It is never missing: what is no picture of this size is black.
    """

    height: int = 1
    width: int = 1
    channels: int = 1
    high: int = 255

    def __post_init__(self) -> None:
        if not (1 <= self.height <= 512 and 1 <= self.width <= 512 and self.channels in (1, 3)):
            raise SchemaRefused(
                f"column '{self.name}': a picture has 1 to 512 rows and columns, 1 or 3 channels", "correct it"
            )
        if not 1 <= self.high <= 255:
            raise SchemaRefused(f"column '{self.name}': the levels of a picture end at 1 to 255", "correct its max")

    @property
    def pixels(self) -> int:
        """How many levels one picture has."""
        return self.height * self.width * self.channels

    @property
    def values_size(self) -> int:
        return min(SHADES, self.pixels * self.high + 1)


@dataclass(frozen=True)
class Pending(Column):
    """A column to be discovered: bounds and bins of a number or moment, or the values of an open list.

    ``like`` is the column with everything that is declared already; discovery replaces its grid or its values.
    """

    like: Column = Identifier("")
    bins: int = 16

    @property
    def values_size(self) -> int:
        raise SchemaRefused(f"column '{self.name}' is not discovered yet", "run it through discovery first")


def refuse_bad_rule(column: Column) -> None:
    """The rule for bad cells must have a place to put them."""
    if column.bad is Bad.MISSING and not column.nullable:
        raise SchemaRefused(f"column '{column.name}': bad = 'missing' needs missing codes", 'add missing = [""]')
    if column.bad is Bad.OTHER and not (isinstance(column, Listed) and column.other is not None):
        raise SchemaRefused(f"column '{column.name}': bad = 'other' needs an open list", "choose another rule")
