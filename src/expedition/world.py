"""The world around the robots' software: what is really there, and the tags that robots leave in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.action import StrategyError
from expedition.sim.protocol import Simulator
from expedition.terrain import Terrain

MAX_TAGS = 100_000
MAX_TEXT = 1000


@dataclass(frozen=True)
class TagInWorld:
    """A tag at its true place."""

    x: float
    y: float
    text: str
    robot: int
    time: float


class World:
    """What is really there, for the parts of a mission that are physics: radio waves, tags, ideal positioning."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self.look()
        self._tags: list[TagInWorld] = []
        self._places = np.empty((0, 2))

    def look(self) -> None:
        """The simulator has moved on."""
        self.truth = self._simulator.truth()

    def true_poses(self) -> NDArray[np.float64]:
        """(robots, 3): where robots really are."""
        return self.truth.poses

    @property
    def terrain(self) -> Terrain:
        """The terrain as it stands now."""
        return self.truth.terrain

    @property
    def tags(self) -> list[TagInWorld]:
        """All tags, in the order in which they were left."""
        return self._tags

    def drop_tag(self, robot: int, text: str) -> None:
        """Leave a tag where a robot is."""
        if len(text) > MAX_TEXT or len(self._tags) >= MAX_TAGS:
            raise StrategyError(f"a mission has at most {MAX_TAGS:,} tags of at most {MAX_TEXT:,} characters")
        x, y, _ = self.truth.poses[robot].tolist()
        self._tags.append(TagInWorld(x, y, text, robot, self.truth.time))
        self._places = np.array([(tag.x, tag.y) for tag in self._tags])

    def tags_near(self, robot: int, reach: float) -> list[tuple[TagInWorld, float, float]]:
        """The tags within reach of a robot, in the order in which they were left, and where they are in its frame."""
        x, y, heading = self.truth.poses[robot].tolist()
        c, s = math.cos(heading), math.sin(heading)
        dx, dy = self._places[:, 0] - x, self._places[:, 1] - y
        near = np.flatnonzero(np.hypot(dx, dy) <= reach).tolist()
        return [(self._tags[k], c * dx[k] + s * dy[k], c * dy[k] - s * dx[k]) for k in near]
