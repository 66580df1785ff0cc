"""The ends of a path: which cells they mean, where a robot is asked to go to a place that it cannot reach.

A goal in a closed cell, or in one to which there is no path, such as ground that was seen through a gap, means the
nearest cell within a tolerance to which there is one, unless a wall stands between. Planners and distance fields ask
here, so that a cost is finite exactly where a path is found.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, CostGrid
from expedition.navigate.path import Geometry, cell_at, closed_after
from expedition.navigate.spreading import Front, flood
from expedition.navigate.steps import StepTable, close_start, open_start

Ends = tuple[float, float, float, float]
"""The start's x and y and the goal's, in metres."""
ISLAND = 500
"""Cells: whether the ground around a goal is no larger than this, and cut off, is looked at before it is searched."""


def _walls_only() -> StepTable:
    """A table of steps to which nothing is closed but occupied cells."""
    table = np.ones((2, 256), dtype=np.int32)
    table[:, OCCUPIED_COST] = 0
    table.flags.writeable = False
    return table


WALLS_ONLY = _walls_only()


@kernel
def locate_ends(cost: CostGrid, table: StepTable, frame: Geometry, ends: Ends) -> tuple[int, int]:
    """The cells of both ends; -1 for a goal that is closed or, as far as is soon seen, cut off.

    A start on the outermost ring of the map counts as outside. A goal on an island counts as none: to search for it
    would take all the ground that can be reached.
    """
    rows, columns = cost.shape
    start, goal = cell_at(cost, frame, ends[0], ends[1]), cell_at(cost, frame, ends[2], ends[3])
    if start < 0 or goal < 0:
        return -1, -1
    row, column = start // columns, start % columns
    if row == 0 or row == rows - 1 or column == 0 or column == columns - 1:
        return -1, -1
    # A robot that stands in a closed cell is where it is told to be when it is told to stay.
    if goal != start:
        is_open = table[0, cost[goal // columns, goal % columns]] > 0
        if not is_open or (table[0, cost[row, column]] > 0 and _is_on_island(cost, table, start, goal)):
            goal = -1
    return start, goal


@kernel
def _is_on_island(cost: CostGrid, table: StepTable, start: int, goal: int) -> bool:
    """Whether no way leads from an open goal to an open start, as far as the first `ISLAND` cells around it tell.

    Cells seen are closed meanwhile. Straight steps lead wherever there is a way, as no diagonal one cuts a corner.
    """
    cells = cost.reshape(-1)
    columns = cost.shape[1]
    seen = np.empty((ISLAND, 2), dtype=np.int64)
    seen[0, 0], seen[0, 1] = goal, cells[goal]
    cells[goal] = OCCUPIED_COST
    looked, count = 0, 1
    is_island = True
    while looked < count and is_island:
        for offset in (1, columns, -1, -columns):
            near = seen[looked, 0] + offset
            if table[0, cells[near]] == 0:
                continue
            if count == ISLAND or near == start:
                is_island = False
                break
            seen[count, 0], seen[count, 1] = near, cells[near]
            cells[near] = OCCUPIED_COST
            count += 1
        looked += 1
    close_start(cost, seen[:count])
    return is_island


@kernel
def nearest_with_way(
    cost: CostGrid, table: StepTable, frame: Geometry, ends: Ends, tolerance: float, escape_cells: int, front: Front
) -> tuple[float, float]:
    """The middle of the open cell nearest to the goal, within `tolerance` metres, to which there is a way.

    None behind a wall counts; NaN where there is no such cell. Among equals the first in row order. `front` is room to
    work in. Cost: two looks at all ground that can be reached.
    """
    rows, columns = cost.shape
    start, goal = cell_at(cost, frame, ends[0], ends[1]), cell_at(cost, frame, ends[2], ends[3])
    found = (math.nan, math.nan)
    if start < 0 or goal < 0 or start % columns in (0, columns - 1) or start // columns in (0, rows - 1):
        return found
    reached = np.empty(cost.size, dtype=np.bool_)
    opened = open_start(cost, table, start // columns, start % columns, escape_cells)
    flood(cost, table, start, reached, front.buckets.reshape(-1))
    close_start(cost, opened)
    cell = place_for(cost, table, frame, reached, start, goal, tolerance)
    if cell >= 0:
        found = frame[0] + (cell % columns + 0.5) * frame[2], frame[1] + (cell // columns + 0.5) * frame[2]
    return found


@kernel
def place_for(
    cost: CostGrid,
    table: StepTable,
    frame: Geometry,
    reached: NDArray[np.bool_],
    start: int,
    goal: int,
    tolerance: float,
) -> int:
    """The cell that a goal means to who reaches the cells `reached` from a start; -1 where there is none.

    That is the goal's own, if it is reached and open, or the start itself; else the nearest such cell within
    `tolerance` metres that no wall parts from it, among equals the first in row order. A cell where the robot passes
    but cannot turn counts only if it is the goal's own, and there is none near where it can: it may come there the
    wrong way round. Cost: one look, or one at each cell within the tolerance.
    """
    rows, columns = cost.shape
    row, column = goal // columns, goal % columns
    is_open = reached[goal] and table[0, cost[row, column]] > 0
    if goal == start or (is_open and cost[row, column] != SQUEEZE_COST):
        return goal
    reach = int(tolerance / frame[2] + 1e-9)
    found, best = goal if is_open else -1, int((tolerance / frame[2]) ** 2 + 1e-9) + 1
    line = np.empty((2, 2))
    # From the goal, which may lie in a wall itself: closed cells at the beginning of a path do not count.
    line[0, 0], line[0, 1] = frame[0] + (column + 0.5) * frame[2], frame[1] + (row + 0.5) * frame[2]
    for other_row in range(max(row - reach, 0), min(row + reach + 1, rows)):
        for other_column in range(max(column - reach, 0), min(column + reach + 1, columns)):
            square = (other_row - row) ** 2 + (other_column - column) ** 2
            value = cost[other_row, other_column]
            is_reached = reached[other_row * columns + other_column] and table[0, value] > 0 and value != SQUEEZE_COST
            if square >= best or not is_reached:
                continue
            line[1, 0] = frame[0] + (other_column + 0.5) * frame[2]
            line[1, 1] = frame[1] + (other_row + 0.5) * frame[2]
            if closed_after(cost, WALLS_ONLY, line, frame) == math.inf:
                found, best = other_row * columns + other_column, square
    return found
