"""One release of ours in a fresh process: the same road that `understudy.release` walks for everybody.

The coded table becomes a pyarrow table, its public sizes a schema of integer columns with one cell a value. The number
of rows is private and paid for, randomness comes from the operating system, the certificate is asked for: all of that,
and the loading of JAX, is within the CPU seconds.
"""

import pyarrow as pa
from fresh import serve

import understudy
from understudy.schema.column import Number
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema, Unit


def make(columns: dict, sizes: list[int], settings: dict) -> tuple[dict, dict]:
    """Release, and tell what the certificate claims."""
    numbers = (Number(name, grid=Grid.even(0, size - 1, size)) for name, size in zip(columns, sizes, strict=True))
    made = understudy.release(
        pa.table(columns),
        Schema("benchmark", Unit("row"), tuple(numbers)),
        epsilon=settings["epsilon"],
        delta=settings["delta"],
        recipe=settings["recipe"],
        workload=settings["workload"],
        rows=settings["rows"],
    )
    claims, share = made.certificate["claims"], made.certificate["spent"]["share"]
    facts = {
        "model": made.guess.kind,
        "bound_mean": claims["mean_total_variation"],
        "bound_cell": claims["worst_cell_error"],
        "certificate_share": share["worst_cell"] + share["variations"],
    }
    return {name: made.table[name].to_numpy() for name in columns}, facts


serve(make)
