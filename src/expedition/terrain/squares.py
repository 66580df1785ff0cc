"""Free squares: for each cell, how large a square of free cells starts there, towards each of the four quadrants.

What moves to the upper right may jump over the whole square that extends up and right from its cell; the same holds
for the other three. The smallest of the four tells the clearance: how far the nearest solid cell is, diagonal steps
counting as one. The field has a ring of solid cells around the grid, so that no reader of it needs to check bounds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

LARGEST = 255

FreeSquares = NDArray[np.uint8]
"""(4, rows + 2, columns + 2): one plane a quadrant, 0 right and up, 1 left and up, 2 right and down, 3 left and down.

Each plane is mirrored so that its quadrant points to rising rows and columns: readers need one direction only.
"""


def free_squares(solid: NDArray[np.bool_]) -> FreeSquares:
    """The sides of the free squares of a grid, at most `LARGEST` cells."""
    rows, columns = solid.shape
    field = np.zeros((4, rows + 2, columns + 2), dtype=np.uint8)
    grow_squares(field, solid, 0, rows, 0, columns)
    return field


def with_changed_cells(field: FreeSquares, solid: NDArray[np.bool_], window: tuple[slice, slice]) -> FreeSquares:
    """A new field after cells inside `window` of the grid `solid` have changed.

    No square that reaches the window starts farther from it than the largest one is wide, so only the cells around it
    are worked out again. Free cells that have come may join two squares and themselves into a larger one.
    """
    rows, columns = solid.shape
    tall, wide = window[0].stop - window[0].start, window[1].stop - window[1].start
    reach = min(LARGEST, 2 * int(field.max()) + max(tall, wide))
    changed = field.copy()
    grow_squares(
        changed,
        solid,
        max(0, window[0].start - reach),
        min(rows, window[0].stop + reach),
        max(0, window[1].start - reach),
        min(columns, window[1].stop + reach),
    )
    return changed


@kernel
def grow_squares(field: FreeSquares, solid: NDArray[np.bool_], bottom: int, top: int, left: int, right: int) -> None:
    """Work out the squares that start in a window of the grid; those around it must be right. One visit a cell each.

    A square is one cell wider than the smallest of those that start at its three neighbours within the quadrant.
    """
    rows, columns = solid.shape
    for quadrant in range(4):
        flip_x, flip_y = quadrant % 2 == 1, quadrant >= 2
        plane = field[quadrant]
        low_row, high_row = (rows - top, rows - bottom) if flip_y else (bottom, top)
        low_column, high_column = (columns - right, columns - left) if flip_x else (left, right)
        for row in range(high_row, low_row, -1):
            grid_row = rows - row if flip_y else row - 1
            for column in range(high_column, low_column, -1):
                side = 0
                if not solid[grid_row, columns - column if flip_x else column - 1]:
                    beside = min(plane[row, column + 1], plane[row + 1, column])
                    side = min(min(beside, plane[row + 1, column + 1]) + 1, LARGEST)
                plane[row, column] = side


@kernel
def clearance(field: FreeSquares, row: int, column: int) -> int:
    """How many cells from a cell of the grid the nearest solid one is: 1 if they touch, 0 if it is solid itself."""
    up, right = row + 1, column + 1
    down, left = field.shape[1] - 1 - up, field.shape[2] - 1 - right
    above = min(field[0, up, right], field[1, up, left])
    return int(min(above, min(field[2, down, right], field[3, down, left])))
