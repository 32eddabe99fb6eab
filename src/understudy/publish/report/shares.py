"""The columns of a release: the share of rows in each cell, and beside it what was measured, with its noise.

    share      of the synthetic rows
    measured   (sum over the other axes of the least noisy marginal on the tape that has the column) / nhat
    within     1.96 standard deviations of its noise, over nhat: the noise is inside for about 95 of 100 cells

Neighbouring cells of an ordered column are shown together where there are more than ``BARS``; of an unordered one the
most frequent are shown, the others together. A place has a map too: the share of rows in each square.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.measurement import Measurement, measurements, size
from understudy.game.player import Codes
from understudy.schema.column import Boolean, Column, Image, Listed, Moment, Number
from understudy.schema.pair import Edge, Place
from understudy.schema.quadtree import apart
from understudy.schema.schema import Schema
from understudy.schema.write import column_words, moment_of, untick
from understudy.vault.tape import Tape

BARS, LISTED = 40, 14
MAPPED = 6  # levels of a map: at most 64 squares a side
Z95 = 1.96

Array = NDArray[np.float64]


def shares(tape: Tape, schema: Schema, codes: Codes) -> list[dict[str, Any]]:
    """Every modelled column with its bars."""
    found = least_noisy(measurements(tape, schema))
    n = size(tape, schema)
    return [column_shares(column, codes[column.name], found.get(column.name), n) for column in schema.modelled]


def least_noisy(measured: list[Measurement]) -> dict[str, tuple[Array, float]]:
    """For each column the counts of the marginal that tells most about it, and their variance."""
    best: dict[str, tuple[Array, float]] = {}
    for m in measured:
        for axis, name in enumerate(m.columns):
            others = tuple(i for i in range(len(m.columns)) if i != axis)
            # a sum over k cells has k times the variance
            variance = m.variance * m.counts.size / m.counts.shape[axis]
            if name not in best or variance < best[name][1]:
                best[name] = m.counts.sum(axis=others), variance
    return best


def column_shares(column: Column, codes: Any, measured: tuple[Array, float] | None, n: int) -> dict[str, Any]:
    """One column."""
    counts = np.bincount(codes, minlength=column.size)
    bars = [bar(cells, label, counts, len(codes), measured, n) for cells, label in groups(column, counts)]
    said = {
        "column": column.name,
        "kind": column_words(column)["kind"],
        "cells": column.size,
        "ordered": ordered(column),
        "missing": column.nullable,
        "bars": bars,
    }
    return said | {"map": mapped(column, counts, len(codes))} if isinstance(column, Place) else said


def mapped(column: Place, counts: Any, rows: int) -> dict[str, Any]:
    """The share of rows in each square of a map: its row from the south, its column from the west."""
    level = min(column.depth, MAPPED)
    squares, member = np.unique(column.tree.ancestors(np.arange(column.values_size), level), return_inverse=True)
    inside = np.bincount(member, weights=counts[: column.values_size]) / max(rows, 1)
    shown = zip(*apart(squares), inside, strict=True)
    return {"side": 2**level, "squares": [[int(row), int(col), round(float(share), 6)] for row, col, share in shown]}


def bar(
    cells: list[int], label: str, counts: Any, rows: int, measured: tuple[Array, float] | None, n: int
) -> dict[str, Any]:
    """Some cells together."""
    said: dict[str, Any] = {"label": label, "share": round(int(counts[cells].sum()) / max(rows, 1), 6)}
    if measured is None or n == 0:
        return said
    noisy, variance = measured
    within = Z95 * (variance * len(cells)) ** 0.5 / n
    return said | {"measured": round(int(noisy[cells].sum()) / n, 6), "within": round(within, 6)}


def ordered(column: Column) -> bool:
    """Whether the cells have an order."""
    return isinstance(column, Number | Moment | Image) or (isinstance(column, Listed) and column.ordered)


def groups(column: Column, counts: Any) -> Iterator[tuple[list[int], str]]:
    """The cells that are shown together, and their name; the missing one last, by itself."""
    cells = list(range(column.values_size))
    if ordered(column):
        together = ceil(len(cells) / BARS)
        for first in range(0, len(cells), together):
            group = cells[first : first + together]
            yield group, group_label(column, group[0], group[-1])
    else:
        often = sorted(cells, key=lambda cell: (-int(counts[cell]), cell)) if len(cells) > LISTED + 1 else cells
        alone = LISTED if len(cells) > LISTED + 1 else len(cells)  # one that is left over stands by itself
        for cell in often[:alone]:
            yield [cell], label_of(column, cell)
        if often[alone:]:
            yield sorted(often[alone:]), f"{len(often) - alone:,} others"
    if column.nullable:
        yield [column.missing_cell], "missing"


def group_label(column: Column, first: int, last: int) -> str:
    """The name of neighbouring cells."""
    if isinstance(column, Number | Moment):
        return span(column, column.grid.bounds(first)[0], column.grid.bounds(last)[1])
    return label_of(column, first) if first == last else f"{label_of(column, first)} to {label_of(column, last)}"


def label_of(column: Column, cell: int) -> str:
    """The name of one cell."""
    match column:
        case Listed():
            return str(column.values[cell]) if cell < len(column.values) else str(column.other)
        case Boolean():
            return str((column.false, column.true)[cell][0])
        case Number() | Moment():
            return span(column, *column.grid.bounds(cell))
        case Image():
            return f"brightness {cell + 1} of {column.values_size}"
        case Edge():
            return column.joins.names[cell]
        case Place():
            pair = zip(column.sides, column.tree.bounds(cell), strict=True)
            return ", ".join(span(side, *ends) for side, ends in pair)
    return str(cell)


def span(column: Number | Moment, low: int, high: int) -> str:
    """From the first tick of some cells to the last."""
    if isinstance(column, Moment):
        ends = [moment_of(tick, column).isoformat(*([" ", "minutes"] if column.clock else [])) for tick in (low, high)]
    else:
        ends = [f"{untick(tick, column):,}".removesuffix(".0") for tick in (low, high)]
    return ends[0] if low == high else f"{ends[0]} to {ends[1]}"
