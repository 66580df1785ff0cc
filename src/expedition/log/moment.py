"""A moment of a mission as recorders see it, with all places in the world's frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.log.cdr import nanoseconds_of
from expedition.starts import into_world

if TYPE_CHECKING:
    from expedition.controller import Controller
    from expedition.measure.monitor import Monitor, Sample

Floats = NDArray[np.float64]
WORLD = "world"
"""The frame of everything in a log."""


@dataclass(eq=False)
class Moment:
    """The mission that is being recorded, and where it stands."""

    controller: Controller
    monitor: Monitor
    sample: Sample
    """What was measured last."""
    starts: Floats | None
    """(robots, 3): where the frames of the robots' maps lie; None if all go by the world's."""
    tick: int = 0
    time: float = 0.0
    nanoseconds: int = 0

    def move_on(self) -> None:
        """The controller has done another step."""
        self.tick = self.controller.tick - 1
        self.time = self.controller.time
        self.nanoseconds = nanoseconds_of(self.time)

    def believed(self) -> Floats:
        """(robots, 3): where robots believe to be."""
        pose: Floats = self.controller.localiser.pose
        return pose if self.starts is None else into_world(pose, self.starts)

    def covariance(self) -> Floats:
        """(robots, 3, 3): how uncertain that is."""
        covariance: Floats = self.controller.localiser.covariance
        if self.starts is None:
            return covariance
        turn = np.zeros_like(covariance)
        turn[:, 0, 0] = turn[:, 1, 1] = np.cos(self.starts[:, 2])
        turn[:, 1, 0] = np.sin(self.starts[:, 2])
        turn[:, 0, 1] = -turn[:, 1, 0]
        turn[:, 2, 2] = 1.0
        return turn @ covariance @ turn.transpose(0, 2, 1)

    def goals(self) -> Floats:
        """(robots, 2): where robots are going; NaN if nowhere."""
        goals = self.controller.navigator.goal_points
        if self.starts is None:
            return goals
        return into_world(np.column_stack([goals, np.zeros(len(goals))]), self.starts)[:, :2]

    def in_world(self, robot: int, points: Floats) -> Floats:
        """Points (n, 2) of a robot's map in the world."""
        if self.starts is None or robot >= len(self.starts):
            return points
        start = np.broadcast_to(self.starts[robot], (len(points), 3))
        return into_world(np.column_stack([points, np.zeros(len(points))]), start)[:, :2]
