"""A grid is a partition of its ticks."""

import numpy as np
import pytest
from any_schema import grids
from hypothesis import given
from hypothesis import strategies as st

from understudy.refusal import SchemaRefused
from understudy.schema.grid import Grid

WIDE = 2**62 - 1


@given(grids(-WIDE, WIDE))
def test_cells_touch_and_cover(grid):
    bounds = [grid.bounds(cell) for cell in range(grid.size)]
    assert bounds[0][0] == grid.low and bounds[-1][1] == grid.high
    assert all(first <= last for first, last in bounds)
    assert all(before[1] + 1 == after[0] for before, after in zip(bounds, bounds[1:], strict=False))


@given(grids(-1000, 1000), st.integers(-1100, 1100))
def test_a_tick_is_in_its_cell_or_clamped(grid, tick):
    first, last = grid.bounds(grid.cell(tick))
    assert first <= min(max(tick, grid.low), grid.high) <= last


@given(grids(-WIDE, WIDE), st.integers(0, 2**32))
def test_what_is_drawn_lies_in_its_cell(grid, seed):
    cells = np.arange(grid.size)
    drawn = grid.draw(cells, np.random.default_rng(seed))
    assert [grid.cell(int(tick)) for tick in drawn] == cells.tolist()


def test_a_draw_reaches_both_ends_of_its_cell():
    drawn = Grid.stepped(0, 9, 5).draw(np.full(200, 1), np.random.default_rng(0))
    assert set(drawn.tolist()) == {5, 6, 7, 8, 9}


@given(st.integers(-1000, 1000), st.integers(0, 1000), st.integers(1, 1000))
def test_even_cells_differ_by_one_tick_at_most(low, span, bins):
    grid = Grid.even(low, low + span, bins)
    widths = [last - first for first, last in map(grid.bounds, range(grid.size))]
    assert grid.size == min(bins, span + 1) and max(widths) - min(widths) <= 1


CASES = {
    "a hundred values keep a cell each": (Grid.even(1, 100, None), 100),
    "more values share 32 cells": (Grid.even(0, 100, None), 32),
    "the last step may be shorter": (Grid.stepped(0, 110, 25), 5),
    "a step that divides the range minus one": (Grid.stepped(0, 99, 25), 4),
    "one value": (Grid.stepped(7, 7, 100), 1),
    "edges in any order, doubled, and at the lower bound": (Grid.cut(0, 10, (5, 2, 5, 0)), 3),
}


@pytest.mark.parametrize(("grid", "size"), CASES.values(), ids=CASES)
def test_sizes(grid, size):
    assert grid.size == size


REFUSED = {
    "an empty grid": lambda: Grid((), 0),
    "edges that descend": lambda: Grid((1, 0), 2),
    "a maximum below the last edge": lambda: Grid((0, 5), 4),
    "bounds beyond 62 bits": lambda: Grid((0,), 2**62),
    "min above max": lambda: Grid.even(1, 0, None),
    "min above max, by step": lambda: Grid.stepped(1, 0, 1),
    "a step of nothing": lambda: Grid.stepped(0, 9, 0),
    "a step that would fill the memory": lambda: Grid.stepped(0, 2**60, 1),
    "bins that would fill the memory": lambda: Grid.even(0, 2**60, 10**8),
    "no bins": lambda: Grid.even(0, 9, 0),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_refused(make):
    with pytest.raises(SchemaRefused):
        make()
