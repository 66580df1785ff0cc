"""Exact areas: which cells a robot of a given radius can reach."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.kernels import kernel


def disc(radius_cells: float) -> NDArray[np.bool_]:
    """The cells that a disc touches when it stands on the middle of the central one; touching an edge is free."""
    reach = math.floor(radius_cells + 0.5)
    gap = np.maximum(np.abs(np.arange(-reach, reach + 1)) - 0.5, 0.0)
    touched: NDArray[np.bool_] = np.hypot(gap[:, None], gap[None, :]) < max(radius_cells, 1e-9) - 1e-9
    touched[reach, reach] = True
    return touched


def dilate(cells: NDArray[np.bool_], radius_cells: float) -> NDArray[np.bool_]:
    """The cells that a disc touches when it stands on any of `cells`."""
    return _dilate(np.ascontiguousarray(cells), (np.count_nonzero(disc(radius_cells), axis=1) + 1) // 2 - 1)


def standing_room(occupied: NDArray[np.bool_], radius_cells: float) -> NDArray[np.bool_]:
    """The cells on whose middle a disc can stand without touching a wall; beyond the grid all is wall."""
    if 2.0 * radius_cells > min(occupied.shape) + 1:
        return np.zeros_like(occupied)
    margin = math.ceil(radius_cells) + 1
    padded = np.pad(occupied, margin, constant_values=True)
    inside = (slice(margin, -margin), slice(margin, -margin))
    return ~dilate(padded, radius_cells)[inside]


def reachable(
    occupied: NDArray[np.bool_],
    starts: Sequence[tuple[int, int]],
    radius_cells: float,
    opening_cells: float | None = None,
) -> NDArray[np.bool_]:
    """The free cells that a disc can touch when it drives, from cell to neighbouring cell, from any start.

    If `opening_cells` is more than the disc is wide, only openings of at least that width lead on; from there the disc
    still reaches into corners and bays that are no deeper than those are wide.
    """
    room = standing_room(occupied, radius_cells)
    passing_cells = 0.0 if opening_cells is None else 0.5 * opening_cells - 0.25
    if opening_cells is None or passing_cells <= radius_cells:
        reached = _joined(ndimage.label(room)[0], starts)
    else:
        reach = max(1, math.ceil(min(passing_cells, max(occupied.shape)) - radius_cells) + 1)
        wide = _joined(regions_between(occupied, opening_cells), starts, reach)
        bays = reach if wide.any() else 1
        reached = ndimage.binary_dilation(wide, np.ones((3, 3), dtype=np.bool_), iterations=bays, mask=room)
    if not reached.any():
        return np.zeros_like(occupied)
    return dilate(reached, radius_cells) & ~occupied


def regions_between(occupied: NDArray[np.bool_], opening_cells: float) -> NDArray[np.signedinteger]:
    """The regions between which no opening of such a width leads, numbered from 1; 0 where there is no room.

    An opening of an even number of cells has no cell in its middle. So cells are looked at by quarters, and half a
    quarter less than the opening is wide passes it.
    """
    quarters = np.repeat(np.repeat(occupied, 2, axis=0), 2, axis=1)
    regions: NDArray[np.signedinteger] = ndimage.label(standing_room(quarters, max(opening_cells - 0.5, 0.0)))[0]
    rows, columns = occupied.shape
    numbered: NDArray[np.signedinteger] = regions.reshape(rows, 2, columns, 2).max(axis=(1, 3))
    return numbered


def _joined(regions: NDArray[np.signedinteger], starts: Sequence[tuple[int, int]], reach: int = 1) -> NDArray[np.bool_]:
    """The cells of the regions of any start, or of a place up to so many cells from it."""
    is_reached = np.zeros(int(regions.max(initial=0)) + 1, dtype=np.bool_)
    is_reached[[_region_near(regions, row, column, reach) for row, column in starts]] = True
    is_reached[0] = False
    joined: NDArray[np.bool_] = is_reached[regions]
    return joined


def _region_near(regions: NDArray[np.signedinteger], row: int, column: int, reach: int) -> int:
    """The region of a cell, or of the nearest around it that has one: a start need not be a cell's middle."""
    bottom, left = max(row - reach, 0), max(column - reach, 0)
    around = regions[bottom : max(row + reach + 1, 0), left : max(column + reach + 1, 0)]
    cells = np.argwhere(around)
    if not len(cells):
        return 0
    nearest = cells[np.argmin(((cells - np.array([row - bottom, column - left])) ** 2).sum(axis=1))]
    return int(around[tuple(nearest)])


@kernel
def _dilate(cells: NDArray[np.bool_], widths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Dilate by a disc of which row k reaches `widths[k]` cells to either side, -1 if it is empty.

    Cost: the cells times its rows.
    """
    rows, columns = cells.shape
    far = np.int32(rows + columns)
    apart = np.empty((rows, columns), np.int32)  # From the nearest of `cells` in the same row.
    for row in range(rows):
        last = far
        for column in range(columns):
            last = np.int32(0) if cells[row, column] else last + np.int32(1)
            apart[row, column] = last
        last = far
        for column in range(columns - 1, -1, -1):
            last = np.int32(0) if cells[row, column] else last + np.int32(1)
            apart[row, column] = min(apart[row, column], last)
    grown = np.zeros((rows, columns), np.bool_)
    reach = len(widths) // 2
    for row in range(rows):
        for near in range(max(row - reach, 0), min(row + reach + 1, rows)):
            width = np.int32(widths[near - row + reach])
            for column in range(columns):
                grown[row, column] |= apart[near, column] <= width
    return grown
