"""Rays on a grid, exact and fast.

A ray visits the cells it crosses in order, as in Amanatides and Woo's traversal, but jumps over the whole free square
that starts at a cell towards where the ray is going. Where walls are near the squares are single cells, so the hit is
the exact intersection with the first solid cell for every ray, grazing ones included.
"""

from __future__ import annotations

import math

import numpy as np

from expedition.kernels import kernel
from expedition.terrain.squares import FreeSquares


@kernel
def cast_ray(squares: FreeSquares, x: float, y: float, dx: float, dy: float, limit: float) -> float:
    """How far a ray from (x, y) along the unit vector (dx, dy) travels before it enters a solid cell.

    All lengths are in cells from the grid's lower left corner; (x, y) must lie on the grid. Infinity if there is
    nothing within `limit` or the ray leaves the grid. Cost: one look-up for each free square crossed.

    Invariant: (row, column) is a cell that the ray enters, never beyond the first solid one. On a ray along a cell's
    edge rounding may choose either side, and an edge crossed then may lie behind; rows, columns and `travelled` never
    fall, so the ray goes on.
    """
    rows, columns = squares.shape[1] - 2, squares.shape[2] - 2
    # Mirrored, as the plane of the ray's quadrant is, every ray goes to rising rows and columns.
    quadrant = 0
    if dx < 0.0:
        x, dx, quadrant = columns - x, -dx, 1
    if dy < 0.0:
        y, dy, quadrant = rows - y, -dy, quadrant + 2
    plane = squares[quadrant]
    x += 1.0
    y += 1.0
    per_x = 1.0 / dx if dx > 0.0 else math.inf
    per_y = 1.0 / dy if dy > 0.0 else math.inf
    column, row = np.int64(x), np.int64(y)
    travelled = 0.0
    side = np.int64(plane[np.uint64(row), np.uint64(column)])
    while side != 0 and travelled <= limit:
        next_column = column + side
        next_row = row + side
        t_x = (next_column - x) * per_x
        t_y = (next_row - y) * per_y
        if t_x < t_y:
            travelled = max(travelled, t_x)
            row = min(max(np.int64(y + t_x * dy), row), next_row - 1)
            column = next_column
        else:
            travelled = max(travelled, t_y)
            column = min(max(np.int64(x + t_y * dx), column), next_column - 1)
            row = next_row
        side = np.int64(plane[np.uint64(row), np.uint64(column)])
    if travelled > limit or row > rows or column > columns:
        return math.inf
    return travelled


@kernel
def on_grid(squares: FreeSquares, x: float, y: float) -> bool:
    """Whether a point, given in cells, lies on the grid; NaN does not."""
    return bool(0.0 <= x < squares.shape[2] - 2 and 0.0 <= y < squares.shape[1] - 2)


@kernel
def in_sight(squares: FreeSquares, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether no solid cell lies between two points, given in cells; nothing is seen from outside the grid."""
    if not on_grid(squares, x0, y0):
        return False
    dx, dy = x1 - x0, y1 - y0
    distance = math.sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return True
    return cast_ray(squares, x0, y0, dx / distance, dy / distance, distance) >= distance
