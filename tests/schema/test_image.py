"""Pictures: any value becomes one, by itself; a cell is a brightness, and every cell has a picture."""

import numpy as np
import pyarrow as pa
import pytest
from any_schema import any_value, images
from hypothesis import given
from hypothesis import strategies as st

from understudy.refusal import SchemaRefused
from understudy.schema.column import Image
from understudy.schema.decode import arrow_type, decode
from understudy.schema.encode import codes
from understudy.schema.image import levels, pictures, pixels, shades
from understudy.schema.kinds import column_from
from understudy.schema.parse import reader

SMALL = Image("small", height=2, width=3, high=200)


@given(images(), any_value | st.binary(min_size=6, max_size=6))
def test_any_value_is_a_picture_of_the_size_and_within_the_levels(column: Image, value: object) -> None:
    found = levels(value, column)
    assert found.shape == (column.pixels,)
    assert found.max() <= column.high
    assert 0 <= reader(column)(value) < column.size


@given(images())
def test_every_cell_has_a_picture_that_is_in_it(column: Image) -> None:
    cells = np.arange(column.size)
    array = decode(cells, column, np.random.default_rng(0))
    assert array.type == arrow_type(column)
    assert codes(pa.chunked_array([array]), column).tolist() == cells.tolist()


@given(st.lists(st.lists(st.none() | st.binary(min_size=5, max_size=7), max_size=4), max_size=3))
def test_stored_pictures_are_read_as_single_values_are(chunks: list[list[bytes | None]]) -> None:
    loose = pa.chunked_array([pa.array(chunk, pa.binary()) for chunk in chunks], pa.binary())
    fitting = [[value if value is None or len(value) == 6 else bytes(6) for value in chunk] for chunk in chunks]
    tight = pa.chunked_array([pa.array(chunk, pa.binary(6)) for chunk in fitting], pa.binary(6))
    due = [levels(value, SMALL).tolist() for chunk in chunks for value in chunk]
    assert pixels(loose, SMALL).tolist() == due
    assert pixels(tight, SMALL).tolist() == due
    assert pixels(tight[1:], SMALL).tolist() == due[1:]


def test_brightness_is_cut_into_equal_steps() -> None:
    found = np.array([[0] * 6, [74, 0, 0, 0, 0, 0], [75] + [0] * 5, [76] + [0] * 5, [200] * 6], dtype=np.uint8)
    # floor(16 sum / 1201): 16 * 75 = 1200, 16 * 76 = 1216
    assert shades(found, SMALL).tolist() == [0, 0, 0, 1, 15]
    assert pixels(pa.chunked_array([pictures(found, SMALL)]), SMALL).tolist() == found.tolist()


WRONG = {
    "no size": {"kind": "image"},
    "no width": {"kind": "image", "height": 3},
    "two channels": {"kind": "image", "height": 3, "width": 3, "channels": 2},
    "nothing in it": {"kind": "image", "height": 0, "width": 3},
    "more levels than a byte has": {"kind": "image", "height": 3, "width": 3, "max": 256},
    "missing pictures": {"kind": "image", "height": 3, "width": 3, "missing": [""]},
}


@pytest.mark.parametrize("words", WRONG.values(), ids=list(WRONG))
def test_what_is_no_picture_column_is_refused(words: dict[str, object]) -> None:
    with pytest.raises(SchemaRefused, match="column 'c'"):
        column_from("c", words)
