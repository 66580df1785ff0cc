"""The clearance field: for each cell, how many cells away the nearest solid one is, diagonal steps counting as one.

A cell with clearance d > 0 is the middle of a square of free cells that reaches d - 1 cells to every side, so a ray,
a footprint or a planner may jump over all of it at once. The field has a ring of solid cells around the grid: no
reader of it needs to check bounds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

FARTHEST = 255

Clearance = NDArray[np.uint8]


def clearance(solid: NDArray[np.bool_]) -> Clearance:
    """The clearance field of a grid, one ring larger than the grid on every side."""
    rows, columns = solid.shape
    field = np.zeros((rows + 2, columns + 2), dtype=np.uint8)
    field[1:-1, 1:-1] = np.where(solid, 0, FARTHEST)
    spread_clearance(field, 1, rows + 1, 1, columns + 1)
    return field


def with_changed_cells(field: Clearance, solid: NDArray[np.bool_], window: tuple[slice, slice]) -> Clearance:
    """A new field after cells inside `window` of the grid `solid` have changed.

    No cell farther away than `FARTHEST` can feel the change, so only the cells around it are worked out again.
    """
    rows, columns = solid.shape
    top, bottom = max(0, window[0].start - FARTHEST), min(rows, window[0].stop + FARTHEST)
    left, right = max(0, window[1].start - FARTHEST), min(columns, window[1].stop + FARTHEST)
    changed = field.copy()
    changed[top + 1 : bottom + 1, left + 1 : right + 1] = np.where(solid[top:bottom, left:right], 0, FARTHEST)
    spread_clearance(changed, top + 1, bottom + 1, left + 1, right + 1)
    return changed


@kernel
def spread_clearance(field: Clearance, top: int, bottom: int, left: int, right: int) -> None:
    """Lower every cell of a window to one more than its smallest neighbour: forth and back, two visits a cell."""
    for row in range(top, bottom):
        for column in range(left, right):
            near = min(
                min(field[row - 1, column - 1], field[row - 1, column]),
                min(field[row - 1, column + 1], field[row, column - 1]),
            )
            if near < field[row, column] - 1 and field[row, column] > 0:
                field[row, column] = near + 1
    for row in range(bottom - 1, top - 1, -1):
        for column in range(right - 1, left - 1, -1):
            near = min(
                min(field[row + 1, column - 1], field[row + 1, column]),
                min(field[row + 1, column + 1], field[row, column + 1]),
            )
            if near < field[row, column] - 1 and field[row, column] > 0:
                field[row, column] = near + 1
