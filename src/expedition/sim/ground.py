"""The terrain as the simulator needs it: solid cells and free squares at the heights that matter, at one moment.

A robot is stopped by walls that rise above its underside, a lidar sees walls that rise above its mounting height.
Heights between which no wall ends share a slice, so most terrains have one. A ground never changes: when a door
closes there is a new one, and readings of the moment before keep the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.terrain import Terrain
from expedition.terrain.squares import free_squares, with_changed_cells


class Ground(NamedTuple):
    """Slices of the terrain, lowest first: arrays over (slice, row, column)."""

    squares: NDArray[np.uint8]  # (slice, quadrant, row, column), one ring larger than the grid
    solid: NDArray[np.bool_]
    speed_percent: NDArray[np.uint8]
    resolution: float
    origin_x: float
    origin_y: float


class Slices:
    """Which heights share a slice of the terrain."""

    def __init__(self, terrain: Terrain, heights: Sequence[float]) -> None:
        walls = {int(value) for value in np.unique(terrain.wall_height_cm)} | {0}
        walls |= {round(100 * change.height) for change in terrain.changes if change.kind != "person"}
        rising = sorted(walls)
        # The tallest wall that does not reach above a height stands for all heights up to the next one.
        levels = [max(wall for wall in rising if wall <= max(0.0, 100 * height + 1e-6)) for height in heights]
        self.levels_cm = sorted(set(levels))
        self.index = [self.levels_cm.index(level) for level in levels]
        """For each of the heights given, the slice that it lies in."""


def lay_ground(terrain: Terrain, slices: Slices) -> Ground:
    """The ground of a terrain as it stands before any change."""
    solid = np.stack([terrain.wall_height_cm > level for level in slices.levels_cm])
    squares = np.stack([free_squares(layer) for layer in solid])
    # One writable-looking, contiguous type for every terrain: kernels compile once.
    speed_percent = np.ascontiguousarray(terrain.speed_percent).copy()
    return Ground(squares, solid, speed_percent, terrain.resolution, *terrain.origin)


def change_ground(
    ground: Ground, slices: Slices, wall_height_cm: NDArray[np.uint16], window: tuple[slice, slice]
) -> Ground:
    """The ground after walls inside a window of the grid have come or gone."""
    solid = ground.solid.copy()
    for layer, level in zip(solid, slices.levels_cm, strict=True):
        layer[window] = wall_height_cm[window] > level
    squares = [with_changed_cells(field, layer, window) for field, layer in zip(ground.squares, solid, strict=True)]
    return ground._replace(squares=np.stack(squares), solid=solid)
