"""Scan matching: each robot matches its scans against the walls that it has seen itself."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.grid import Frame
from expedition.belief.slam.correction import correct_poses
from expedition.belief.slam.hits import hit_map_of, means
from expedition.belief.slam.learning import Memory, learn_scans
from expedition.belief.slam.localiser import TruePoses, slam
from expedition.belief.slam.matching import Rules
from expedition.belief.slam.points import Beams, beams_of
from expedition.belief.slam.track import Floats, move_on, track_of
from expedition.fleet import Fleet
from expedition.fleet.sensors import Lidar
from expedition.sim.protocol import Odometry, Scans

Metres = Annotated[float, Field(gt=0, le=100)]
Radians = Annotated[float, Field(gt=0, le=3.2)]
Cell = Annotated[float, Field(ge=0.02, le=5)]
Share = Annotated[float, Field(ge=0, le=1)]

SMALLEST_CELL, LARGEST_CELL = 0.2, 1.0
NOISE_CELL = 5.0
"""A cell is this many standard deviations of a range wide: a noisy wall must not fill several cells side by side."""


@slam("scan-matching")
class ScanMatching:
    """Odometry corrected by matching scans against the own map (point to line, with odometry as prior).

    Robots without a lidar keep to their odometry.
    """

    def __init__(
        self,
        fleet: Fleet,
        frame: Frame,
        true_poses: TruePoses,
        *,
        max_range: Annotated[Metres, Field(description="beams are used up to here, in metres")] = 25.0,
        cell: Annotated[
            Cell | None, Field(description="side of a map's cell, in metres; by the lidar if not given")
        ] = None,
        sigma: Annotated[Metres, Field(description="how far a point may lie off its known wall, in metres")] = 0.05,
        gate: Annotated[
            Metres | None, Field(description="farther walls are others, in metres; 1.5 cells if not given")
        ] = None,
        iterations: Annotated[int, Field(ge=1, le=100, description="Gauss-Newton steps at most")] = 6,
        max_shift: Annotated[Metres, Field(description="the most that one scan moves the pose, in metres")] = 0.5,
        max_turn: Annotated[Radians, Field(description="the most that one scan turns it, in radians")] = 0.3,
        least_share: Annotated[
            Share, Field(description="of the points where walls are known that must meet one")
        ] = 0.4,
        patience: Annotated[int, Field(ge=1, le=10_000, description="scans below that until the robot is lost")] = 5,
        search_shift: Annotated[Metres, Field(description="how far a lost robot searches, in metres")] = 1.5,
        search_turn: Annotated[Radians, Field(description="and how far around, in radians")] = 0.5,
        learn_distance: Annotated[float, Field(ge=0, le=100, description="metres between scans learnt")] = 0.25,
        learn_turn: Annotated[float, Field(ge=0, le=3.2, description="or radians between them")] = 0.15,
        wear: Annotated[int, Field(ge=0, le=255, description="of 20 hits, how many a beam through them takes")] = 4,
    ) -> None:
        self._track = track_of(fleet, "scan-matching")
        if cell is None:
            noise = max((model.lidar.sigma_range for model in fleet.models if model.lidar is not None), default=0.0)
            cell = min(max(SMALLEST_CELL, NOISE_CELL * noise), LARGEST_CELL)
        if gate is None:
            gate = 1.5 * cell
        self._rules = Rules(
            sigma, gate, iterations, max_shift, max_turn, least_share, patience, search_shift, search_turn,
            learn_distance, learn_turn, wear,
        )  # fmt: skip
        self._due = 0  # robots that should learn the scans just matched
        self._max_range = max_range
        self._beams: dict[int, tuple[Lidar, Beams]] = {}
        robots = len(fleet)
        self._hits = hit_map_of(robots, frame, cell)
        self.lost = np.zeros(robots, dtype=np.bool_)
        self._memory = Memory(self.lost, np.zeros(robots, dtype=np.int64), np.zeros((robots, 3)), np.zeros((robots, 4)))
        self.pose = self._track.pose
        self.covariance = self._track.covariance
        self.scan_pose = self._track.scan_pose

    def predict(self, odometry: Odometry, time: float) -> None:
        """Move the poses on by odometry readings."""
        move_on(self._track, odometry.robots, odometry.times, odometry.increments)

    def correct(self, scans: list[Scans]) -> None:
        """Match the scans against the hit maps."""
        self._due = 0
        for scan in scans:
            beams = self._beams_of(scan.lidar)
            self._due += correct_poses(
                self._track, self._hits, self._memory, self._rules, beams, scan.robots, scan.times, scan.ranges
            )

    def learn(self, scans: list[Scans], ignore: list[NDArray[np.uint8]]) -> None:
        """Put the scans of robots that moved on into their hit maps."""
        if self._due == 0:
            return
        for scan, mask in zip(scans, ignore, strict=True):
            beams = self._beams_of(scan.lidar)
            learn_scans(self._track, self._hits, self._memory, self._rules, beams, scan.robots, scan.ranges, mask)

    def known_walls(self, robot: int) -> Floats:
        """The walls that a robot matches its scans against, (points, 2) in metres: for pictures."""
        return means(self._hits, robot)

    def _beams_of(self, lidar: Lidar) -> Beams:
        """A lidar as numbers. Looked up by identity, since comparing models in each period would take long."""
        known = self._beams.get(id(lidar))
        if known is None:
            known = self._beams[id(lidar)] = lidar, beams_of(lidar, self._max_range)
        return known[1]
