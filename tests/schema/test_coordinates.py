"""Coordinates: the vector of a row is its own, whatever stands beside it, and reads back to the row's cells."""

import numpy as np
import pyarrow as pa
from any_schema import any_column, any_value, images
from hypothesis import assume, given
from hypothesis import strategies as st

from understudy.schema.column import Image, Moment, Number
from understudy.schema.coordinates import UNIT, coordinates, values, width
from understudy.schema.decode import decode
from understudy.schema.encode import codes
from understudy.schema.grid import Grid
from understudy.source.frame import as_text


def texts(found: list[object], column: object) -> pa.ChunkedArray:
    """Any values as a source hands them over."""
    return pa.chunked_array([pa.array([as_text(value, column) for value in found], pa.string())])


@given(any_column, st.lists(any_value, min_size=1, max_size=6))
def test_a_row_has_its_vector_alone_and_in_company(column, found) -> None:
    array = texts(found, column)
    together = coordinates(array, column)
    assert together.shape == (len(found), width(column))
    assert together.min() >= 0 and together.max() <= UNIT
    alone = [coordinates(array[i : i + 1], column)[0] for i in range(len(found))]
    assert together.tolist() == [row.tolist() for row in alone]


def wide(column) -> bool:
    """No cell is narrower than a step of the coordinates."""
    if not isinstance(column, Number | Moment):
        return True
    span, starts = column.grid.high - column.grid.low, [*column.grid.starts, column.grid.high + 1]
    return min(b - a for a, b in zip(starts, starts[1:], strict=False)) * UNIT > 2 * span


@given(any_column | images(), st.integers(0, 2**32))
def test_the_vector_of_a_row_reads_back_to_its_cell(column, seed) -> None:
    assume(wide(column))
    rng = np.random.default_rng(seed)
    cells = rng.integers(column.size, size=20)
    array = pa.chunked_array([decode(cells, column, rng)])
    found = values(coordinates(array, column).astype(float), column)
    due = codes(array, column)
    if not isinstance(column, Number | Moment):
        assert found.codes.tolist() == due.tolist()
    else:  # a value on the edge of its cell may be rounded over it, by at most one step of the coordinates
        off = abs(found.codes.astype(int) - due.astype(int))
        assert off.max() <= 1
    assert found.codes.min() >= 0 and found.codes.max() < column.size


@given(any_column | images(), st.integers(0, 2**32))
def test_any_vector_reads_to_values_of_the_column(column, seed) -> None:
    vectors = np.random.default_rng(seed).normal(scale=2 * UNIT, size=(9, width(column)))
    found = values(vectors, column)
    assert found.codes.min() >= 0 and found.codes.max() < column.size
    if isinstance(column, Image):
        assert found.ticks.max() <= column.high and found.ticks.shape == (9, column.pixels)
    elif isinstance(column, Number | Moment):
        assert column.grid.low <= found.ticks.min() and found.ticks.max() <= column.grid.high
        present = found.codes < column.values_size
        assert [column.grid.cell(int(t)) for t in found.ticks[present]] == found.codes[present].tolist()


def test_known_vectors() -> None:
    age = Number("age", missing=("",), grid=Grid.even(0, 100, None))
    assert coordinates(texts(["0", "50", "200", None], age), age).tolist() == [
        [0, 0],
        [2048, 0],
        [UNIT, 0],
        [2048, UNIT],
    ]
    year = Number("year", grid=Grid((2024,), 2024))
    assert coordinates(texts(["2024", "x"], year), year).tolist() == [[0], [0]]
    tiny = Image("tiny", height=1, width=2, high=255)
    assert coordinates(pa.chunked_array([pa.array([b"\x00\xff"], pa.binary(2))]), tiny).tolist() == [[0, UNIT]]
