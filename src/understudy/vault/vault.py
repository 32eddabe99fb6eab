"""The vault: the sealed rows. It shows nothing to anyone but the gate.

Law.  No attribute, length, iteration, comparison, copy or text of a vault depends on its rows. The one way in is
``_look``, which the gate calls after it has charged; a test forbids any other caller in the package.

>>> from understudy.schema.column import Boolean
>>> from understudy.schema.schema import Schema, Unit
>>> import pyarrow as pa
>>> vault = Vault(pa.table({"smokes": ["true", "false"]}), Schema("t", Unit("person"), (Boolean("smokes"),)))
>>> vault
<vault of 't': sealed>
>>> len(vault)
Traceback (most recent call last):
TypeError: object of type 'Vault' has no len()
"""

from fractions import Fraction
from typing import Any, NoReturn, Protocol, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy
from understudy.noise.sampled_gaussian import heads
from understudy.question.counting import counts
from understudy.question.mechanism import SampledGaussian
from understudy.question.queries import Query
from understudy.question.question import Exact, Question
from understudy.question.rows import Rows
from understudy.refusal import Misuse
from understudy.schema.column import Image, Pending
from understudy.schema.coordinates import Vectors, coordinates
from understudy.schema.edge import Nodes
from understudy.schema.encode import Codes, codes, distinct_values, ends, raw
from understudy.schema.pair import Edge
from understudy.schema.parse import text_reader, tick_reader
from understudy.schema.schema import Schema
from understudy.source.source import read

KEPT = 2**24  # cells of all tables that the vault keeps counted, chosen by the schema's sizes and the order of asking


class Sealed(Rows, Protocol):
    """Rows in a form that statistics read, whatever it is."""

    def settle(self, schema: Schema) -> None: ...

    def sampled(self, rate: Fraction, entropy: Entropy) -> Any: ...


class Vault:
    """Rows under seal, with the schema by which they are read."""

    __slots__ = ("__rows", "schema")

    def __init__(self, table: pa.Table, schema: Schema):
        self.schema = schema
        self.__rows: Sealed = SealedRows(table, schema)

    @staticmethod
    def over(data: object, schema: Schema) -> "Vault":
        """Read a private source straight into a vault, bounded by the privacy unit."""
        return Vault(read(data, schema), schema)

    @staticmethod
    def sealing(rows: "Sealed", schema: Schema) -> "Vault":
        """A vault over rows of another form than a table, sealed by whoever made them."""
        vault = object.__new__(Vault)
        vault.schema, vault.__rows = schema, rows
        return vault

    def settle(self, schema: Schema) -> None:
        """Take the schema that discovery has settled; the rows are read anew by it."""
        self.schema = schema
        self.__rows.settle(schema)

    def _look(self, question: Question, entropy: Entropy | None = None) -> Exact:
        """The exact statistic, of a sample of the rows where the mechanism says so. For the gate only."""
        if isinstance(question.mechanism, SampledGaussian):
            assert entropy is not None, "a sample is drawn by the door's own coins"
            return question.statistic(self.__rows.sampled(question.mechanism.rate, entropy))
        return question.statistic(self.__rows)

    def __repr__(self) -> str:
        return f"<vault of '{self.schema.name}': sealed>"

    def __reduce__(self) -> NoReturn:
        raise Misuse("a vault is not copied or pickled", "open it again from its source")


class SealedRows:
    """What a statistic sees: codes of settled columns, raw values of pending ones. Lives inside a vault."""

    __slots__ = ("_codes", "_counted", "_matched", "_schema", "_table", "_vectors", "_whole")

    def __init__(self, table: pa.Table, schema: Schema):
        self._table = table
        self._schema = schema
        self._codes: dict[str, Codes] = {}
        self._counted: dict[tuple[str, ...], NDArray[np.int64]] = {}
        self._matched: dict[Query, int] = {}
        self._vectors: dict[str, Vectors] = {}
        self._whole: tuple[SealedRows, NDArray[np.intp]] | None = None  # of a sample: the rows it is of, and its places
        self.settle(schema)

    def settle(self, schema: Schema) -> None:
        """Encode the columns that have cells now and had none before."""
        self._schema = schema
        self._counted.clear()
        self._matched.clear()
        self._vectors.clear()
        for column in schema.modelled:
            if column.name not in self._codes and not isinstance(column, Pending):
                self._codes[column.name] = codes(raw(self._table, column), column)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __repr__(self) -> str:
        return "<sealed rows>"

    def sampled(self, rate: Fraction, entropy: Entropy) -> "SealedRows":
        """The rows whose coins fall on heads. Nothing is drawn for an empty table; a sample may be empty."""
        chosen = np.flatnonzero(heads(len(self), rate, entropy))
        sample = object.__new__(SealedRows)
        sample._schema, sample._table = self._schema, self._table.take(chosen)
        sample._codes = {name: column[chosen] for name, column in self._codes.items()}
        sample._counted, sample._matched = {}, {}
        sample._vectors, sample._whole = {}, (self, chosen)
        return sample

    def counts(self, columns: tuple[str, ...]) -> NDArray[np.int64]:
        """The exact marginal over some columns; the smaller ones are kept, for who plays many rounds asks again."""
        if (kept := self._counted.get(columns)) is not None:
            return kept
        found = counts([self._codes[name] for name in columns], tuple(self._schema.domain[name] for name in columns))
        if found.size <= KEPT // 16 and sum(table.size for table in self._counted.values()) + found.size <= KEPT:
            found.setflags(write=False)
            self._counted[columns] = found
        return found

    def numbers(self, columns: tuple[str, ...]) -> Vectors:
        """Every row as a vector of whole numbers."""
        parts = [self._coordinates(name) for name in columns]
        return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]

    def _coordinates(self, name: str) -> Vectors:
        """One column's; kept of all rows, for samples to be taken from them again and again. Pictures are quickly read."""
        column = self._schema.column(name)
        if isinstance(column, Image):
            return coordinates(raw(self._table, column), column)
        if self._whole is not None:
            rows, chosen = self._whole
            return rows._coordinates(name)[chosen]
        if name not in self._vectors:
            self._vectors[name] = coordinates(raw(self._table, column), column)
        return self._vectors[name]

    def codes(self, column: str) -> Codes:
        """The cell of every row in one column."""
        return self._codes[column]

    def ends(self, column: str) -> Nodes:
        """The two nodes of every edge."""
        edges = self._schema.column(column)
        assert isinstance(edges, Edge)
        return ends(raw(self._table, edges), edges)

    def matches(self, query: Query) -> int:
        """How many rows a listed query holds for. The list of kinds is closed: a query is shown the codes."""
        if type(query) not in get_args(Query):
            raise Misuse("this kind of query is not known", "take one of understudy.question.queries")
        if query not in self._matched:
            self._matched[query] = int(query.matches(self._codes).sum())
        return self._matched[query]

    def ticks(self, column: str) -> list[int]:
        """The ticks of a pending column, of the rows that have one."""
        pending = self._schema.column(column)
        assert isinstance(pending, Pending)
        tick = tick_reader(pending.like)
        distinct, index = distinct_values(self._table[column])
        of_distinct = [tick(value) for value in distinct] + [None]
        return [found for i in index if (found := of_distinct[i]) is not None]

    def texts(self, column: str) -> dict[str, int]:
        """The values of a pending list, as texts, each with its rows; missing and unreadable ones are in none."""
        pending = self._schema.column(column)
        assert isinstance(pending, Pending)
        read_text = text_reader(pending.like)
        distinct, index = distinct_values(self._table[column])
        rows = np.bincount(index, minlength=len(distinct) + 1)
        found: dict[str, int] = {}
        for value, count in zip(distinct, rows, strict=False):
            text = read_text(value)
            if text is not None:
                found[text] = found.get(text, 0) + int(count)
        return found
