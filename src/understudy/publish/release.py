"""A release: rows, and everything that speaks for them. It holds no private row and no gate.

>>> Release.sample.__doc__.splitlines()[0]
'More rows from the same model, at no cost to privacy.'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.game.condition import condition
from understudy.game.constrain import obey
from understudy.game.player import Codes, Detailed, Details, Guess, coin_of
from understudy.publish.report.report import Report
from understudy.publish.statement import statement
from understudy.refusal import Misuse
from understudy.schema.column import Column, Identifier, Image, Moment, Number
from understudy.schema.decode import decode, identifiers, named, spread, values_at
from understudy.schema.encode import coded
from understudy.schema.image import pictures
from understudy.schema.order import Ordering
from understudy.schema.pair import Edge, Place
from understudy.schema.place import written
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

NOTHING: Mapping[str, object] = {}
Finer = dict[str, tuple[NDArray[np.integer], NDArray[np.bool_]]]  # ticks or levels, and the rows whose cell they are in


@dataclass(frozen=True)
class Release:
    """Synthetic rows with the settled schema, the model they came from, the tape and the certificate."""

    table: pa.Table
    schema: Schema
    guess: Guess
    tape: Tape
    certificate: dict[str, Any]

    @cached_property
    def private(self) -> bool:
        """Whether a guarantee is claimed: not for runs of the seeded test twin."""
        return bool(self.tape.header["mode"] == "release")

    @cached_property
    def codes(self) -> Codes:
        """The rows as the cells that the schema reads them to."""
        return coded(self.table, self.schema)

    @cached_property
    def report(self) -> Report:
        """The releasable report: `.page()` is report.html, `.facts()` its twin for machines."""
        return Report(self.certificate, self.schema, self.tape, self.guess, self.codes, self.table)

    def sample(self, n: int, draw: int = 1, given: Mapping[str, object] | None = None) -> pa.Table:
        """More rows from the same model, at no cost to privacy.

        ``given`` fixes columns to values: the rows are drawn from the model's distribution given these, and have them as
        they are. Every row obeys the schema's constraints.

        ``draw`` names the batch: the same number gives the same rows, another number others. The released table is
        draw 0. The certificate speaks of the released rows only.
        """
        if n < 1 or draw < 0:
            raise Misuse("a sample has at least one row, and draw is 0 or more", "correct the numbers")
        return rows_of(self.guess, self.schema, self.tape, n, draw, given or {})[1]

    def to_frame(self, like: object) -> Any:
        """The table as the kind of frame that ``like`` is (pandas, polars, pyarrow, duckdb), in the declared types."""
        from understudy.publish.frames import frame_like

        return frame_like(like, self.table, self.schema)

    def save(self, path: str | Path, form: str = "parquet") -> Path:
        """Write the bundle: a folder that `understudy verify` checks without any private data."""
        from understudy.publish.bundle import write_bundle

        return write_bundle(self, Path(path), form)

    def _repr_html_(self) -> str:
        """The release as a notebook shows it: its claims, and what is kept of each pair."""
        from understudy.page.notebook import card

        facts = [("rows", f"{self.table.num_rows:,}"), ("guarantee and claim", statement(self.certificate))]
        title, note = f"Stand-in for {self.schema.name}", "save(...) writes the bundle; report.html in it says more."
        return card(title, note, facts, picture=self.report.map(), stamp="" if self.private else "NOT PRIVATE")

    def __repr__(self) -> str:
        stamp = "" if self.private else "NOT PRIVATE "
        return f"<{stamp}release of '{self.schema.name}': {self.table.num_rows:,} rows, {statement(self.certificate)}>"


def rows_of(
    guess: Guess, schema: Schema, tape: Tape, n: int, draw: int, given: Mapping[str, object] = NOTHING
) -> tuple[Codes, pa.Table]:
    """Rows as values, and as the codes that these values are read back to: what is certified is what is released.

    A function of the model, the tape's coin, the number of the draw and what is given. Every row obeys the constraints.
    """
    rng = coin_of(tape, f"rows {draw}")
    source = condition(guess, schema, given)
    made, details = drawn_from(source.guess, n, rng)
    drawn = obey(made, source.guess, source.rules, rng)
    finer = {name: (found, drawn[name] == made[name]) for name, found in details.items() if name not in given}
    table = table_of(drawn, finer, schema, source.rules.ordering, n, rng)
    return coded(table, schema), table


def drawn_from(guess: Guess, n: int, rng: np.random.Generator) -> tuple[Codes, Details]:
    """Rows as codes, and what the guess knows besides."""
    return guess.detailed(n, rng) if isinstance(guess, Detailed) else (guess.rows(n, rng), {})


def table_of(
    drawn: Codes, finer: Finer, schema: Schema, ordering: Ordering, n: int, rng: np.random.Generator
) -> pa.Table:
    """Codes as values of exactly the declared types, in the schema's order, identifiers made anew."""
    ticks = ordering.draw(drawn, rng)

    def values(column: Column) -> pa.Array:
        if isinstance(column, Identifier):
            return identifiers(n, column)
        if column.name in ticks:
            assert isinstance(column, Number | Moment)
            return values_at(ticks[column.name], column, drawn[column.name] >= column.values_size)
        if column.name in finer:
            return refined(drawn[column.name], *finer[column.name], column, rng)
        return decode(drawn[column.name], column, rng)

    fields = [spread(values(column), column) for column in schema.columns]
    return pa.table({name: array for field in fields for name, array in field.items()})


def refined(
    cells: NDArray[np.integer],
    finer: NDArray[np.integer],
    stands: NDArray[np.bool_],
    column: Column,
    rng: np.random.Generator,
) -> pa.Array:
    """The guess's own pictures, and its own ticks where their cells still stand; elsewhere any tick of the cell.

    Its own points must be inside the outline too.
    """
    if isinstance(column, Image):
        return pictures(finer.astype(np.uint8), column)
    absent = cells >= column.values_size
    if isinstance(column, Place):
        drawn = column.tree.draw(np.where(absent, 0, cells).astype(np.int64), rng)
        own = finer.astype(np.int64)
        stands = stands & column.tree.hold(own[:, 0], own[:, 1])
        north, east = (np.where(stands, own[:, i], drawn[i]) for i in range(2))
        return written((north, east), column, absent)
    if isinstance(column, Edge):
        ends = column.joins.draw(np.where(absent, 0, cells).astype(np.int64), rng)
        return named(np.where(stands[:, None], finer, ends), column, absent)
    assert isinstance(column, Number | Moment)
    ticks = column.grid.draw(np.where(absent, 0, cells).astype(np.int64), rng)
    return values_at(np.where(stands, finer, ticks).astype(np.int64), column, absent)
