"""What lies on straight lines between radios: how many walls, how much of them, and what they take of a signal.

A line visits the squares of one material that it crosses in order and adds up the exact lengths between their borders.
A wall is a stretch of wall cells without a gap, whatever they are made of. Ground beyond the grid is free.

Two rules keep rounding from deciding: points are placed to a `LATTICE` of a cell, so that one on an edge lies on the
edge and belongs to the cell above or right of it; and walls and gaps shorter than `GRAZE` do not count, as where a
line runs through the corner of a cell. Their lengths do.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network.material_squares import Bytes, MaterialSquares

LATTICE = 4096
"""Places within a cell, along each axis."""
GRAZE = 1.0 / 1024.0
"""The shortest stretch of wall, or of free ground between two, that counts, in cells."""
ANY_NUMBER = np.iinfo(np.int64).max

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Crossed(NamedTuple):
    """What lies on lines, an array over lines each."""

    walls: Integers
    metres: Floats
    """Of the line that lie within walls."""
    loss_db: Floats
    """What the walls take, by material and length."""


class Bearable(NamedTuple):
    """What a line may cross before it is of no use to follow it further, an array over lines each."""

    walls: Integers
    """-1 where the line is of no use whatever it crosses."""
    loss_db: Floats


@kernel
def cross_lines(
    squares: MaterialSquares, material: Bytes, db_per_m: Floats, resolution: float,
    starts: Floats, ends: Floats, first: Integers, second: Integers,
    most_walls: Integers, most_db: Floats,
    walls: Integers, metres: Floats, loss_db: Floats,
) -> None:  # fmt: skip
    """Follow the line from `starts[first]` to `ends[second]`, in cells, for each pair that may bear any wall."""
    for line in range(len(first)):
        if most_walls[line] >= 0:
            start, end = starts[first[line]], ends[second[line]]
            walls[line], length, loss = cross_line(
                squares, material, db_per_m, start[0], start[1], end[0], end[1],
                most_walls[line], most_db[line] / resolution,
            )  # fmt: skip
            metres[line] = length * resolution
            loss_db[line] = loss * resolution


@kernel
def cross_line(
    squares: MaterialSquares, material: Bytes | None, db_per_m: Floats,
    x0: float, y0: float, x1: float, y1: float, most_walls: int, most_loss: float,
) -> tuple[int, float, float]:  # fmt: skip
    """Walls crossed between two points, their length and that length times the materials' loss a metre, in cells.

    Without `material` walls are only counted, which is faster, and the others are 0.
    Stops short once there are more walls than `most_walls` or there is more loss than `most_loss`. The same for both
    directions, as lines are always followed to the right. Cost: one look-up a square crossed.

    Invariant: the line has been followed for the share `travelled`, where it enters (row, column); none of them ever
    falls. Without branches where it can be: which side of a square a line leaves by is anyone's guess.
    """
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    rows, columns = squares.shape[1], squares.shape[2]
    down = y1 < y0
    if down:
        y0, y1 = rows - y0, rows - y1
    plane = np.uint64(1 if down else 0)
    dx, dy = x1 - x0, y1 - y0
    distance = math.sqrt(dx * dx + dy * dy)
    per_x = 1.0 / dx if dx > 0.0 else math.inf
    per_y = 1.0 / dy if dy > 0.0 else math.inf
    travelled, limit = 0.0, 1.0
    if dx > 0.0:
        travelled, limit = max(travelled, -x0 * per_x), min(limit, (columns - x0) * per_x)
    elif not 0.0 <= x0 < columns:
        return 0, 0.0, 0.0
    if dy > 0.0:
        travelled, limit = max(travelled, -y0 * per_y), min(limit, (rows - y0) * per_y)
    elif not 0.0 <= y0 < rows:
        return 0, 0.0, 0.0
    if not travelled < limit or distance == 0.0:
        return 0, 0.0, 0.0
    column = min(np.int64(x0 + travelled * dx), columns - 1)
    row = min(np.int64(y0 + travelled * dy), rows - 1)

    walls, length, loss = 0, 0.0, 0.0
    graze, most_loss = GRAZE / distance, most_loss / distance
    # The wall that was met last; none yet.
    since, until = 0.0, -math.inf
    while travelled < limit and row < rows and column < columns:
        here, there = np.uint64(row), np.uint64(column)
        side = np.int64(squares[plane, here, there])
        next_row, next_column = row + abs(side), column + abs(side)
        t_x, t_y = (next_column - x0) * per_x, (next_row - y0) * per_y
        to_right = t_x < t_y
        t = t_x if to_right else t_y
        row_there = min(max(np.int64(y0 + t * dy), row), next_row - 1)
        column_there = min(max(np.int64(x0 + t * dx), column), next_column - 1)
        row = row_there if to_right else next_row
        column = next_column if to_right else column_there
        reached = min(max(travelled, t), limit)
        if side < 0:
            if material is not None:
                grid_row = np.uint64(rows - 1) - here if down else here
                length += reached - travelled
                loss += (reached - travelled) * db_per_m[material[grid_row, there]]
            if travelled - until > graze:
                walls += until - since > graze
                since = travelled
            until = reached
            if loss > most_loss or walls + (until - since > graze) > most_walls:
                break
        travelled = reached
    walls += until - since > graze
    return walls, length * distance, loss * distance
