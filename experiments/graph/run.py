"""Graph: the ties of an invented town of a thousand nodes in seven communities, released edge-privately.

    python experiments/graph/run.py        what is missing from results.json, then the figures and README.md

One release a setting with the seeded twin of the noise (NOT PRIVATE); the errors are those of the released edge list against
the one it was made from, counted by networkx. The same blocks and degrees dealt anew without noise show what the model can do.
"""

import json
import time
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from network import SIZES, blocks, schema, ties
from pages import write_figures, write_page

import understudy
from understudy.game.data.ties import configuration
from understudy.schema.encode import codes, ends, raw
from understudy.schema.read import from_dict

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
SEED = 1
SETTINGS = [
    *({"recipe": "blocks", "epsilon": e} for e in ("0.3", "1", "3")),
    {"recipe": "querygan", "epsilon": "1"},
    {"recipe": "independent", "epsilon": "1"},
]
BLOCKS = blocks()
NODES = [node for nodes in BLOCKS.values() for node in nodes]


def graph_of(rows: pd.DataFrame) -> nx.Graph:
    """The edge list as a simple graph with its public attribute."""
    graph = nx.from_pandas_edgelist(rows.dropna(subset=["one", "other"]), "one", "other")
    graph.add_nodes_from(NODES)
    nx.set_node_attributes(graph, {node: name for name, nodes in BLOCKS.items() for node in nodes}, "block")
    return graph


def measures(rows: pd.DataFrame) -> dict:
    """What networkx says of an edge list."""
    graph = graph_of(rows)
    degrees = [sorted(dict(graph.degree(nodes)).values()) for nodes in BLOCKS.values()]
    every = np.concatenate(degrees)
    return {
        "rows": len(rows),
        "edges": graph.number_of_edges(),
        "degrees": [[int(d) for d in block] for block in degrees],
        "mean_degree": float(every.mean()),
        "deviation_of_degrees": float(every.std()),
        "largest_degree": int(every.max()),
        "modularity": nx.community.modularity(graph, list(BLOCKS.values())),
        "clustering": nx.transitivity(graph),
        "assortativity": nx.degree_assortativity_coefficient(graph),
        "largest_component": len(max(nx.connected_components(graph), key=len)),
    }


def shares(rows: pd.DataFrame, declared: understudy.Schema, beside: str | None) -> np.ndarray:
    """The share of rows in each pair of blocks, for each value of a column beside it."""
    import pyarrow as pa

    table = pa.Table.from_pandas(rows, preserve_index=False)
    tie = declared.column("tie")
    cells = codes(raw(table, tie), tie).astype(np.int64)
    if beside is not None:
        other = declared.column(beside)
        cells = cells * other.size + codes(raw(table, other), other)
    return np.bincount(cells, minlength=tie.size * (declared.domain[beside] if beside else 1)) / len(rows)


def errors(real: pd.DataFrame, made: pd.DataFrame, declared: understudy.Schema) -> dict:
    """How far the released edge list is from the private one."""
    found = {
        f"tv_blocks{'' if beside is None else f'_{beside}'}": float(
            abs(shares(real, declared, beside) - shares(made, declared, beside)).sum() / 2
        )
        for beside in (None, "how", "years")
    }
    one, other = (np.concatenate(measures(rows)["degrees"]).astype(float) for rows in (real, made))
    return found | {"degree_error": float(abs(one - other).mean())}


def again(real: pd.DataFrame, declared: understudy.Schema) -> pd.DataFrame:
    """The same blocks and degrees dealt anew without noise: what the model itself keeps."""
    import pyarrow as pa

    table = pa.Table.from_pandas(real, preserve_index=False)
    tie = declared.column("tie")
    found = raw(table, tie)
    degrees = np.bincount(ends(found, tie).ravel(), minlength=len(NODES)).astype(float)
    pairs = configuration(tie.joins, codes(found, tie).astype(np.int64), degrees, np.random.default_rng(SEED))
    return real.assign(one=np.array(NODES)[pairs[:, 0]], other=np.array(NODES)[pairs[:, 1]])


def measured(setting: dict, real: pd.DataFrame, declared: understudy.Schema) -> tuple[dict, pd.DataFrame]:
    """One release."""
    begun = time.perf_counter()
    made = understudy.rehearse(
        real, declared, seed=SEED, epsilon=setting["epsilon"], delta="1e-6", recipe=setting["recipe"]
    )
    seconds = round(time.perf_counter() - begun, 1)
    rows, claims = made.table.to_pandas(), made.certificate["claims"]
    bounds = {" x ".join(c["columns"]): c["bound"] for c in claims["total_variation"]}
    certified = {"certified": bounds, "mean_certified": claims["mean_total_variation"], "seconds": seconds}
    return {**setting, **measures(rows), **errors(real, rows, declared), **certified}, rows


def main() -> None:
    """Fill in what is missing, one setting at a time."""
    real = ties(SEED)
    declared = from_dict(schema(len(real)))
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    if not found:
        fresh = again(real, declared)
        found = [
            {"recipe": "private", "epsilon": "-", **measures(real), "sizes": SIZES},
            {"recipe": "the model without noise", "epsilon": "-", **measures(fresh), **errors(real, fresh, declared)},
        ]
    done = [{key: r[key] for key in ("recipe", "epsilon")} for r in found]
    for setting in SETTINGS:
        if setting not in done:
            record, rows = measured(setting, real, declared)
            print(json.dumps({key: value for key, value in record.items() if key != "degrees"}), flush=True)
            found.append(record)
            RESULTS.write_text(json.dumps(found) + "\n")
            if setting == {"recipe": "blocks", "epsilon": "1"}:
                write_figures(BLOCKS, real, rows, HERE / "adjacency.svg")
    write_page(found, HERE)


if __name__ == "__main__":
    main()
