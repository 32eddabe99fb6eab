"""Edges: any two values have a cell by themselves; every cell has edges, each between two different nodes of its blocks."""

import numpy as np
import pyarrow as pa
import pytest
from any_schema import any_value, edges, legal
from hypothesis import given
from hypothesis import strategies as st

from understudy.refusal import SchemaRefused
from understudy.schema.coordinates import UNIT, coordinates
from understudy.schema.decode import arrow_type, decode
from understudy.schema.encode import codes, ends, raw
from understudy.schema.pair import Edge
from understudy.schema.parse import reader
from understudy.schema.read import from_dict, read_schema
from understudy.schema.write import write_schema
from understudy.source.frame import as_text

TOWN = Edge("tie", ("",), ends=("one", "other"), blocks=(("north", ("ann", "bo", "cy")), ("south", ("di",))))
any_edge = legal(edges).filter(lambda column: isinstance(column, Edge))
nodes = st.sampled_from(["a0", "a1", "b0", "7", 7, 7.0, "", None])


@given(any_edge, st.integers(0, 2**32))
def test_every_cell_has_edges_that_are_in_it_between_nodes_that_differ(column: Edge, seed: int) -> None:
    cells = np.repeat(np.arange(column.size), 4)
    array = pa.chunked_array([decode(cells, column, np.random.default_rng(seed))])
    assert array.type == arrow_type(column)
    assert codes(array, column).tolist() == cells.tolist()
    found = ends(array, column)[cells < column.values_size]
    assert (found >= 0).all() and (found[:, 0] != found[:, 1]).all()


@given(any_edge, st.lists(st.tuples(any_value | nodes, any_value | nodes), max_size=6))
def test_a_row_is_read_by_itself_and_any_two_values_have_a_cell(column: Edge, rows: list[tuple]) -> None:
    halves = [pa.array([as_text(row[i], side) for row in rows], pa.string()) for i, side in enumerate(column.sides)]
    together = raw(pa.table(halves, names=list(column.sources)), column)
    found = codes(together, column)
    assert found.tolist() == [reader(column)(value) for value in together.to_pylist()]
    assert all(cell < column.size for cell in found)
    assert coordinates(together, column).sum() == UNIT * len(rows)


READ = {
    "in a block": (("ann", "cy"), 0),
    "across": (("ann", "di"), 1),
    "has no direction": (("di", "ann"), 1),
    "to itself": (("ann", "ann"), TOWN.missing_cell),
    "to a stranger": (("ann", "eve"), TOWN.missing_cell),
    "half of one": (("ann", None), TOWN.missing_cell),
}


@pytest.mark.parametrize(("pair", "cell"), READ.values(), ids=list(READ))
def test_an_edge(pair: tuple, cell: int) -> None:
    assert reader(TOWN)({"source": pair[0], "target": pair[1]}) == cell


def test_a_block_of_one_node_has_no_edge_within() -> None:
    assert TOWN.joins.names == ["north - north", "north - south"]


def test_edges_of_a_cell_are_uniform() -> None:
    drawn = np.sort(TOWN.joins.draw(np.zeros(60_000, dtype=np.int64), np.random.default_rng(2)), axis=1)
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 3 and abs(counts - 20_000).max() < 700  # six standard deviations


def test_the_blocks_beside_the_schema_become_a_part_of_it(tmp_path) -> None:
    words = '[table]\nunit = "tie"\n[columns.tie]\nkind = "edge"\nsource = "one"\ntarget = "other"\n'
    (tmp_path / "nodes.csv").write_text("node,block\nann,north\ndi,south\nbo,north\n")
    (tmp_path / "a.toml").write_text(words + 'blocks_file = "nodes.csv"\n')
    schema = read_schema(tmp_path / "a.toml")
    assert schema.column("tie").blocks == (("north", ("ann", "bo")), ("south", ("di",)))
    write_schema(schema, tmp_path / "b.toml")
    assert read_schema(tmp_path / "b.toml").digest == schema.digest
    (tmp_path / "nodes.csv").write_text("node\nann\n")
    with pytest.raises(SchemaRefused, match="blocks_file cannot be read"):
        read_schema(tmp_path / "a.toml")


def test_a_node_is_no_unit_of_an_edge_list() -> None:
    tie = {"kind": "edge", "source": "one", "target": "other", "blocks": {"all": ["ann", "bo"]}}
    table = {"unit": "person", "unit_column": "one", "rows_per_unit": 9}
    with pytest.raises(SchemaRefused, match="the unit of an edge list is an edge"):
        from_dict({"table": table, "columns": {"tie": tie}})
