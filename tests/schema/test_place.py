"""Places: any two values have a cell by themselves; every cell has points, and all of them are inside the outline."""

import numpy as np
import pyarrow as pa
import pytest
import shapely
from any_schema import any_value, outlines, places
from hypothesis import assume, given
from hypothesis import strategies as st
from schema_files import ISLANDS, PLACE

from understudy.refusal import SchemaRefused
from understudy.schema.coordinates import UNIT, coordinates, values, width
from understudy.schema.decode import arrow_type, decode, spread
from understudy.schema.encode import codes, raw
from understudy.schema.kinds import column_from, refuse_readable_codes
from understudy.schema.outline import Outline, outline_from, wkt
from understudy.schema.pair import Place
from understudy.schema.parse import reader
from understudy.schema.read import read_schema
from understudy.schema.write import write_schema
from understudy.source.frame import as_text

SEEDS = st.integers(0, 2**32)


def possible(make):
    """Only the places that a schema would accept."""

    @st.composite
    def drawn(draw):
        try:
            column = draw(make())
            refuse_readable_codes(column)
            return column
        except SchemaRefused:
            assume(False)

    return drawn()


def region(outline: Outline) -> shapely.Geometry:
    """What shapely makes of an outline, by the even-odd rule too: its faces, and the edges themselves."""
    rings = [shapely.Polygon([(x, y) for y, x in ring]) for polygon in outline.polygons for ring in polygon]
    found = shapely.Polygon()
    for ring in rings:
        found = found.symmetric_difference(even_odd(ring))
    return shapely.union_all([found, *(ring.exterior for ring in rings)])


def even_odd(ring: shapely.Polygon) -> shapely.Geometry:
    """The faces that a ring winds around an odd number of times."""
    faces = shapely.polygonize([shapely.node(ring.exterior)]).geoms
    corners = list(ring.exterior.coords)

    def odd(point: shapely.Point) -> bool:
        inside = False
        for (x1, y1), (x2, y2) in zip(corners, corners[1:], strict=False):
            if (y1 > point.y) != (y2 > point.y) and point.x < x1 + (point.y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
        return inside

    return shapely.union_all([face for face in faces if odd(face.representative_point())])


@given(outlines())
def test_runs_hold_what_shapely_says_is_inside_and_nothing_that_is_outside(outline: Outline) -> None:
    y, x = (ticks.ravel() for ticks in np.mgrid[-13:32, -13:32])
    held = outline.runs(-13, 31).hold(y, x)
    found, points = region(outline), shapely.points(np.stack([x, y], axis=1))
    inside = shapely.contains(found.buffer(-1e-6), points)  # strictly: not on an edge
    assert not (inside & ~held).any()
    assert not (held & ~shapely.covers(found.buffer(1e-6), points)).any()


@given(outlines(), st.integers(0, 3))
def test_an_outline_is_read_back(outline: Outline, decimals: int) -> None:
    assert outline_from(wkt(outline, decimals), decimals) == outline


def test_islands_and_holes() -> None:
    islands = outline_from(ISLANDS, 1)
    assert len(islands.polygons) == 2 and outline_from(wkt(islands, 1), 1) == islands
    pond = outline_from("MULTIPOLYGON (((0 0, 6 0, 6 6, 0 6, 0 0), (2 2, 4 2, 4 4, 2 4, 2 2)))", 0)
    assert pond.runs(0, 6).hold(np.array([1, 3, 3]), np.array([3, 3, 5])).tolist() == [True, False, True]


@given(possible(places), SEEDS)
def test_every_cell_has_points_that_are_in_it_and_inside(column: Place, seed: int) -> None:
    cells = np.repeat(np.arange(column.size), 3)
    array = decode(cells, column, np.random.default_rng(seed))
    assert array.type == arrow_type(column)
    assert codes(pa.chunked_array([array]), column).tolist() == cells.tolist()
    for part in spread(array, column).values():
        assert part.null_count == 3 * column.nullable
    if column.outline is not None:
        here = np.arange(len(cells))[cells < column.values_size]
        degrees = [part.take(pa.array(here)).to_numpy() for part in spread(array, column).values()]
        ticks = [np.rint(part * 10**column.latitude.decimals) for part in degrees]
        assert shapely.covers(region(column.outline).buffer(1e-6), shapely.points(ticks[1], ticks[0])).all()


@given(possible(places), st.lists(st.tuples(any_value, any_value), max_size=6))
def test_a_row_is_read_by_itself_and_any_two_values_have_a_cell(column: Place, rows: list[tuple]) -> None:
    halves = [pa.array([as_text(row[i], side) for row in rows], pa.string()) for i, side in enumerate(column.sides)]
    together = raw(pa.table(halves, names=list(column.sources)), column)
    found = codes(together, column)
    assert found.tolist() == [reader(column)(value) for value in together.to_pylist()]
    assert all(cell < column.size for cell in found)


@given(possible(places), any_value)
def test_what_is_no_pair_has_a_cell(column: Place, value: object) -> None:
    assert reader(column)(value) == column.unreadable_cell or isinstance(value, dict)


@given(possible(places), SEEDS)
def test_the_vector_of_a_point_reads_back_near_it(column: Place, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.integers(column.size, size=20)
    array = pa.chunked_array([decode(cells, column, rng)])
    vectors = coordinates(array, column)
    assert vectors.shape == (20, width(column)) and vectors.min() >= 0 and vectors.max() <= UNIT
    assert vectors.tolist() == [coordinates(array[i : i + 1], column)[0].tolist() for i in range(20)]
    found = values(vectors.astype(float), column)
    assert found.codes.tolist() == cells.tolist()  # a tick is wider than a step of the coordinates here
    anything = values(rng.normal(scale=2 * UNIT, size=(9, width(column))), column)
    assert anything.codes.max() < column.size


def zurich(**words: object) -> Place:
    box = {"south": 47, "north": 48, "west": 8, "east": 9, "decimals": 3, "depth": 2}
    column = column_from("home", {"kind": "place", "latitude": "lat", "longitude": "lon", **box, **words})
    assert isinstance(column, Place)
    return column


TRIANGLE = "POLYGON ((8 47, 8.99 47, 8 47.99, 8 47))"
RULES = {
    "a point of the sea comes ashore": ({"outline": TRIANGLE}, ("47.9", "8.9"), ("47.6", "8.3")),
    "or is missing": ({"outline": TRIANGLE, "missing": [""], "bad": "missing"}, ("47.9", "8.9"), None),
    "a point beyond the box is taken to its edge": ({}, ("99", "8.1"), ("48", "8.1")),
    "or is missing too": ({"missing": [""], "bad": "missing"}, ("99", "8.1"), None),
    "half a point is none": ({"missing": [""]}, ("47.5", ""), None),
    "text is no degree": ({"missing": [""]}, ("47.5", "8°30'"), None),
    "where nothing can be missing it is the first cell": ({}, ("47.5", "8°30'"), ("47", "8")),
    "a code of its own": ({"missing": ["-999"]}, ("-999", "8.5"), None),
}


@pytest.mark.parametrize(("words", "given", "same"), RULES.values(), ids=list(RULES))
def test_a_bad_point_goes_where_the_rule_says(words: dict, given: tuple, same: tuple | None) -> None:
    column = zurich(**words)
    read = reader(column)
    due = column.missing_cell if same is None else read({"latitude": same[0], "longitude": same[1]})
    assert read({"latitude": given[0], "longitude": given[1]}) == due


def test_cells_without_land_are_no_cells_and_land_has_the_cells_that_it_touches() -> None:
    assert zurich().size == 16
    assert zurich(outline=TRIANGLE).size == 10  # the diagonal, and all below it
    tree = zurich(outline=TRIANGLE).tree
    assert sorted(set(tree.ancestors(np.arange(10), 1).tolist())) == [0, 1, 2]


def test_points_of_a_cell_are_uniform_over_its_land() -> None:
    tree = zurich(outline=TRIANGLE, depth=1).tree
    y, x = tree.draw(np.full(30_000, 1), np.random.default_rng(1))  # the south east: a triangle of 0.49 by 0.49
    assert tree.hold(y, x).all()
    # the mean of a triangle is a third of its sides from the right angle
    assert abs((y - 47_000).mean() - 490 / 3) < 5 and abs((x - 8_500).mean() - 490 / 3) < 5


def test_an_outline_beside_the_schema_becomes_a_part_of_it(tmp_path) -> None:
    words = f'[table]\nunit = "person"\n[columns.home]\n{PLACE}\n'
    (tmp_path / "coast.geojson").write_text(ISLANDS)
    (tmp_path / "a.toml").write_text(words + 'outline_file = "coast.geojson"\n')
    (tmp_path / "b.toml").write_text(words + f"outline = '''{ISLANDS}'''\n")
    schema = read_schema(tmp_path / "a.toml")
    assert schema == read_schema(tmp_path / "b.toml")
    write_schema(schema, tmp_path / "c.toml")
    assert read_schema(tmp_path / "c.toml").digest == schema.digest
    (tmp_path / "coast.geojson").unlink()
    with pytest.raises(SchemaRefused, match="outline_file cannot be read"):
        read_schema(tmp_path / "a.toml")
