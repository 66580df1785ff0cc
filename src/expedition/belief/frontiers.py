"""Frontiers: where known free ground meets the unknown (Yamauchi 1997).

A frontier cell is free, has an unknown cell among its eight neighbours and no occupied one (as in MRXT); frontiers are
8-connected clusters of them. Cells are looked at again only in tiles whose map changed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN
from expedition.kernels import kernel

FAR = 1e12
"""Squared cells that are more than any map's."""


@kernel
def refresh_frontier_cells(
    state: NDArray[np.uint8], stamp: NDArray[np.int64], since: int, mask: NDArray[np.uint8], count: NDArray[np.int32]
) -> None:
    """Bring one robot's `mask` (rows, columns; 1 on frontier cells) and its `count` per tile up to date.

    Cost: the cells of the tiles stamped after `since`, and of their neighbours.
    """
    tile_rows, tile_columns = stamp.shape
    for tile_row in range(tile_rows):
        for tile_column in range(tile_columns):
            news = False
            for i in range(max(tile_row - 1, 0), min(tile_row + 2, tile_rows)):
                for j in range(max(tile_column - 1, 0), min(tile_column + 2, tile_columns)):
                    news |= stamp[i, j] > since
            if news:
                count[tile_row, tile_column] = _look_at_tile(state, tile_row * TILE, tile_column * TILE, mask)


@kernel
def _look_at_tile(state: NDArray[np.uint8], first_row: int, first_column: int, mask: NDArray[np.uint8]) -> int:
    """Fill the mask of one tile; returns how many of its cells are on a frontier.

    Most tiles that change are known all over afterwards, which one look at each cell tells.
    """
    mask[first_row : first_row + TILE, first_column : first_column + TILE] = 0
    rows, columns = state.shape
    low, high = max(first_row - 1, 0), min(first_row + TILE + 1, rows)
    left, right = max(first_column - 1, 0), min(first_column + TILE + 1, columns)
    unknown = 0
    for row in range(low, high):
        for column in range(left, right):
            unknown += state[row, column] == UNKNOWN
    if unknown == 0 or unknown == (high - low) * (right - left):
        return 0
    found = 0
    for row in range(first_row, first_row + TILE):
        for column in range(first_column, first_column + TILE):
            if state[row, column] == FREE and is_border(state, row, column):
                mask[row, column] = 1
                found += 1
    return found


@kernel
def is_border(state: NDArray[np.uint8], row: int, column: int) -> bool:
    """Whether there is an unknown cell around a cell, and no occupied one."""
    rows, columns = state.shape
    unknown = False
    for i in range(max(row - 1, 0), min(row + 2, rows)):
        for j in range(max(column - 1, 0), min(column + 2, columns)):
            if state[i, j] == OCCUPIED:
                return False
            unknown |= state[i, j] == UNKNOWN
    return unknown


@kernel
def cluster(
    mask: NDArray[np.uint8], count: NDArray[np.int32], cells: NDArray[np.int32], starts: NDArray[np.int32]
) -> int:
    """Frontier cells in clusters: `cells` (n, 2) holds row and column, cluster after cluster; returns their number.

    Cluster k is cells[starts[k] : starts[k + 1]]. Clusters and cells come in a fixed order. The mask's cells read 2
    while they are gathered and 1 again at the end. Cost: the tiles, and the frontier cells.
    """
    rows, columns = mask.shape
    clusters, filled = 0, 0
    starts[0] = 0
    for tile_row in range(count.shape[0]):
        for tile_column in range(count.shape[1]):
            if count[tile_row, tile_column] == 0:
                continue
            for row in range(tile_row * TILE, (tile_row + 1) * TILE):
                for column in range(tile_column * TILE, (tile_column + 1) * TILE):
                    if mask[row, column] != 1:
                        continue
                    mask[row, column] = 2
                    cells[filled, 0], cells[filled, 1] = row, column
                    next_cell = filled
                    filled += 1
                    while next_cell < filled:
                        at_row, at_column = cells[next_cell, 0], cells[next_cell, 1]
                        next_cell += 1
                        for i in range(max(at_row - 1, 0), min(at_row + 2, rows)):
                            for j in range(max(at_column - 1, 0), min(at_column + 2, columns)):
                                if mask[i, j] == 1:
                                    mask[i, j] = 2
                                    cells[filled, 0], cells[filled, 1] = i, j
                                    filled += 1
                    clusters += 1
                    starts[clusters] = filled
    for k in range(filled):
        mask[cells[k, 0], cells[k, 1]] = 1
    return clusters


@kernel
def middle_cells(
    cells: NDArray[np.int32],
    starts: NDArray[np.int32],
    clusters: int,
    cost: NDArray[np.uint8],
    impassable: int,
    targets: NDArray[np.int32],
    centroids: NDArray[np.float64],
    room: NDArray[np.int32],
) -> None:
    """For each cluster its centroid, how many of its cells a robot may stand on, and as target the one nearest to it.

    Where the robot can stand nowhere, any cell may be the target. `cost` holds planning costs, of which `impassable`
    and more are shut.
    """
    for k in range(clusters):
        first, last = starts[k], starts[k + 1]
        row, column = 0.0, 0.0
        for n in range(first, last):
            row += cells[n, 0]
            column += cells[n, 1]
        row, column = row / (last - first), column / (last - first)
        centroids[k, 0], centroids[k, 1] = row, column
        room[k] = 0
        nearest = np.inf
        for n in range(first, last):
            away = (cells[n, 0] - row) ** 2 + (cells[n, 1] - column) ** 2
            if cost[cells[n, 0], cells[n, 1]] < impassable:
                room[k] += 1
            else:
                away += FAR
            if away < nearest:
                nearest = away
                targets[k, 0], targets[k, 1] = cells[n, 0], cells[n, 1]
