"""Coarse planning costs: two by two cells as one, for distance fields, which then cost a quarter.

A coarse cell is as cheap as the cheapest of its four; of rough ones, as the smoothest. Walls stay closed as long as the
robot's passing radius is more than a cell's diagonal: then closed cells around even the thinnest wall fill whole coarse
cells. For smaller robots there is no coarse grid. Thin stripes of unknown ground do not stay closed: where there is a
path at all, only the fine costs say.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import TILE, Frame
from expedition.kernels import kernel
from expedition.navigate.costs import OCCUPIED_COST, CostGrid, Costs


class CoarseCosts:
    """One robot's costs at half the resolution, kept up to date with the fine ones."""

    def __init__(self, fine: Costs) -> None:
        frame = fine.frame
        self._fine = fine
        self._since = -1
        self.frame = Frame(frame.origin, 2.0 * frame.resolution, frame.rows // 2, frame.columns // 2)
        self.cost: CostGrid = np.empty(self.frame.shape, dtype=np.uint8)
        halve(fine.cost, np.zeros(frame.tiles, dtype=np.int64), -1, 0, self.cost)
        self.escape_cells = math.ceil(fine.circumradius / self.frame.resolution) + 1

    def refresh(self, state_stamp: NDArray[np.int64], tick: int) -> None:
        """Follow the fine costs, themselves up to date, to `tick`."""
        stamps = self._fine.stamps(state_stamp, self._since)
        halve(self._fine.cost, stamps, self._since, self._fine.reach_cells, self.cost)
        self._since = tick


def may_be_coarse(costs: Costs) -> bool:
    """Whether walls stay closed to a robot of this size when cells are joined."""
    return costs.passing > math.sqrt(2.0) * costs.frame.resolution


@kernel
def halve(fine: CostGrid, state_stamp: NDArray[np.int64], since: int, reach: int, coarse: CostGrid) -> None:
    """Redo the coarse cells around all tiles stamped after `since`, as far as their fine cells may have changed.

    The outermost ring is closed, as that of the fine costs. Cost: the cells of those tiles and around them.
    """
    rows, columns = coarse.shape
    for tile_row in range(state_stamp.shape[0]):
        for tile_column in range(state_stamp.shape[1]):
            if state_stamp[tile_row, tile_column] <= since:
                continue
            bottom = max((tile_row * TILE - reach) // 2, 0)
            top = min(((tile_row + 1) * TILE + reach + 1) // 2, rows)
            left = max((tile_column * TILE - reach) // 2, 0)
            right = min(((tile_column + 1) * TILE + reach + 1) // 2, columns)
            for row in range(bottom, top):
                for column in range(left, right):
                    coarse[row, column] = min(
                        min(fine[2 * row, 2 * column], fine[2 * row, 2 * column + 1]),
                        min(fine[2 * row + 1, 2 * column], fine[2 * row + 1, 2 * column + 1]),
                    )
    coarse[0, :] = OCCUPIED_COST
    coarse[rows - 1, :] = OCCUPIED_COST
    coarse[:, 0] = OCCUPIED_COST
    coarse[:, columns - 1] = OCCUPIED_COST
