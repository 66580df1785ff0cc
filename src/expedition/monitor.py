"""The monitor: takes measurements while a mission runs and says when it is over. It alone knows the truth.

Explored is scored cell by cell against the truth: a cell of the map counts when it lies on ground that the fleet could
reach and the map knows it. A distorted map cannot inflate that; how wrong a map is, its error says apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, Grids
from expedition.fleet import Fleet
from expedition.kernels import kernel
from expedition.sim.protocol import Truth
from expedition.terrain import Terrain

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GroundTruth:
    """A terrain on the grid of the maps."""

    state: NDArray[np.uint8]
    """FREE or OCCUPIED by a wall in any part; UNKNOWN beyond the terrain."""
    explorable: NDArray[np.bool_]
    """Cells that are free in all parts and that some robot of the fleet can reach or touch."""

    @classmethod
    def of(cls, terrain: Terrain, fleet: Fleet, frame: Frame) -> GroundTruth:
        """Look at four points of each cell, or more where the terrain's cells are finer."""
        starts = [(float(x), float(y)) for x, y, _ in fleet.poses]
        radius = min(model.body.inscribed_radius for model in fleet.models)
        reachable = terrain.reachable(starts, radius)
        parts = max(2, math.ceil(frame.resolution / terrain.resolution - 1e-9))
        offsets = (np.arange(parts) + 0.5) / parts
        rows = _indices(frame.rows, offsets, frame.origin[1] - terrain.origin[1], frame.resolution, terrain.resolution)
        columns = _indices(
            frame.columns, offsets, frame.origin[0] - terrain.origin[0], frame.resolution, terrain.resolution
        )
        inside = np.ones(frame.shape, dtype=bool)
        occupied = np.zeros(frame.shape, dtype=bool)
        explorable = np.ones(frame.shape, dtype=bool)
        for row in rows:
            for column in columns:
                on_grid = ((row >= 0) & (row < terrain.shape[0]))[:, None] & (column >= 0) & (column < terrain.shape[1])
                at = np.ix_(row.clip(0, terrain.shape[0] - 1), column.clip(0, terrain.shape[1] - 1))
                inside &= on_grid
                occupied |= terrain.occupied[at] & on_grid
                explorable &= reachable[at] & on_grid
        state = np.where(occupied, OCCUPIED, np.where(inside, FREE, UNKNOWN)).astype(np.uint8)
        return cls(state, explorable)


def _indices(
    cells: int, offsets: Floats, shift: float, resolution: float, terrain_resolution: float
) -> list[NDArray[np.int64]]:
    """For each offset within a cell, the terrain's row or column at that part of all cells."""
    return [
        np.floor((shift + (np.arange(cells) + offset) * resolution) / terrain_resolution + 1e-6).astype(np.int64)
        for offset in offsets
    ]


@dataclass
class Series:
    """Measurements over time, a row a sample."""

    times: list[float] = field(default_factory=list)
    explored: list[Floats] = field(default_factory=list)
    """Each robot's share of the explorable cells in its map, own or merged."""
    poses: list[Floats] = field(default_factory=list)
    believed: list[Floats] = field(default_factory=list)
    travelled: list[Floats] = field(default_factory=list)
    """Metres that each robot has driven so far."""
    sent: list[NDArray[np.int64]] = field(default_factory=list)
    """Bytes that each robot has sent so far."""
    received: list[NDArray[np.int64]] = field(default_factory=list)


class Monitor:
    """Samples once a second, and keeps who was first to see which cell."""

    def __init__(self, truth: GroundTruth, grids: Grids, poses: Floats) -> None:
        robots = len(poses)
        self.truth = truth
        self._grids = grids
        self.explorable_cells = max(1, int(np.count_nonzero(truth.explorable)))
        self._known = np.zeros(grids.state_stamp.shape, dtype=np.int32)
        self.first_seen: NDArray[np.int16] = np.full(grids.frame.shape, -1, dtype=np.int16)
        self._since = -1
        self.series = Series()
        self.travelled = np.zeros(robots)
        self._last_poses = poses.copy()
        self.contacts_with_walls = np.zeros(robots, dtype=np.int64)
        self.contacts_with_others = np.zeros(robots, dtype=np.int64)

    def follow(self, truth: Truth) -> None:
        """Count the way driven and the contacts begun since the last call."""
        add_way(truth.poses, self._last_poses, self.travelled)
        for contact in truth.contacts:
            counts = self.contacts_with_walls if contact.other is None else self.contacts_with_others
            counts[contact.robot] += 1

    def sample(
        self,
        time: float,
        tick: int,
        poses: Floats,
        believed: Floats,
        sent: NDArray[np.int64],
        received: NDArray[np.int64],
    ) -> float:
        """Take all measurements; returns the largest share explored in one robot's map."""
        grids = self._grids
        tally(
            grids.state, grids.state_stamp, grids.evidence, grids.evidence_stamp,
            self.truth.explorable, self._since, self._known, self.first_seen,
        )  # fmt: skip
        self._since = tick
        explored = self._known.sum(axis=(1, 2)) / self.explorable_cells
        series = self.series
        series.times.append(time)
        series.explored.append(explored)
        series.poses.append(poses.copy())
        series.believed.append(believed.copy())
        series.travelled.append(self.travelled.copy())
        series.sent.append(sent.copy())
        series.received.append(received.copy())
        return float(explored.max())


@kernel
def add_way(poses: Floats, last: Floats, travelled: Floats) -> None:
    """Add to each robot's way what lies between two poses, and remember the later one."""
    for robot in range(len(poses)):
        dx, dy = poses[robot, 0] - last[robot, 0], poses[robot, 1] - last[robot, 1]
        travelled[robot] += math.sqrt(dx * dx + dy * dy)
        last[robot, 0], last[robot, 1] = poses[robot, 0], poses[robot, 1]


@kernel
def tally(
    state: NDArray[np.uint8],
    state_stamp: NDArray[np.int64],
    evidence: NDArray[np.int16],
    evidence_stamp: NDArray[np.int64],
    explorable: NDArray[np.bool_],
    since: int,
    known: NDArray[np.int32],
    first_seen: NDArray[np.int16],
) -> None:
    """Recount each robot's known explorable cells, and note who saw a cell first, in tiles stamped after `since`."""
    robots, tile_rows, tile_columns = state_stamp.shape
    for robot in range(robots):
        for i in range(tile_rows):
            for j in range(tile_columns):
                news, own = state_stamp[robot, i, j] > since, evidence_stamp[robot, i, j] > since
                if not (news or own):
                    continue
                count = 0
                for row in range(i * TILE, (i + 1) * TILE):
                    for column in range(j * TILE, (j + 1) * TILE):
                        if state[robot, row, column] != UNKNOWN and explorable[row, column]:
                            count += 1
                        if evidence[robot, row, column] != 0 and first_seen[row, column] < 0:
                            first_seen[row, column] = robot
                known[robot, i, j] = count
