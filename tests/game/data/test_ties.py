"""Ties: the graph that is drawn has the degrees and the blocks that the tape says. networkx counts them."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import understudy
from understudy.game.data.ties import configuration, degrees_of
from understudy.schema.edge import Joins
from understudy.schema.read import from_dict

BLOCKS = {"one": [f"a{i}" for i in range(40)], "other": [f"b{i}" for i in range(60)], "alone": ["c"]}
JOINS = Joins(tuple((name, tuple(nodes)) for name, nodes in BLOCKS.items()))


def test_every_node_has_its_share_of_its_blocks_ends_and_the_graph_is_simple() -> None:
    rng = np.random.default_rng(3)
    cells = rng.choice(JOINS.size, size=500, p=[0.3, 0.2, 0.01, 0.48, 0.01])
    degrees = rng.integers(1, 30, size=101).astype(float)
    ends = configuration(JOINS, cells, degrees, rng)
    assert JOINS.codes(ends).tolist() == cells.tolist()
    graph = nx.MultiGraph(ends.tolist())
    graph.add_nodes_from(range(101))
    assert nx.number_of_selfloops(graph) == 0
    assert graph.number_of_edges() == nx.Graph(graph).number_of_edges()
    for first, size in zip(JOINS.first, JOINS.sizes, strict=True):
        block = range(first, first + size)
        found = np.array([graph.degree[node] for node in block])
        due = degrees[block] * found.sum() / degrees[block].sum()
        assert abs(found - due).max() < 1 + 1e-9  # up or down to a whole number


def test_more_edges_than_pairs_and_a_block_without_degrees_are_drawn_all_the_same() -> None:
    rng = np.random.default_rng(4)
    small = Joins((("x", ("a", "b")), ("y", ("c", "d"))))
    ends = configuration(small, np.zeros(9, dtype=np.int64), np.array([5.0, 0, 0, 0]), rng)
    assert sorted(set(map(tuple, np.sort(ends, axis=1).tolist()))) == [(0, 1)]
    assert configuration(small, np.full(4, 2), np.zeros(4), rng).min() >= 2
    assert configuration(small, np.zeros(0, dtype=np.int64), np.ones(4), rng).shape == (0, 2)


def test_what_is_sorted_is_cleaned() -> None:
    rng = np.random.default_rng(5)
    joins = Joins((("all", tuple(map(str, range(1000)))),))
    true = np.sort(rng.poisson(8, 1000))
    noisy = true + np.rint(rng.normal(0, 6, 1000)).astype(int)
    cleaned = np.sort(degrees_of(noisy, joins, rng))
    # least squares over 1,000 numbers with some twenty values: far below the variance 36 of the noise
    assert ((cleaned - true) ** 2).mean() < 3 < ((noisy - true) ** 2).mean()


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_a_release_of_an_edge_list_has_its_degrees(relation: str, tmp_path) -> None:
    rng = np.random.default_rng(6)
    blocks = {"hub": [f"h{i}" for i in range(5)], "rest": [f"r{i}" for i in range(95)]}
    names = blocks["hub"] + blocks["rest"]
    weight = np.array([30.0] * 5 + [1.0] * 95)
    pairs = rng.choice(100, size=(4000, 2), p=weight / weight.sum())
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    table = pd.DataFrame(np.array(names)[pairs], columns=["one", "other"]).assign(
        kind=rng.choice(["x", "y"], len(pairs))
    )
    tie = {"kind": "edge", "source": "one", "target": "other", "blocks": blocks}
    columns = {"tie": tie, "kind": {"kind": "categorical", "values": ["x", "y"]}}
    schema = from_dict({"table": {"unit": "tie", "relation": relation}, "columns": columns})
    made = understudy.release(table, schema, epsilon=3, delta="1e-6", recipe="blocks", out=tmp_path / "out")
    again = understudy.verify(tmp_path / "out")
    assert again.sample(7).num_rows == 7
    assert again.sample(50, given={"kind": "x"})["kind"].to_pylist() == ["x"] * 50
    real, synthetic = (
        np.sort(np.bincount([names.index(end) for name in ("one", "other") for end in ends[name]], minlength=100))
        for ends in (table, made.table.to_pandas())
    )
    assert made.table.column_names == ["one", "other", "kind"]
    assert abs(real - synthetic).mean() < 3 and abs(real[-5:] - synthetic[-5:]).max() < 60
