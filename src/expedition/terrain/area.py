"""Exact areas: which cells a robot of a given radius can reach."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage


def disc(radius_cells: float) -> NDArray[np.bool_]:
    """The cells that a disc touches when it stands on the middle of the central one; touching an edge is free."""
    reach = math.floor(radius_cells + 0.5)
    gap = np.maximum(np.abs(np.arange(-reach, reach + 1)) - 0.5, 0.0)
    touched: NDArray[np.bool_] = np.hypot(gap[:, None], gap[None, :]) < max(radius_cells, 1e-9) - 1e-9
    touched[reach, reach] = True
    return touched


def dilate(cells: NDArray[np.bool_], radius_cells: float) -> NDArray[np.bool_]:
    """The cells that a disc touches when it stands on any of `cells`."""
    if radius_cells <= 12:
        grown: NDArray[np.bool_] = ndimage.binary_dilation(cells, structure=disc(radius_cells))
        return grown
    # A large disc: its edge is straight enough for distances between half-cell lattice points, which are exact.
    if not cells.any():
        return cells.copy()
    rows, columns = cells.shape
    lattice = np.zeros((2 * rows + 1, 2 * columns + 1), dtype=bool)
    for down in range(3):
        for right in range(3):
            lattice[down : down + 2 * rows : 2, right : right + 2 * columns : 2] |= cells
    distance = ndimage.distance_transform_edt(~lattice)[1::2, 1::2]
    near: NDArray[np.bool_] = distance < 2.0 * radius_cells - 1e-9
    return near


def standing_room(occupied: NDArray[np.bool_], radius_cells: float) -> NDArray[np.bool_]:
    """The cells on whose middle a disc can stand without touching a wall; beyond the grid all is wall."""
    if 2.0 * radius_cells > min(occupied.shape) + 1:
        return np.zeros_like(occupied)
    margin = math.ceil(radius_cells) + 1
    padded = np.pad(occupied, margin, constant_values=True)
    inside = (slice(margin, -margin), slice(margin, -margin))
    return ~dilate(padded, radius_cells)[inside]


def reachable(occupied: NDArray[np.bool_], starts: Sequence[tuple[int, int]], radius_cells: float) -> NDArray[np.bool_]:
    """The free cells that a disc can touch when it drives, from cell to neighbouring cell, from any start."""
    room = standing_room(occupied, radius_cells)
    regions, _ = ndimage.label(room)
    reached = {region for row, column in starts if (region := _region_near(regions, row, column))}
    if not reached:
        return np.zeros_like(occupied)
    return dilate(np.isin(regions, list(reached)), radius_cells) & ~occupied


def _region_near(regions: NDArray[np.signedinteger], row: int, column: int) -> int:
    """The region of a cell, or of the first one around it that has one: a start need not be a cell's middle."""
    around = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    for down, right in around:
        y, x = row + down, column + right
        if 0 <= y < regions.shape[0] and 0 <= x < regions.shape[1] and regions[y, x]:
            return int(regions[y, x])
    return 0
