"""Rectangles of one material: how far a line may go without meeting another, from each cell towards two quadrants.

Lines between radios have no direction, so they are followed to the right: upwards in plane 0, downwards in plane 1.
Both jump over free ground and through thick walls alike; where materials meet the rectangles are narrow.

A rectangle is the largest square that starts at its cell, drawn out to the right or upwards, whichever takes it
farther: a line that nears a wall at a low angle jumps to it at once, where squares would lead it there in ever smaller
steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

LARGEST = 127
"""Cells to a side."""
WALL = 1 << 14

MaterialRectangles = NDArray[np.uint16]
"""(2, rows, columns): how many cells the rectangle is tall, 128 times how many it is wide, and `WALL` where it is wall.

Plane 1 is mirrored so that its quadrant points to rising rows too: readers need one direction only.
"""
Booleans = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Window = tuple[slice, slice]


def material_rectangles(wall: Booleans, material: Bytes) -> MaterialRectangles:
    """The rectangles of a grid, at most `LARGEST` cells wide; what free cells would be made of does not matter."""
    rows, columns = wall.shape
    rectangles = np.empty((2, rows, columns), dtype=np.uint16)
    _grow(rectangles, wall, material, 0, rows, 0, columns)
    return rectangles


def with_changed_cells(
    rectangles: MaterialRectangles, wall: Booleans, material: Bytes, window: Window
) -> MaterialRectangles:
    """New rectangles after cells inside `window` have changed: only those that may reach it are worked out again."""
    rows, columns = window
    changed = rectangles.copy()
    _grow(changed, wall, material, rows.start, rows.stop, columns.start, columns.stop)
    return changed


@kernel
def tall(rectangle: int | np.integer) -> int:
    """How many cells high a rectangle is."""
    return int(rectangle & LARGEST)


@kernel
def wide(rectangle: int | np.integer) -> int:
    """How many cells wide it is."""
    return int(rectangle >> 7 & LARGEST)


@kernel
def _side(rectangle: int | np.integer) -> int:
    """That of the square which it was drawn out from."""
    return min(tall(rectangle), wide(rectangle))


@kernel
def _grow(
    rectangles: MaterialRectangles, wall: Booleans, material: Bytes, bottom: int, top: int, left: int, right: int
) -> None:
    """Work out all rectangles that may reach into a window of the grid. One visit a cell and plane.

    A square is one cell wider than the smallest of those that start at its three neighbours within the quadrant, if all
    are of one material. What the square of a neighbour was drawn out to holds for one that is no larger, too. How far
    that is at the window's edge is found by starting `LARGEST` cells beyond it: there it has ended, or is as far as
    it may be.
    """
    rows, columns = wall.shape
    first_column, last_column = max(0, left - LARGEST), min(columns, right + LARGEST)
    for quadrant in range(2):
        plane = rectangles[quadrant]
        low, high = (rows - top, rows - bottom) if quadrant == 1 else (bottom, top)
        last_row = min(rows, high + LARGEST)
        # Of the row above: the squares, and how far they were drawn out upwards.
        sides, ups = np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64)
        for column in range(first_column, min(last_column + 1, columns) if last_row < rows else first_column):
            sides[column] = ups[column] = _side(plane[last_row, column])
        for row in range(last_row - 1, max(0, low - LARGEST) - 1, -1):
            here = rows - 1 - row if quadrant == 1 else row
            above = here - 1 if quadrant == 1 else here + 1
            diagonal = sides[last_column]
            sides[last_column] = _side(plane[row, last_column]) if last_column < columns else 0
            beside = along = int(sides[last_column])
            for column in range(last_column - 1, first_column - 1, -1):
                is_wide = beside > 0 and _alike(wall, material, here, column, here, column + 1)
                is_tall = sides[column] > 0 and _alike(wall, material, here, column, above, column)
                side = 1
                if is_wide and is_tall and _alike(wall, material, here, column, above, column + 1):
                    side = min(int(min(min(beside, sides[column]), diagonal)) + 1, LARGEST)
                along = min(along + 1, LARGEST) if is_wide and beside >= side else side
                up = min(ups[column] + 1, LARGEST) if is_tall and sides[column] >= side else side
                beside, diagonal = side, sides[column]
                sides[column], ups[column] = side, up
                if row < high and column < right:
                    size = side + 128 * along if along >= up else up + 128 * side
                    plane[row, column] = size + (WALL if wall[here, column] else 0)


@kernel
def _alike(wall: Booleans, material: Bytes, row: int, column: int, other_row: int, other_column: int) -> bool:
    """Whether two cells are both free, or walls of one material."""
    if wall[row, column] != wall[other_row, other_column]:
        return False
    return not wall[row, column] or material[row, column] == material[other_row, other_column]
