"""Rays on a grid, exact and fast.

A ray visits the cells it crosses in order, as in Amanatides and Woo's traversal, but jumps over the whole free square
around a cell that the clearance field promises. Where walls are near the squares are single cells, so the hit is the
exact intersection with the first solid cell for every ray, grazing ones included.
"""

from __future__ import annotations

import math

import numpy as np

from expedition.kernels import kernel
from expedition.terrain.clearance import Clearance


@kernel
def cast_ray(field: Clearance, x: float, y: float, dx: float, dy: float, limit: float) -> float:
    """How far a ray from (x, y) along the unit vector (dx, dy) travels before it enters a solid cell.

    All lengths are in cells from the grid's lower left corner. Infinity if there is nothing within `limit` or the ray
    leaves the grid. Cost: one look-up for each free square crossed.

    Invariant: (row, column) is the cell that the ray enters at distance t, never beyond the first solid one. On a
    ray along a cell's edge rounding may choose either side, so the other edge can lie behind t; t never falls.
    """
    rows, columns = field.shape[0] - 2, field.shape[1] - 2
    if not (0.0 <= x < columns and 0.0 <= y < rows):
        return math.inf
    x += 1.0
    y += 1.0
    column, row = np.int64(x), np.int64(y)
    per_x = 1.0 / dx if dx != 0.0 else math.inf
    per_y = 1.0 / dy if dy != 0.0 else math.inf
    step_x = -1 if dx < 0.0 else 1
    step_y = -1 if dy < 0.0 else 1
    edge_x = 1.0 - x if dx < 0.0 else -x
    edge_y = 1.0 - y if dy < 0.0 else -y
    t = 0.0
    clear = np.int64(field[np.uint64(row), np.uint64(column)])
    while clear != 0 and t <= limit:
        next_column = column + step_x * clear
        next_row = row + step_y * clear
        t_x = (next_column + edge_x) * per_x
        t_y = (next_row + edge_y) * per_y
        if t_x < t_y:
            t = max(t, t_x)
            row = min(max(np.int64(y + t * dy), row - clear + 1), row + clear - 1)
            column = next_column
        else:
            t = max(t, t_y)
            column = min(max(np.int64(x + t * dx), column - clear + 1), column + clear - 1)
            row = next_row
        clear = np.int64(field[np.uint64(row), np.uint64(column)])
    if t > limit or row < 1 or row > rows or column < 1 or column > columns:
        return math.inf
    return t


@kernel
def in_sight(field: Clearance, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether no solid cell lies between two points, given in cells."""
    dx, dy = x1 - x0, y1 - y0
    distance = math.sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return True
    return cast_ray(field, x0, y0, dx / distance, dy / distance, distance) >= distance
