"""What every simulator does, and what robots get from it.

The flat simulator, 3-D physics and a real fleet over ROS 2 stand behind the same two calls, `reset` and `advance`.
Readings come in arrays over robots; each says whose it is and when it was taken, in seconds since the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.fleet import Fleet
from expedition.fleet.sensors import GroundCamera, Lidar
from expedition.terrain import Terrain

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Scans(NamedTuple):
    """Readings of one kind of lidar: `ranges` is (readings, beams) in metres.

    A beam that meets nothing within range reads infinity, one that dropped out NaN.
    """

    lidar: Lidar
    robots: Integers
    times: Floats
    ranges: NDArray[np.float32]


class Odometry(NamedTuple):
    """Wheel odometry: `increments` is (readings, 3), the motion since the robot's reading before.

    Forward and sideways in metres, in the frame of the pose at that earlier reading, and the turn in radians.
    """

    robots: Integers
    times: Floats
    increments: Floats


class Detections(NamedTuple):
    """Teammates seen: `others` says whom, `ranges` and `bearings` where, from the robot's middle and heading."""

    robots: Integers
    times: Floats
    others: Integers
    ranges: Floats
    bearings: Floats


class Sightings(NamedTuple):
    """Landmarks seen by cameras: ranges, bearings, and descriptors (sightings, elements) to recognise them by."""

    robots: Integers
    times: Floats
    ranges: Floats
    bearings: Floats
    descriptors: Floats


class GroundViews(NamedTuple):
    """Readings of one kind of ground camera: `speed_percent` is (readings, rays, steps), 0 where walls hide the ground.

    It is the share of its speed that a robot reaches at a point: along ray i, `camera.angles[i]` from the robot's
    heading, `camera.distances[j]` metres from its middle.
    """

    camera: GroundCamera
    robots: Integers
    times: Floats
    speed_percent: NDArray[np.uint8]


class Observations(Protocol):
    """What the sensors measured during one `advance`. A reading is worked out when it is taken, and only then.

    `robots` limits a call to some robots; `latest` to the last reading of each.
    """

    @property
    def time(self) -> float:
        """Seconds since the start, at the end of the period."""

    def scans(self, robots: Sequence[int] | None = None, latest: bool = False) -> list[Scans]:
        """Lidar readings, one entry for each kind of lidar in the fleet."""

    def odometry(self, robots: Sequence[int] | None = None) -> Odometry:
        """Odometry readings, in order of time."""

    def detections(self, robots: Sequence[int] | None = None, latest: bool = False) -> Detections:
        """Teammates seen by robot detectors."""

    def sightings(self, robots: Sequence[int] | None = None, latest: bool = False) -> Sightings:
        """Landmarks seen by cameras."""

    def ground_views(self, robots: Sequence[int] | None = None, latest: bool = False) -> list[GroundViews]:
        """The ground around robots, one entry for each kind of ground camera in the fleet."""

    def bumpers(self) -> NDArray[np.bool_]:
        """For each robot, whether its bumper is pressed now; robots without one never feel it."""


class Contact(NamedTuple):
    """The moment at which a robot ran into a wall (`other` is None), a robot or a person (counted after robots)."""

    time: float
    robot: int
    other: int | None


class Truth(NamedTuple):
    """How things really are: for monitors, logs and pictures, never for a controller."""

    time: float
    poses: Floats  # (robots, 3): x, y, heading
    velocities: Floats  # (robots, 3): forward, sideways, turning
    people: Floats  # (people, 2): x, y
    contacts: tuple[Contact, ...]  # those that began during the last `advance`
    terrain: Terrain  # with doors and rubble as they stand now


class Simulator(Protocol):
    """Moves a fleet through a terrain and measures what its sensors would."""

    def reset(self, terrain: Terrain, fleet: Fleet, seed: int) -> Observations:
        """Put the fleet at its starts, at rest, at time zero."""

    def advance(self, commands: Floats, duration: float) -> Observations:
        """Follow velocity commands (robots, 3: forward, sideways, turning) for `duration` seconds."""

    def truth(self) -> Truth:
        """How things are now."""
