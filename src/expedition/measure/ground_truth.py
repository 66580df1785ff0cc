"""The truth on the grid of the maps: what there is to explore, and what maps are compared with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.fleet.clearance import MARGIN
from expedition.fleet.reach import reachable_ground, share_of
from expedition.terrain import Terrain

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GroundTruth:
    """A terrain on the grid of the maps."""

    state: NDArray[np.uint8]
    """FREE or OCCUPIED by a wall in any part; UNKNOWN beyond the terrain."""
    explorable: NDArray[np.bool_]
    """Cells that are free in all parts and that some robot of the fleet can reach or touch."""
    reachable_share: float = math.nan
    """The share of the terrain's free ground that the fleet can reach or touch."""

    @classmethod
    def of(cls, terrain: Terrain, fleet: Fleet, frame: Frame, margin: float = MARGIN) -> GroundTruth:
        """Look at four points of each cell, or more where the terrain's cells are finer.

        `margin` is what robots at their slowest keep from walls, in metres.
        """
        reachable = reachable_ground(terrain, fleet, frame.resolution, margin)
        inside = np.ones(frame.shape, dtype=bool)
        occupied = np.zeros(frame.shape, dtype=bool)
        explorable = np.ones(frame.shape, dtype=bool)
        for on_grid, at in _parts(terrain, frame):
            inside &= on_grid
            occupied |= terrain.occupied[at] & on_grid
            explorable &= reachable[at] & on_grid
        state = np.where(occupied, OCCUPIED, np.where(inside, FREE, UNKNOWN)).astype(np.uint8)
        if not explorable.any():
            raise ExpeditionError(
                f"terrain {terrain.name!r}: no cell of {frame.resolution:g} m lies wholly on ground that the fleet can "
                "reach; take a finer resolution"
            )
        return cls(state, explorable, share_of(terrain, reachable))

    def changed(self, terrain: Terrain, frame: Frame) -> GroundTruth:
        """The same ground to explore, with the walls as they stand in `terrain` now."""
        occupied = np.zeros(frame.shape, dtype=bool)
        for on_grid, at in _parts(terrain, frame):
            occupied |= terrain.occupied[at] & on_grid
        state = np.where(occupied, OCCUPIED, np.where(self.state == UNKNOWN, UNKNOWN, FREE)).astype(np.uint8)
        return GroundTruth(state, self.explorable, self.reachable_share)


Part = tuple[NDArray[np.bool_], tuple[NDArray[np.int64], ...]]


def _parts(terrain: Terrain, frame: Frame) -> Iterator[Part]:
    """For each part of a cell, whether it lies on the terrain, and the terrain's cells there, over the whole frame."""
    parts = max(2, math.ceil(frame.resolution / terrain.resolution - 1e-9))
    offsets = (np.arange(parts) + 0.5) / parts
    scale = frame.resolution, terrain.resolution
    rows = _indices(frame.rows, offsets, frame.origin[1] - terrain.origin[1], *scale)
    columns = _indices(frame.columns, offsets, frame.origin[0] - terrain.origin[0], *scale)
    for row in rows:
        for column in columns:
            on_grid = ((row >= 0) & (row < terrain.shape[0]))[:, None] & (column >= 0) & (column < terrain.shape[1])
            yield on_grid, np.ix_(row.clip(0, terrain.shape[0] - 1), column.clip(0, terrain.shape[1] - 1))


def _indices(
    cells: int, offsets: Floats, shift: float, resolution: float, terrain_resolution: float
) -> list[NDArray[np.int64]]:
    """For each offset within a cell, the terrain's row or column at that part of all cells."""
    return [
        np.floor((shift + (np.arange(cells) + offset) * resolution) / terrain_resolution + 1e-6).astype(np.int64)
        for offset in offsets
    ]
