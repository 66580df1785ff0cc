"""What the robots of a mission take from their batteries, and which have run out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.fleet.battery import Battery
from expedition.fleet.model import RobotModel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

KINDS = ("motion", "computing", "radio")
"""What energy goes into; the sensors' share is in computing."""
JOULES_PER_WH = 3600.0


class Energy:
    """The batteries of a fleet: what was taken for what, and what is left. Robots without one take nothing."""

    def __init__(self, models: Sequence[RobotModel]) -> None:
        batteries = [model.battery or _NOTHING for model in models]
        self.capacity: Floats = np.array(
            [math.inf if one.capacity_wh is None else one.capacity_wh * JOULES_PER_WH for one in batteries]
        )
        """Joules."""
        self.used: Floats = np.zeros((len(models), len(KINDS)))
        """(robots, kinds): joules since the start."""
        self.is_counted = any(model.battery is not None for model in models)
        self._way = np.array([(one.driving_j_per_m, one.turning_j_per_rad) for one in batteries])
        self._standing = np.array([one.computing_w + one.sensing_w for one in batteries])
        self._air = np.array([(one.sending_j_per_kb, one.receiving_j_per_kb) for one in batteries]) / 1000.0
        self._poses: Floats | None = None
        self._bytes: Integers = np.zeros((len(models), 2), dtype=np.int64)

    @property
    def left(self) -> Floats:
        """(robots,): joules, infinite without a battery that runs out."""
        return np.asarray(np.maximum(self.capacity - self.used.sum(axis=1), 0.0))

    def take(self, poses: Floats, seconds: float, sent: Integers, received: Integers, on: NDArray[np.bool_]) -> None:
        """What it took to get to `poses` (robots, 3) in this time, with so many bytes since the start.

        Robots that are not `on` neither compute nor talk.
        """
        if not self.is_counted:
            return
        before = poses if self._poses is None else self._poses
        moved = poses - before
        turned = np.abs(np.remainder(moved[:, 2] + math.pi, 2.0 * math.pi) - math.pi)
        driven = np.stack([np.hypot(moved[:, 0], moved[:, 1]), turned], axis=1)
        talked = np.stack([sent, received], axis=1)
        self.used[:, 0] += (self._way * driven).sum(axis=1)
        self.used[:, 1] += self._standing * seconds * on
        self.used[:, 2] += (self._air * (talked - self._bytes)).sum(axis=1)
        self._poses, self._bytes = poses.copy(), talked

    def reach(self, robot: int, speed: float) -> float:
        """Metres that a robot can still drive straight on at a speed, in m/s."""
        if self.capacity[robot] == math.inf:
            return math.inf
        each = float(self._way[robot, 0] + self._standing[robot] / max(speed, 1e-6))
        return math.inf if each == 0.0 else float(self.left[robot]) / each


_NOTHING = Battery(
    driving_j_per_m=0.0, turning_j_per_rad=0.0, computing_w=0.0, sensing_w=0.0, sending_j_per_kb=0.0,
    receiving_j_per_kb=0.0,
)  # fmt: skip
