"""Finds frontiers in robots' maps, and keeps what it knows of each map until that map changes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.frontiers import cluster, is_border, middle_cells, refresh_frontier_cells
from expedition.belief.gain import NO_PRIOR, beams_within, unknown_in_view
from expedition.belief.grid import FREE, TILE, Grids
from expedition.belief.prior import Prior
from expedition.kernels import kernel


@dataclass(frozen=True, eq=False)
class Clusters:
    """The frontiers of a map as cells, an array over frontiers each."""

    cells: NDArray[np.int32]
    """(cells, 2): those of all, one frontier after the other."""
    starts: NDArray[np.int32]
    """Where the cells of each start, and the last's end."""
    centroids: NDArray[np.float64]
    """(n, 2): the means of their cells, ..."""
    targets: NDArray[np.int32]
    """... the cells to go to, ..."""
    room: NDArray[np.int32]
    """... and how many cells of each the robot can stand on."""

    def __len__(self) -> int:
        return len(self.room)

    def cells_of(self, k: int) -> NDArray[np.int32]:
        """(n, 2): the cells of one."""
        return self.cells[self.starts[k] : self.starts[k + 1]]


KEPT = 64
"""So many places are kept for each robot with what is in view of them."""


class FrontierFinder:
    """The frontier cells of all robots' maps."""

    def __init__(self, grids: Grids, prior: Prior | None = None) -> None:
        robots, tiles, cells = len(grids.state), grids.frame.tiles, grids.frame.rows * grids.frame.columns
        self._grids = grids
        self._prior = prior
        self._mask: NDArray[np.uint8] = np.zeros(grids.state.shape, dtype=np.uint8)
        self._count: NDArray[np.int32] = np.zeros((robots, *tiles), dtype=np.int32)
        self._since = [-1] * robots
        self._cells = np.empty((cells, 2), dtype=np.int32)
        self._starts = np.empty(cells + 1, dtype=np.int32)
        self._marks = np.zeros(grids.frame.shape, dtype=np.int32)
        self._mark = 0
        self._in_view: list[dict[tuple[int, int, float], int]] = [{} for _ in range(robots)]
        self._counted_at: list[dict[tuple[int, int, float], int]] = [{} for _ in range(robots)]

    def find(self, robot: int, tick: int, cost: NDArray[np.uint8], impassable: int) -> Clusters:
        """All frontiers of a robot's map."""
        self._refresh(robot, tick)
        return gather(self._mask[robot], self._count[robot], self._cells, self._starts, cost, impassable)

    def _refresh(self, robot: int, tick: int) -> None:
        """Look again at what changed in a robot's map up to `tick`, whose changes must all be in the map already."""
        if self._since[robot] < tick:
            refresh_frontier_cells(
                self._grids.state[robot],
                self._grids.state_stamp[robot],
                self._since[robot],
                self._mask[robot],
                self._count[robot],
            )
            self._since[robot] = tick

    def remaining(self, robot: int, cells: NDArray[np.int32]) -> float:
        """The share of some cells that are still on a frontier."""
        return count_borders(self._grids.state[robot], cells) / len(cells)

    def unknown_in_view_by(self, robot: int, tick: int, row: int, column: int, radius: float) -> int:
        """As `unknown_in_view`, of the map up to `tick` as for `find`: not counted again where nothing has changed."""
        kept, counted_at, place = self._in_view[robot], self._counted_at[robot], (row, column, radius)
        if place in kept:
            reach = math.ceil(radius) + 1
            bottom, left = max(row - reach, 0) // TILE, max(column - reach, 0) // TILE
            top, right = (row + reach) // TILE + 1, (column + reach) // TILE + 1
            if self._grids.state_stamp[robot, bottom:top, left:right].max() <= counted_at[place]:
                return kept[place]
        elif len(kept) >= KEPT:
            kept.clear()
            counted_at.clear()
        kept[place] = self.unknown_in_view(robot, row, column, radius)
        counted_at[place] = tick
        return kept[place]

    def unknown_in_view(self, robot: int, row: int, column: int, radius: float) -> int:
        """How many unknown cells should be in view from a cell, within a radius in cells; a prior's walls hide some."""
        self._mark += 1
        prior = NO_PRIOR if self._prior is None else self._prior.layer(robot)
        return unknown_in_view(
            self._grids.state[robot], prior, row, column, radius, beams_within(radius), self._marks, self._mark
        )


def gather(
    mask: NDArray[np.uint8], count: NDArray[np.int32], cells: NDArray[np.int32], starts: NDArray[np.int32],
    cost: NDArray[np.uint8], impassable: int,
) -> Clusters:  # fmt: skip
    """The frontiers that frontier cells form; `cells` and `starts` are room to work in."""
    number = cluster(mask, count, cells, starts)
    targets = np.empty((number, 2), dtype=np.int32)
    centroids = np.empty((number, 2))
    room = np.empty(number, dtype=np.int32)
    middle_cells(cells, starts, number, cost, impassable, targets, centroids, room)
    return Clusters(cells[: starts[number]].copy(), starts[: number + 1].copy(), centroids, targets, room)


@kernel
def count_borders(state: NDArray[np.uint8], cells: NDArray[np.int32]) -> int:
    """How many of the cells are frontier cells of a map. Cost: nine looks a cell."""
    found = 0
    for k in range(len(cells)):
        row, column = cells[k, 0], cells[k, 1]
        if state[row, column] == FREE and is_border(state, row, column):
            found += 1
    return found
