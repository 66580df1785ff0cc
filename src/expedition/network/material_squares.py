"""Squares of one material: how far a line may go without meeting another, from each cell towards two quadrants.

Lines between radios have no direction, so they are followed to the right: upwards in plane 0, downwards in plane 1.
Both jump over free ground and through thick walls alike; where materials meet the squares are single cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

LARGEST = 127

MaterialSquares = NDArray[np.int8]
"""(2, rows, columns): the side of the square in cells; below zero where it is wall.

Plane 1 is mirrored so that its quadrant points to rising rows too: readers need one direction only.
"""
Booleans = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Window = tuple[slice, slice]


def material_squares(wall: Booleans, material: Bytes) -> MaterialSquares:
    """The squares of a grid, at most `LARGEST` cells wide; what free cells would be made of does not matter."""
    rows, columns = wall.shape
    squares = np.empty((2, rows, columns), dtype=np.int8)
    _grow(squares, wall, material, 0, rows, 0, columns)
    return squares


def with_changed_cells(squares: MaterialSquares, wall: Booleans, material: Bytes, window: Window) -> MaterialSquares:
    """New squares after cells inside `window` have changed: only those that may reach into it are worked out again."""
    rows, columns = window
    changed = squares.copy()
    _grow(changed, wall, material, rows.start, rows.stop, columns.start, columns.stop)
    return changed


@kernel
def _grow(
    squares: MaterialSquares, wall: Booleans, material: Bytes, bottom: int, top: int, left: int, right: int
) -> None:
    """Work out all squares that may reach into a window of the grid. One visit a cell and plane.

    A square is one cell wider than the smallest of those that start at its three neighbours within the quadrant, if all
    are of one material.
    """
    rows, columns = wall.shape
    first_column = max(0, left - LARGEST)
    for quadrant in range(2):
        plane = squares[quadrant]
        low, high = (rows - top, rows - bottom) if quadrant == 1 else (bottom, top)
        for row in range(high - 1, max(0, low - LARGEST) - 1, -1):
            here = rows - 1 - row if quadrant == 1 else row
            above = here - 1 if quadrant == 1 else here + 1
            for column in range(right - 1, first_column - 1, -1):
                side = 1
                if (
                    row + 1 < rows
                    and column + 1 < columns
                    and _alike(wall, material, here, column, here, column + 1)
                    and _alike(wall, material, here, column, above, column)
                    and _alike(wall, material, here, column, above, column + 1)
                ):
                    beside = min(abs(plane[row, column + 1]), abs(plane[row + 1, column]))
                    side = min(min(beside, abs(plane[row + 1, column + 1])) + 1, LARGEST)
                plane[row, column] = -side if wall[here, column] else side


@kernel
def _alike(wall: Booleans, material: Bytes, row: int, column: int, other_row: int, other_column: int) -> bool:
    """Whether two cells are both free, or walls of one material."""
    if wall[row, column] != wall[other_row, other_column]:
        return False
    return not wall[row, column] or material[row, column] == material[other_row, other_column]
