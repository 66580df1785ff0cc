"""The monitor: takes measurements while a mission runs and says when it is over. It alone knows the truth.

Explored is what robots have really seen: once a second their scans are traced from where they truly are, and a cell
counts for a robot when its own beams crossed it, or those of a teammate that has told it so since. A distorted map can
neither inflate nor deflate that; how wrong a map is, its error says apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.mapping import beams_of
from expedition.fleet import Fleet
from expedition.ground_truth import GroundTruth
from expedition.kernels import kernel
from expedition.sight_log import sight_log, spread_news, trace_scans
from expedition.sim.protocol import Scans, Truth

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass
class Series:
    """Measurements over time, a row a sample."""

    times: list[float] = field(default_factory=list)
    explored: list[Floats] = field(default_factory=list)
    """Each robot's share of the explorable cells that it has seen or was told of."""
    poses: list[Floats] = field(default_factory=list)
    believed: list[Floats] = field(default_factory=list)
    travelled: list[Floats] = field(default_factory=list)
    """Metres that each robot has driven so far."""
    sent: list[Integers] = field(default_factory=list)
    """Bytes that each robot has sent so far."""
    received: list[Integers] = field(default_factory=list)


class Monitor:
    """Samples once a second, and keeps who was first to see which cell."""

    def __init__(self, truth: GroundTruth, fleet: Fleet, frame: Frame) -> None:
        robots = len(fleet)
        self.truth = truth
        self.explorable_cells = max(1, int(np.count_nonzero(truth.explorable)))
        self.series = Series()
        self.travelled = np.zeros(robots)
        self.contacts_with_walls = np.zeros(robots, dtype=np.int64)
        self.contacts_with_others = np.zeros(robots, dtype=np.int64)
        self.frame = frame
        """The world's frame, in which the truth, `first_seen` and all poses are."""
        self._frame = (*frame.origin, frame.resolution)
        self._log = sight_log(robots, frame.shape)
        self._beams = {lidar: beams_of(lidar) for model in fleet.models if (lidar := model.lidar) is not None}
        self._last_poses = fleet.poses.copy()
        self._now = fleet.poses.copy()
        self._before = fleet.poses.copy()
        self._time = 0.0
        self._time_before = 0.0

    @property
    def first_seen(self) -> NDArray[np.int16]:
        """(rows, columns): the robot that saw a cell before any other, -1 where none did."""
        return self._log.first_seen

    def follow(self, truth: Truth) -> None:
        """Count the way driven and the contacts begun since the last call."""
        add_way(truth.poses, self._last_poses, self.travelled)
        self._before, self._now = self._now, truth.poses
        self._time_before, self._time = self._time, truth.time
        for contact in truth.contacts:
            counts = self.contacts_with_walls if contact.other is None else self.contacts_with_others
            counts[contact.robot] += 1

    def sample(
        self,
        tick: int,
        believed: Floats,
        scans: list[Scans],
        max_range: float,
        told_until: Integers,
        sent: Integers,
        received: Integers,
    ) -> float:
        """Take all measurements; returns the largest share explored by one robot.

        `told_until[r, o]` is the tick up to which robot r was told by others what robot o saw; `scans` are the latest,
        of which beams count up to `max_range` metres.
        """
        for scan in scans:
            trace_scans(
                self._log, self.truth.explorable, self._beams[scan.lidar], self._frame, scan.robots, scan.times,
                scan.ranges, max_range, self._before, self._now, self._time_before, self._time, tick,
            )  # fmt: skip
        spread_news(self._log, told_until)
        explored = self._log.known_count / self.explorable_cells
        series = self.series
        series.times.append(self._time)
        series.explored.append(explored)
        series.poses.append(self._now.copy())
        series.believed.append(self.poses_in_world(believed))
        series.travelled.append(self.travelled.copy())
        series.sent.append(sent.copy())
        series.received.append(received.copy())
        return float(explored.max())

    def truth_of(self, robot: int) -> GroundTruth:
        """The truth in the frame of a robot's map."""
        return self.truth

    def in_world(self, robot: int, layer: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Cells of the frame of a robot's map, drawn into the world's frame: for pictures."""
        return layer

    def poses_in_world(self, poses: Floats) -> Floats:
        """Poses (robots, 3) that robots believe in, in the world's frame."""
        return poses.copy()


@kernel
def add_way(poses: Floats, last: Floats, travelled: Floats) -> None:
    """Add to each robot's way what lies between two poses, and remember the later one."""
    for robot in range(len(poses)):
        dx, dy = poses[robot, 0] - last[robot, 0], poses[robot, 1] - last[robot, 1]
        travelled[robot] += np.sqrt(dx * dx + dy * dy)
        last[robot, 0], last[robot, 1] = poses[robot, 0], poses[robot, 1]
