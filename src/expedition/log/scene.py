"""What a log tells: the header of a mission, and the scene of one of its moments. Everything but the maps.

All places are in the world's frame, in metres; what robots believe is put there as well, whatever frame they go by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.terrain import Terrain

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Header:
    """What holds for a whole mission."""

    terrain: Terrain
    """As it was at the start, with materials, rough ground, landmarks, and doors among its changes."""
    frame: Frame
    """The grid of all maps of the log, in the world's frame."""
    explorable: NDArray[np.bool_]
    """(rows, columns): the cells that count as ground to explore."""
    names: tuple[str, ...]
    """Of the robots, as topics call them: robot_0, robot_1, ..."""
    models: tuple[dict[str, Any], ...]
    """A robot model each: body, drive, lidar and so on, as `RobotModel` writes itself."""
    footprints: tuple[Floats, ...]
    """(corners, 2): the outline of each robot in its own frame, heading along x; a disc as a polygon."""
    radio_ranges: Floats
    """(nodes,): how far the first radio of each node reaches, in metres; infinite without a limit, NaN without one."""
    base: tuple[float, float] | None
    """Where the base station stands; it is the node after the robots."""
    starts: Floats
    """(robots, 3): where robots set out."""
    strategy: str
    seed: int
    mission: dict[str, Any]
    """The mission as JSON data: parameters, settings, stop conditions."""
    control_period: float
    """Seconds between two commands."""
    detail: dict[str, float]
    """Seconds between two recordings, by kind."""
    version: str
    """Of expedition, which wrote the log."""

    @property
    def robots(self) -> int:
        """How many robots set out."""
        return len(self.names)

    @property
    def nodes(self) -> int:
        """The robots, and the base station as the last."""
        return len(self.names) + (self.base is not None)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the terrain in metres."""
        return self.terrain.extent


class Tag(NamedTuple):
    """A note that a robot left in the world."""

    x: float
    y: float
    text: str
    robot: int
    time: float


class SeenLandmark(NamedTuple):
    """Where a robot believes a landmark to be, from the sighting of it that was least uncertain."""

    robot: int
    landmark: int
    """Its number in the terrain."""
    x: float
    y: float
    covariance: tuple[float, float, float]
    """xx, xy and yy, in square metres."""


class InboxMessage(NamedTuple):
    """A message that reached a robot."""

    time: float
    """When it arrived."""
    sender: int
    topic: str
    text: str
    """What it says, as JSON, perhaps shortened."""


class Note(NamedTuple):
    """What a strategy said about itself."""

    time: float
    text: str


@dataclass(frozen=True, eq=False)
class Decision:
    """What a strategy weighed."""

    time: float
    places: Floats
    """(alternatives, 2): where each alternative lies; NaN if it is no place."""
    values: Floats
    """(alternatives,): what each was worth or cost."""
    chosen: int
    """The one taken; -1 if none was."""
    about: str
    """What the values are, as "travel cost, m"."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything of one moment but the maps. R robots; N nodes are the robots and the base station as the last."""

    time: float
    """Seconds since the start."""
    poses: Floats
    """(R, 3): where robots are: x, y, heading."""
    believed: Floats
    """(R, 3): where they believe to be."""
    covariance: Floats
    """(R, 3): xx, xy and yy of the believed place, in square metres."""
    goals: Floats
    """(R, 2): where they are going, NaN if nowhere."""
    states: list[str]
    """What each does, in a word or two: driving, gives way, blocked, standing, planning, lost, done."""
    roles: list[str]
    """What each is in its team, by its strategy; empty if it says nothing."""
    activities: list[str]
    """What each is about, by its strategy; empty if it says nothing."""
    batteries: Floats
    """(R,): the share of its energy that each has left, NaN without a battery that runs out."""
    failed: list[str]
    """What is broken of each: robot, sensors, radio, drive, battery, or several with commas; empty if nothing."""
    explored: Floats
    """(R,): the share of the ground that each has seen or was told of."""
    union: float
    """The share that any robot has seen."""
    at_base: float
    """The share that the base station knows of, NaN without one."""
    connected: float
    """The share of the robots in the largest group that can talk to one another."""
    travelled: Floats
    """(R,): metres."""
    sent: Integers
    """(R,): bytes."""
    received: Integers
    """(R,): bytes."""
    links: NDArray[np.bool_]
    """(N, N): whether node [row] hears node [column]."""
    people: Floats
    """(people, 2): where people walk."""
    paths: list[Floats]
    """(n, 2) each: the way that each robot is about to drive; empty if none."""
    scans: list[Floats | None]
    """(n, 2) each: where the beams of each robot's last scan ended, as it believes; None without a recent one."""
    frontiers: Floats
    """(n, 3): x, y and length of the frontiers of the union map, in metres."""
    tags: list[Tag] = field(default_factory=list)
    landmarks: list[SeenLandmark] = field(default_factory=list)
    marks: dict[str, list[tuple[int, Floats]]] = field(default_factory=dict)
    """Points that strategies show, by kind, as skeleton and rendezvous: of which robot, and (n, 2) points."""
    inbox: list[list[InboxMessage]] = field(default_factory=list)
    """(R,): the last few messages that reached each robot, the newest last."""
    notes: list[list[Note]] = field(default_factory=list)
    """(R,): the last few notes of each robot, the newest last."""
    decisions: list[Decision | None] = field(default_factory=list)
    """(R,): each robot's last decision."""


@dataclass(frozen=True, eq=False)
class Series:
    """Curves over time: a row a sample; columns are robots where there are any."""

    times: Floats
    """(samples,): seconds since the start."""
    union: Floats
    """(samples,): the share of the ground that any robot has seen."""
    at_base: Floats
    """(samples,): the share that the base station knows of, NaN without one."""
    connected: Floats
    """(samples,): the share of the robots in the largest group that can talk to one another."""
    explored: Floats
    """(samples, R)."""
    travelled: Floats
    """(samples, R): metres."""
    sent: Integers
    """(samples, R): bytes."""
    received: Integers
    """(samples, R): bytes."""
