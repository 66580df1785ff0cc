"""What every localiser does. One object serves the whole fleet: row r of each array is robot r.

In each control period `predict` comes first, then `correct` with the latest scans, and, once the caller knows which
beams ended on teammates, `learn`. The truth is at hand only for the ideal positioning system.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.registry import Registry
from expedition.sim.protocol import Odometry, Scans

Floats = NDArray[np.float64]
TruePoses = Callable[[], Floats]


class Localiser(Protocol):
    """Estimates the poses of all robots of a fleet."""

    pose: Floats
    """(robots, 3): believed x, y and heading now."""
    covariance: Floats
    """(robots, 3, 3): how uncertain that is."""
    scan_pose: Floats
    """(robots, 3): the believed pose at the time of each robot's latest scan: what maps are drawn with."""
    lost: NDArray[np.bool_]
    """(robots,): whether the robot noticed that it does not know where it is."""

    def predict(self, odometry: Odometry, time: float) -> None:
        """Move the poses on to `time` by odometry readings of any of the robots, in order of time."""

    def correct(self, scans: list[Scans]) -> None:
        """Improve the poses by the latest scan of each robot that has a new one."""

    def learn(self, scans: list[Scans], ignore: list[NDArray[np.uint8]]) -> None:
        """Remember those scans for later, without the beams whose `ignore` (readings, beams) is not zero."""


slam: Registry[Localiser] = Registry("localiser")
"""Localisers by name. Each is built from the fleet, the frame of its maps, and a function that tells the true poses."""
