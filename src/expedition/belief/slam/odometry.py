"""Dead reckoning: the robot believes its wheels, and knows how little they are worth after a while."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.slam.localiser import TruePoses, slam
from expedition.belief.slam.track import look_back_all, move_on, track_of
from expedition.fleet import Fleet
from expedition.sim.protocol import Odometry, Scans


@slam("odometry")
class DeadReckoning:
    """Sums up odometry; the covariance grows with its noise."""

    def __init__(self, fleet: Fleet, frame: Frame, true_poses: TruePoses) -> None:
        self._track = track_of(fleet, "odometry")
        self.pose = self._track.pose
        self.covariance = self._track.covariance
        self.scan_pose = self._track.scan_pose
        self.lost = np.zeros(len(fleet), dtype=np.bool_)

    def predict(self, odometry: Odometry, time: float) -> None:
        """Move the poses on by odometry readings."""
        move_on(self._track, odometry.robots, odometry.times, odometry.increments)

    def correct(self, scans: list[Scans]) -> None:
        """Work out where the scans were taken; they tell nothing else here."""
        for scan in scans:
            look_back_all(self._track, scan.robots, scan.times)

    def learn(self, scans: list[Scans], ignore: list[NDArray[np.uint8]]) -> None:
        """Nothing is learnt from scans."""
