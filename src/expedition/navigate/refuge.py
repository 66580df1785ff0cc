"""Refuges: the nearest place where a robot is in the way of nobody, and the path there.

Of a teammate that is heard the robot knows where it wants to go; of one that is not it can only leave room to pass.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.kernels import kernel
from expedition.navigate.costs import HIGHEST_COST, OCCUPIED_COST, SQUEEZE_COST, CostGrid
from expedition.navigate.path import Geometry, Path, cells_by_descent, way_points
from expedition.navigate.spreading import INFINITE, Distances, Front, begin_spread, shared_front, spread
from expedition.navigate.steps import STRAIGHT, close_start, open_start, step_table

Floats = NDArray[np.float64]

REACH = 9.0
"""Metres to each side of the robot within which a refuge is looked for."""
ROOM = 0.12
"""What a refuge leaves between bodies, in metres."""
APART, MOST_PLACES = 0.25, 80
"""How far places are from each other of which it is tried whether they leave room to pass, in metres, and how many."""
NEARLY = 0.95
"""The share of all cells that must still be within reach then."""


def find_refuge(
    cost: CostGrid,
    frame: Frame,
    escape_cells: int,
    place: tuple[float, float],
    radius: float,
    lane: Floats,
    lane_radius: float,
    mates: Floats,
) -> Path | None:
    """The path from `place` to the nearest spot beside a teammate's `lane`, its place and where it wants to go.

    `lane` (n, 2) are points in metres, the first of them where that teammate, of `lane_radius`, is now: no path leads
    through it. `mates` (m, 3) are x, y and radius of others, which may have to make way in turn: paths rather lead
    around them, and no refuge is where they stand. None where there is no refuge.
    """
    around = _window(cost, frame, place)
    if around is None:
        return None
    window, start, geometry = around
    best = np.empty(window.size, dtype=np.int32)
    goal, points = search_refuge(
        window, step_table(), geometry, start, escape_cells, place, radius, lane, lane_radius, mates, best,
        shared_front(window.size),
    )  # fmt: skip
    return None if goal < 0 else Path(points, int(best[goal]) * frame.resolution / STRAIGHT)


def find_room(
    cost: CostGrid,
    frame: Frame,
    escape_cells: int,
    place: tuple[float, float],
    radius: float,
    other: tuple[float, float],
) -> Path | None:
    """The path from `place` to the nearest spot where a robot parts nothing from what stands at `other`.

    From where the robot is now to all that it could reach there must be a way past it then, for a body of its own size.
    """
    around = _window(cost, frame, place)
    if around is None:
        return None
    window, start, geometry = around
    best = np.empty(window.size, dtype=np.int32)
    goal, points = search_room(
        window, step_table(), geometry, start, escape_cells, place, radius, other, best, shared_front(window.size)
    )
    return None if goal < 0 else Path(points, int(best[goal]) * frame.resolution / STRAIGHT)


def _window(
    cost: CostGrid, frame: Frame, place: tuple[float, float]
) -> tuple[CostGrid, tuple[int, int], Geometry] | None:
    """A copy of the costs around a place, closed at its edge, the place's cell in it, and its geometry."""
    row, column = frame.cell(*place)
    reach = math.ceil(REACH / frame.resolution)
    bottom, left = max(row - reach, 0), max(column - reach, 0)
    window = cost[bottom : row + reach + 1, left : column + reach + 1].copy()
    if window.size == 0 or min(window.shape) < 3:
        return None
    window[[0, -1]] = OCCUPIED_COST
    window[:, [0, -1]] = OCCUPIED_COST
    start = row - bottom, column - left
    if not (0 < start[0] < window.shape[0] - 1 and 0 < start[1] < window.shape[1] - 1):
        return None
    geometry = (*frame.centre(bottom - 0.5, left - 0.5), frame.resolution)
    return window, start, geometry


@kernel
def search_refuge(
    cost: CostGrid,
    table: NDArray[np.int32],
    frame: Geometry,
    start: tuple[int, int],
    escape_cells: int,
    place: tuple[float, float],
    radius: float,
    lane: Floats,
    lane_radius: float,
    mates: Floats,
    best: Distances,
    front: Front,
) -> tuple[int, Floats]:
    """The cell of the nearest refuge, -1 if there is none, and the way points there. Cost: the window's cells."""
    rows, columns = cost.shape
    begin = start[0] * columns + start[1]
    # Whoever stands nearer to the teammate than both bodies take may still get away from it.
    apart = min(radius + lane_radius, math.hypot(place[0] - lane[0, 0], place[1] - lane[0, 1]))
    for row in range(rows):
        for column in range(columns):
            if cost[row, column] > SQUEEZE_COST:
                continue
            x, y = frame[0] + (column + 0.5) * frame[2], frame[1] + (row + 0.5) * frame[2]
            if math.hypot(x - lane[0, 0], y - lane[0, 1]) < apart:
                cost[row, column] = OCCUPIED_COST
            for mate in range(len(mates)):
                if math.hypot(x - mates[mate, 0], y - mates[mate, 1]) < radius + mates[mate, 2]:
                    cost[row, column] = max(cost[row, column], HIGHEST_COST)
    opened = open_start(cost, table, start[0], start[1], escape_cells)
    begin_spread(best, front, begin)
    # The target lies in the closed ring, so that everything that can be reached is settled.
    spread(cost, table, best, front, np.full(1, np.int64(0)), INFINITE - 1)
    goal, least = -1, INFINITE
    need = radius + lane_radius + ROOM
    for row in range(1, rows - 1):
        for column in range(1, columns - 1):
            cell = row * columns + column
            if best[cell] >= least or cost[row, column] >= SQUEEZE_COST:
                continue
            x, y = frame[0] + (column + 0.5) * frame[2], frame[1] + (row + 0.5) * frame[2]
            if _is_refuge(x, y, need, radius, lane, mates):
                goal, least = cell, best[cell]
    points = np.empty((0, 2))
    if goal >= 0:
        goal_x = frame[0] + (goal % columns + 0.5) * frame[2]
        goal_y = frame[1] + (goal // columns + 0.5) * frame[2]
        way = cells_by_descent(cost, table, best, begin, goal)
        points = way_points(cost, table, way, frame, (place[0], place[1], goal_x, goal_y))
    close_start(cost, opened)
    return goal, points


@kernel
def search_room(
    cost: CostGrid,
    table: NDArray[np.int32],
    frame: Geometry,
    start: tuple[int, int],
    escape_cells: int,
    place: tuple[float, float],
    radius: float,
    other: tuple[float, float],
    best: Distances,
    front: Front,
) -> tuple[int, Floats]:
    """The cell of the nearest place that leaves room, -1 if there is none, and the way points there.

    Cost: the window's cells, for each of at most `MOST_PLACES` places that are looked at.
    """
    rows, columns = cost.shape
    begin = start[0] * columns + start[1]
    apart = min(2.0 * radius, math.hypot(place[0] - other[0], place[1] - other[1]))
    for row in range(rows):
        for column in range(columns):
            x, y = frame[0] + (column + 0.5) * frame[2], frame[1] + (row + 0.5) * frame[2]
            if cost[row, column] <= SQUEEZE_COST and math.hypot(x - other[0], y - other[1]) < apart:
                cost[row, column] = OCCUPIED_COST
    opened = open_start(cost, table, start[0], start[1], escape_cells)
    begin_spread(best, front, begin)
    spread(cost, table, best, front, np.full(1, np.int64(0)), INFINITE - 1)
    need = 2.0 * radius + ROOM
    is_out = np.zeros(cost.size, dtype=np.bool_)
    seen, stack = np.empty(cost.size, dtype=np.bool_), np.empty(cost.size, dtype=np.int64)
    goal = -1
    for _ in range(MOST_PLACES):
        if goal >= 0:
            break
        nearest, least = -1, INFINITE
        for cell in range(cost.size):
            if best[cell] < least and not is_out[cell] and cost[cell // columns, cell % columns] < SQUEEZE_COST:
                nearest, least = cell, best[cell]
        if nearest < 0:
            break
        row, column = nearest // columns, nearest % columns
        if math.hypot(row - start[0], column - start[1]) * frame[2] > need and _leaves_all(
            best, columns, begin, row, column, need / frame[2], seen, stack
        ):
            goal = nearest
        reach = math.ceil(APART / frame[2])
        for i in range(max(row - reach, 0), min(row + reach + 1, rows)):
            for j in range(max(column - reach, 0), min(column + reach + 1, columns)):
                is_out[i * columns + j] = True
    points = np.empty((0, 2))
    if goal >= 0:
        goal_x = frame[0] + (goal % columns + 0.5) * frame[2]
        goal_y = frame[1] + (goal // columns + 0.5) * frame[2]
        way = cells_by_descent(cost, table, best, begin, goal)
        points = way_points(cost, table, way, frame, (place[0], place[1], goal_x, goal_y))
    close_start(cost, opened)
    return goal, points


@kernel
def _leaves_all(
    best: Distances,
    columns: int,
    begin: int,
    row: int,
    column: int,
    reach: float,
    seen: NDArray[np.bool_],
    stack: NDArray[np.int64],
) -> bool:
    """Whether all cells that were reached still are from `begin`, nearly, when a disc around a cell is taken."""
    total = taken = 0
    for cell in range(best.size):
        is_reached = best[cell] < INFINITE
        total += is_reached
        is_taken = is_reached and math.hypot(cell // columns - row, cell % columns - column) < reach
        taken += is_taken
        seen[cell] = is_taken or not is_reached
    stack[0], top, found = begin, 1, 0
    seen[begin] = True
    while top > 0:
        top -= 1
        cell = stack[top]
        found += 1
        for offset in (1, -1, columns, -columns):
            near = cell + offset
            if 0 <= near < best.size and not seen[near]:
                seen[near] = True
                stack[top] = near
                top += 1
    return found > NEARLY * (total - taken)


@kernel
def _is_refuge(x: float, y: float, need: float, radius: float, lane: Floats, mates: Floats) -> bool:
    for k in range(len(lane) - 1):
        dx, dy = lane[k + 1, 0] - lane[k, 0], lane[k + 1, 1] - lane[k, 1]
        length = dx * dx + dy * dy
        share = 0.0 if length < 1e-9 else ((x - lane[k, 0]) * dx + (y - lane[k, 1]) * dy) / length
        share = min(max(share, 0.0), 1.0)
        if math.hypot(lane[k, 0] + share * dx - x, lane[k, 1] + share * dy - y) < need:
            return False
    for mate in range(len(mates)):
        if math.hypot(x - mates[mate, 0], y - mates[mate, 1]) < radius + mates[mate, 2] + ROOM:
            return False
    return True
