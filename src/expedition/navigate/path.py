"""Paths: few way points instead of many cells, and whether the way along them is still open."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.kernels import kernel
from expedition.navigate.costs import SQUEEZE_COST, Bounds, CostGrid
from expedition.navigate.steps import TURNS, StepTable, U, neighbour_offsets, step_cost

Points = NDArray[np.float64]
Cells = NDArray[np.int64]
Geometry = Bounds


BEHIND, AHEAD = 0.5, 2.0
"""Metres of a path before and after where a robot is, on which it may have been held up."""
NARROW = 0.4
"""Around the first narrow cell so many metres are the same narrow place."""


@dataclass(frozen=True, eq=False)
class Path:
    """A way to drive: `points` (n, 2) in metres from start to goal, and what it `cost` the planner.

    The cost is in metres of open floor: a way near walls or through unknown ground costs more than its length.
    """

    points: Points
    cost: float

    def length(self) -> float:
        """Along the points, in metres."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())


def geometry(frame: Frame) -> Geometry:
    """A frame as kernels take it."""
    return frame.origin[0], frame.origin[1], frame.resolution


@kernel
def cells_by_descent(cost: CostGrid, table: StepTable, best: NDArray[np.int32], start: int, goal: int) -> Cells:
    """The cells of a way from `start` to `goal`, by going from each to one that it was reached from.

    `best` holds what it costs to reach each cell, of those that a search has reached. Invariant: the cost of the step
    back is exactly what `best` falls by, so that the way costs `best` at the goal. Of several ways back it keeps to the
    last direction. Empty where `best` does not fit the costs. Cost: up to eight looks a cell, twice.
    """
    cells = cost.reshape(-1)
    offsets = neighbour_offsets(cost.shape[1])
    size = 1
    for filling in range(2):
        way = np.empty(size if filling else 0, dtype=np.int64)
        cell, turn, index = U(goal), U(0), size - 1
        size = 1
        if filling:
            way[index] = goal
        while cell != U(start):
            for _ in range(TURNS):
                step = step_cost(cells, table, offsets, cell, turn)
                if step > 0 and best[cell + offsets[turn]] + step == best[cell]:
                    break
                turn = (turn + U(1)) & U(TURNS - 1)
            else:
                return np.empty(0, dtype=np.int64)
            cell += offsets[turn]
            size += 1
            if filling:
                index -= 1
                way[index] = cell
    return way


@kernel
def way_points(
    cost: CostGrid, table: StepTable, way: Cells, frame: Geometry, ends: tuple[float, float, float, float]
) -> Points:
    """The cells of a way as few points in metres, from the start to the goal in `ends` (x, y, x, y).

    From each way point the next is far along the way and seen over cells that cost no more than the way itself does
    there, in sum and at the worst, so that a shortcut never comes nearer to walls. Distances double while it is seen
    and are then halved: the sight is tested for some ten cells a way point. The ends are the exact ones where the way
    to them is open; where it is not, the middles of their cells.
    """
    columns = cost.shape[1]
    count = way.size
    points = np.empty((count + 1 if count else 0, 2))
    if count == 0:
        return points
    size = 0
    here = 0
    while True:
        points[size, 0] = frame[0] + (way[here] % columns + 0.5) * frame[2]
        points[size, 1] = frame[1] + (way[here] // columns + 0.5) * frame[2]
        size += 1
        if here == count - 1:
            break
        seen, stride = here + 1, 2
        while seen < count - 1 and _is_shortcut(cost, table, way, here, min(here + stride, count - 1)):
            seen = min(here + stride, count - 1)
            stride *= 2
        hidden = min(here + stride, count)
        while hidden - seen > 1:
            middle = (seen + hidden) // 2
            if _is_shortcut(cost, table, way, here, middle):
                seen = middle
            else:
                hidden = middle
        here = seen
    x, y = points[0, 0], points[0, 1]
    points[0, 0], points[0, 1] = ends[0], ends[1]
    if size > 1 and closed_after(cost, table, points[:2], frame) < math.inf:
        points[0, 0], points[0, 1] = x, y
    if way[count - 1] == cell_at(cost, frame, ends[2], ends[3]):
        points[size, 0], points[size, 1] = ends[2], ends[3]
        size += 1
        # The exact goal in place of its cell's middle spares the robot a turn just before it arrives.
        x, y = points[size - 2, 0], points[size - 2, 1]
        if size > 2:
            points[size - 2, 0], points[size - 2, 1] = ends[2], ends[3]
            if closed_after(cost, table, points[size - 3 : size - 1], frame) == math.inf:
                size -= 1
            else:
                points[size - 2, 0], points[size - 2, 1] = x, y
    return points[:size]


@kernel
def cell_at(cost: CostGrid, frame: Geometry, x: float, y: float) -> int:
    """The cell that holds a point, -1 outside the grid."""
    column, row = math.floor((x - frame[0]) / frame[2]), math.floor((y - frame[1]) / frame[2])
    if not (0 <= row < cost.shape[0] and 0 <= column < cost.shape[1]):
        return -1
    return int(row * cost.shape[1] + column)


@kernel
def _is_shortcut(cost: CostGrid, table: StepTable, way: Cells, first: int, last: int) -> bool:
    """Whether the straight line between two cells of a way is open, and nowhere worse than the way between them.

    Visits exactly the cells whose inside the line crosses, and both cells beside a corner that it passes through.
    """
    columns = cost.shape[1]
    cells = cost.reshape(-1)
    highest, along = 0, 0
    for index in range(first, last + 1):
        highest = max(highest, table[0, cells[way[index]]])
        if index > first:
            jump = abs(way[index] - way[index - 1])
            kind = 0 if jump == 1 or jump == columns else 1
            along += (table[kind, cells[way[index]]] + table[kind, cells[way[index - 1]]]) >> 1
    row, column = way[first] // columns, way[first] % columns
    d_row, d_column = way[last] // columns - row, way[last] % columns - column
    up, right = (1 if d_row > 0 else -1), (1 if d_column > 0 else -1)
    d_row, d_column = abs(d_row), abs(d_column)
    rows_done, columns_done = 0, 0
    total, visited = int(table[0, cost[row, column]]), 1
    while rows_done < d_row or columns_done < d_column:
        # Where the line leaves the cell: the next edge across rows or across columns, compared in whole numbers.
        across_rows, across_columns = (1 + 2 * rows_done) * d_column, (1 + 2 * columns_done) * d_row
        if across_rows == across_columns and (
            table[0, cost[row + up, column]] == 0 or table[0, cost[row, column + right]] == 0
        ):
            return False
        if across_rows <= across_columns:
            row += up
            rows_done += 1
        if across_columns <= across_rows:
            column += right
            columns_done += 1
        weight = table[0, cost[row, column]]
        if weight == 0 or weight > highest:
            return False
        total += weight
        visited += 1
    return total / visited * math.sqrt(d_row * d_row + d_column * d_column) <= along * (1.0 + 1e-3)


@kernel
def closed_after(cost: CostGrid, table: StepTable, points: Points, frame: Geometry) -> float:
    """How far along a path (metres) it first enters a cell that is closed or outside the map; infinite if nowhere.

    A robot that stands in a closed cell may leave it: closed cells at the path's beginning do not count. Cost: one look
    a cell crossed.
    """
    rows, columns = cost.shape
    travelled = 0.0
    leaving = True
    for index in range(points.shape[0]):
        x = (points[index, 0] - frame[0]) / frame[2]
        y = (points[index, 1] - frame[1]) / frame[2]
        last = min(index + 1, points.shape[0] - 1)
        dx = (points[last, 0] - frame[0]) / frame[2] - x
        dy = (points[last, 1] - frame[1]) / frame[2] - y
        # Written so that a NaN point counts as outside.
        if not (0.0 <= x < columns and 0.0 <= y < rows and 0.0 <= x + dx < columns and 0.0 <= y + dy < rows):
            return travelled
        length = math.sqrt(dx * dx + dy * dy)
        row, column = int(y), int(x)
        up, right = (1 if dy > 0.0 else -1), (1 if dx > 0.0 else -1)
        rows_left, columns_left = abs(int(y + dy) - row), abs(int(x + dx) - column)
        share_x = (column + (dx > 0.0) - x) / dx if dx != 0.0 else math.inf
        share_y = (row + (dy > 0.0) - y) / dy if dy != 0.0 else math.inf
        share = 0.0
        while True:
            if table[0, cost[row, column]] > 0:
                leaving = False
            elif not leaving:
                return travelled + share * length * frame[2]
            if rows_left == 0 and columns_left == 0:
                break
            if rows_left == 0 or (columns_left > 0 and share_x < share_y):
                share = share_x
                column += right
                columns_left -= 1
                share_x += 1.0 / abs(dx)
            else:
                share = share_y
                row += up
                rows_left -= 1
                share_y += 1.0 / abs(dy)
        travelled += length * frame[2]
    return math.inf


@kernel
def narrow_cells_ahead(
    cost: CostGrid, trail: NDArray[np.bool_], points: Points, place: tuple[float, float], frame: Geometry
) -> NDArray[np.int64]:
    """Of the path from where a robot is: the first cells where it can pass but not turn, and all such around them.

    None if there are none within `AHEAD` metres. Where the robot has been, its `trail`, is left out. Cost: a look every
    half cell, and at the cells around.
    """
    columns = cost.shape[1]
    nearest, begin = math.inf, 0.0
    for k in range(2):
        along = 0.0
        for index in range(points.shape[0] - 1):
            x, y = points[index, 0], points[index, 1]
            dx, dy = points[index + 1, 0] - x, points[index + 1, 1] - y
            length = math.sqrt(dx * dx + dy * dy)
            steps = max(math.ceil(2.0 * length / frame[2]), 1)
            for step in range(steps + 1):
                px, py = x + dx * step / steps, y + dy * step / steps
                here = along + length * step / steps
                if k == 0:
                    away = math.sqrt((px - place[0]) ** 2 + (py - place[1]) ** 2)
                    if away < nearest:
                        nearest, begin = away, here
                    continue
                cell = cell_at(cost, frame, px, py)
                if here < begin - BEHIND or here > begin + AHEAD or cell < 0:
                    continue
                row, column = cell // columns, cell % columns
                if cost[row, column] != SQUEEZE_COST or trail[row, column]:
                    continue
                reach = math.ceil(NARROW / frame[2])
                found = np.empty((2 * reach + 1) ** 2, dtype=np.int64)
                found[0], count = cell, 1
                for i in range(max(row - reach, 0), min(row + reach + 1, cost.shape[0])):
                    for j in range(max(column - reach, 0), min(column + reach + 1, columns)):
                        if cost[i, j] == SQUEEZE_COST and not trail[i, j] and not (i == row and j == column):
                            found[count] = i * columns + j
                            count += 1
                return found[:count]
            along += length
    return np.empty(0, dtype=np.int64)


def still_clear(cost: CostGrid, table: StepTable, path: Path, frame: Frame) -> float:
    """How far along `path` (metres) it first meets a closed cell of the costs as they are now; infinite if nowhere."""
    return closed_after(cost, table, path.points, geometry(frame))
