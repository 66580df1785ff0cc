"""The monitor of robots that each have a frame of their own: every map is scored against the truth in that frame.

Poses, what was explored and who saw it first are in the world's frame, as for all.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.fleet import Fleet
from expedition.fleet.clearance import MARGIN
from expedition.fleet.reach import reachable_ground
from expedition.kernels import kernel
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.monitor import Floats, Monitor
from expedition.starts import into_world
from expedition.terrain import Terrain


class MonitorApart(Monitor):
    """A monitor of robots whose maps, of the frame `maps`, begin at their starts; `frame` is the world's."""

    def __init__(self, terrain: Terrain, fleet: Fleet, frame: Frame, maps: Frame, margin: float = MARGIN) -> None:
        super().__init__(GroundTruth.of(terrain, fleet, frame, margin), fleet, frame)
        self._terrain = terrain
        self._margin = margin
        self._fleet = fleet
        self._maps = maps

    def truth_of(self, robot: int, terrain: Terrain | None = None) -> GroundTruth:
        """The truth in the robot's frame."""
        return truth_from_start(terrain or self._terrain, self._fleet, self._maps, robot, self._margin)

    def in_world(self, robot: int, layer: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A layer of the robot's frame drawn into the world's, each cell from the one that holds its middle."""
        return in_world(layer, _grid_of(self._maps), self._fleet.poses[robot], _grid_of(self.frame), self.frame.shape)

    def poses_in_world(self, poses: Floats) -> Floats:
        """Believed poses (robots, 3), each in the frame of its robot, in the world's."""
        return into_world(poses, self._fleet.poses)


def truth_from_start(terrain: Terrain, fleet: Fleet, frame: Frame, robot: int, margin: float = MARGIN) -> GroundTruth:
    """The terrain on the grid of a robot's map, as `GroundTruth.of` does it for the world's frame."""
    reachable = reachable_ground(terrain, fleet, frame.resolution, margin)
    parts = max(2, math.ceil(frame.resolution / terrain.resolution - 1e-9))
    ground = np.array([*terrain.origin, terrain.resolution])
    truth = GroundTruth(np.empty(frame.shape, dtype=np.uint8), np.empty(frame.shape, dtype=np.bool_))
    _turned_ground(
        terrain.occupied, reachable, ground, fleet.poses[robot], _grid_of(frame), parts, truth.state, truth.explorable
    )
    return truth


def _grid_of(frame: Frame) -> Floats:
    return np.array([frame.origin[0], frame.origin[1], frame.resolution])


@kernel
def _turned_ground(
    occupied: NDArray[np.bool_],
    reachable: NDArray[np.bool_],
    ground: Floats,
    pose: Floats,
    grid: Floats,
    parts: int,
    state: NDArray[np.uint8],
    explorable: NDArray[np.bool_],
) -> None:
    """Fill a truth by looking at `parts` x `parts` points of each of its cells. Cost: these points.

    `ground` and `grid` are the origin (x, y) and the cells' side of the terrain and of the truth.
    """
    c, s = math.cos(pose[2]), math.sin(pose[2])
    rows, columns = occupied.shape
    for i in range(state.shape[0]):
        for j in range(state.shape[1]):
            inside, hit, free = True, False, True
            for part in range(parts * parts):
                x = grid[0] + (j + (part % parts + 0.5) / parts) * grid[2]
                y = grid[1] + (i + (part // parts + 0.5) / parts) * grid[2]
                column = math.floor((pose[0] + c * x - s * y - ground[0]) / ground[2] + 1e-6)
                row = math.floor((pose[1] + s * x + c * y - ground[1]) / ground[2] + 1e-6)
                if 0 <= row < rows and 0 <= column < columns:
                    hit = hit or occupied[row, column]
                    free = free and reachable[row, column]
                else:
                    inside = False
            state[i, j] = OCCUPIED if hit else FREE if inside else UNKNOWN
            explorable[i, j] = inside and free


@kernel
def in_world(
    layer: NDArray[np.uint8], grid: Floats, pose: Floats, world: Floats, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Pull each cell of the world from a layer whose frame lies at `pose`. Cost: one look-up a cell."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    out = np.zeros(shape, dtype=np.uint8)
    for i in range(shape[0]):
        for j in range(shape[1]):
            x = world[0] + (j + 0.5) * world[2] - pose[0]
            y = world[1] + (i + 0.5) * world[2] - pose[1]
            column = math.floor((c * x + s * y - grid[0]) / grid[2])
            row = math.floor((c * y - s * x - grid[1]) / grid[2])
            if 0 <= row < layer.shape[0] and 0 <= column < layer.shape[1]:
                out[i, j] = layer[row, column]
    return out
