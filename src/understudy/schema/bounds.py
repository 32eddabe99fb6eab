"""Bounds in a schema file: min and max, cut by step, bins or edges, as a grid of ticks.

>>> grid_from({"min": 0, "max": 10, "edges": [2, 5]}, int, int)
Grid(starts=(0, 2, 5), high=10)
"""

from collections.abc import Callable
from typing import Any

from understudy.refusal import SchemaRefused
from understudy.schema.grid import Grid
from understudy.schema.words import Table, flag, sequence, whole


def grid_from(words: Table, tick: Callable[[Any], int], width: Callable[[Any], int]) -> Grid:
    """The grid of a bounded column: edges, or min and max with step or bins."""
    if flag(words, "discover"):
        if {"min", "max", "edges", "step"} & set(words):
            raise SchemaRefused("bounds are given and discover = true", "keep one of them")
        return Grid((0,), 0)
    if len({"step", "bins", "edges"} & set(words)) > 1:
        raise SchemaRefused("step, bins and edges exclude each other", "keep one of them")
    if not {"min", "max"} <= set(words):
        raise SchemaRefused("it has no public min and max", "add them, or set discover = true")
    low, high = tick(words["min"]), tick(words["max"])
    if "edges" in words:
        inner = tuple(tick(edge) for edge in sequence(words, "edges"))
        if any(not low <= edge <= high for edge in inner):
            raise SchemaRefused("an edge lies outside min and max", "move it inside")
        return Grid.cut(low, high, inner)
    if "step" in words:
        return Grid.stepped(low, high, width(words["step"]))
    return Grid.even(low, high, whole(words, "bins", 0) if "bins" in words else None)
