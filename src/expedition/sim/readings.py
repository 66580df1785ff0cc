"""Which readings are due when. Robots with equal sensors form a group whose readings are taken together.

Reading k of a sensor is due at k / rate seconds. It is taken at the first physics tick at or after that, and bears
that tick's time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, RobotModel
from expedition.fleet.sensors import GroundCamera, LandmarkCamera, Lidar, Odometry, RobotDetector
from expedition.streams import stream_key

Sensor = TypeVar("Sensor", Lidar, Odometry, GroundCamera, LandmarkCamera, RobotDetector)
TINY = 1e-9
NO_TICKS, NO_NUMBERS = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64)
NOTHING_DUE: tuple[range, list[int]] = range(0), []


class Reading(NamedTuple):
    """Which readings to take: arrays over readings."""

    robot: NDArray[np.int64]
    tick: NDArray[np.int64]  # row of the pose history
    key: NDArray[np.uint64]  # the stream of the robot's sensor
    number: NDArray[np.uint64]  # the count of this reading since the start


@dataclass(frozen=True)
class Group(Generic[Sensor]):
    """The robots that carry one kind of sensor at one height above the ground, and their streams."""

    sensor: Sensor
    height: float
    ticks_per_reading: float
    robots: NDArray[np.int64]
    keys: NDArray[np.uint64]

    def of(self, robots: Sequence[int] | None) -> Group[Sensor]:
        """The group without the robots that are not named; None names all."""
        if robots is None:
            return self
        named = np.isin(self.robots, np.asarray(robots, dtype=np.int64))
        return replace(self, robots=self.robots[named], keys=self.keys[named])

    def due(self, after: int, until: int) -> tuple[range, list[int]]:
        """The numbers of the readings due in ticks after < tick <= until, and the tick of each."""
        first = math.floor(after / self.ticks_per_reading + TINY) + 1 if after >= 0 else 0
        last = math.floor(until / self.ticks_per_reading + TINY)
        if first > last:
            return NOTHING_DUE
        numbers = range(first, last + 1)
        return numbers, [math.ceil(number * self.ticks_per_reading - TINY) for number in numbers]

    def readings(self, after: int, until: int, latest: bool) -> Reading:
        """The readings due, by time and then by robot, as kernels take them; their ticks count from `after`."""
        numbers, ticks = self.due(after, until)
        if latest:
            numbers, ticks = numbers[-1:], ticks[-1:]
        robots, readings = len(self.robots), len(numbers)
        if readings == 0:
            return Reading(self.robots[:0], NO_TICKS, self.keys[:0], NO_NUMBERS)
        if readings == 1:
            row, number = ticks[0] - after - 1, np.uint64(numbers[0])
            return Reading(self.robots, np.full(robots, row), self.keys, np.full(robots, number))
        return Reading(
            np.tile(self.robots, readings),
            np.repeat(np.array(ticks, dtype=np.int64) - after - 1, robots),
            np.tile(self.keys, readings),
            np.repeat(np.array(numbers, dtype=np.uint64), robots),
        )


def groups_of(
    fleet: Fleet, name: str, sensor_of: Callable[[RobotModel], Sensor | None], seed: int, physics_rate: float
) -> list[Group[Sensor]]:
    """The robots of a fleet by equal sensors, in order of first appearance. `name` ends their streams' names.

    A lidar scans at the height it is mounted at; what sees teammates, landmarks or the ground looks from the robot's
    top.
    """
    members: dict[tuple[Sensor, float], list[int]] = {}
    for robot, model in enumerate(fleet.models):
        if (sensor := sensor_of(model)) is not None:
            height = model.body.altitude + sensor.height if isinstance(sensor, Lidar) else model.body.top
            members.setdefault((sensor, height), []).append(robot)
    groups = []
    for (sensor, height), robots in members.items():
        if sensor.rate > physics_rate * (1 + TINY):
            raise ExpeditionError(
                f"robot {robots[0]}: {name} rate {sensor.rate:g} Hz is above the physics rate of {physics_rate:g} Hz"
            )
        keys = np.array([stream_key(seed, f"robot/{robot}/{name}") for robot in robots], dtype=np.uint64)
        groups.append(Group(sensor, height, physics_rate / sensor.rate, np.array(robots, dtype=np.int64), keys))
    return groups
