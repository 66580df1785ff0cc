"""An ideal positioning system: every robot knows exactly where it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.slam.localiser import TruePoses, slam
from expedition.belief.slam.track import Floats, Integers, wrap
from expedition.fleet import Fleet
from expedition.kernels import kernel
from expedition.sim.protocol import Odometry, Scans


@slam("perfect")
class PerfectPositioning:
    """The true pose, without any uncertainty."""

    def __init__(self, fleet: Fleet, frame: Frame, true_poses: TruePoses) -> None:
        self._true_poses = true_poses
        self._before = fleet.poses.copy()
        self._clock = np.zeros(2)  # time of the period's end before, and of the last one
        self.pose = fleet.poses.copy()
        self.covariance = np.zeros((len(fleet), 3, 3))
        self.scan_pose = fleet.poses.copy()
        self.lost = np.zeros(len(fleet), dtype=np.bool_)

    def predict(self, odometry: Odometry, time: float) -> None:
        """Take the true poses."""
        self._before[:] = self.pose
        self.pose[:] = self._true_poses()
        self._clock[0], self._clock[1] = self._clock[1], time

    def correct(self, scans: list[Scans]) -> None:
        """Work out where the scans were taken, between the poses of the last period and of this one."""
        for scan in scans:
            _between(self._before, self.pose, self._clock, scan.robots, scan.times, self.scan_pose)

    def learn(self, scans: list[Scans], ignore: list[NDArray[np.uint8]]) -> None:
        """Nothing is learnt from scans."""


@kernel
def _between(before: Floats, after: Floats, clock: Floats, robots: Integers, times: Floats, poses: Floats) -> None:
    """Interpolate poses linearly at the times of scans. Cost: the number of scans."""
    duration = clock[1] - clock[0]
    for k in range(len(robots)):
        robot = robots[k]
        share = min(max((times[k] - clock[0]) / duration, 0.0), 1.0) if duration > 0.0 else 1.0
        poses[robot, 0] = before[robot, 0] + share * (after[robot, 0] - before[robot, 0])
        poses[robot, 1] = before[robot, 1] + share * (after[robot, 1] - before[robot, 1])
        poses[robot, 2] = wrap(before[robot, 2] + share * wrap(after[robot, 2] - before[robot, 2]))
