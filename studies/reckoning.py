"""Dead reckoning beside whatever localiser the robots use: what odometry alone would have said on the same ways."""

from __future__ import annotations

import numpy as np

from expedition.belief.grid import Frame
from expedition.belief.slam import slam
from expedition.fleet import Fleet
from expedition.measure.progress import Progress
from expedition.sim import FlatSimulator
from expedition.sim.observations import FlatObservations
from expedition.sim.protocol import Floats
from expedition.terrain import Terrain


class ReckoningSimulator(FlatSimulator):
    """The flat simulator, which also sums up the very odometry readings that the robots get.

    A reading is the same however often it is taken, so the mission is not changed by it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[Floats] = []
        """At each second, how far off each robot's sum is, in metres."""

    def reset(self, terrain: Terrain, fleet: Fleet, seed: int) -> FlatObservations:
        """Put the fleet at its starts, which dead reckoning is told."""
        observations = super().reset(terrain, fleet, seed)
        self._reckoning = slam.make("odometry", fleet, Frame.around(terrain.extent), lambda: self.truth().poses)
        self._reckoning.predict(observations.odometry(), observations.time)
        return observations

    def advance(self, commands: Floats, duration: float) -> FlatObservations:
        """Follow velocity commands, and sum up the odometry of that time."""
        observations = super().advance(commands, duration)
        self._reckoning.predict(observations.odometry(), observations.time)
        return observations

    def compare(self, progress: Progress) -> None:
        """Measure the error, at the times at which the mission measures that of its own localiser."""
        true, reckoned = progress.sample.poses, self._reckoning.pose
        self.errors.append(np.hypot(true[:, 0] - reckoned[:, 0], true[:, 1] - reckoned[:, 1]))
