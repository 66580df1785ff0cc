"""What a period of the flat simulator can tell, worked out when someone asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.sim.bodies import Floats, Integers, Shapes
from expedition.sim.ground import Ground
from expedition.sim.lidar import take_scans
from expedition.sim.odometry import measure_motion
from expedition.sim.protocol import Detections, GroundViews, Odometry, Scans, Sightings
from expedition.sim.readings import Reading
from expedition.sim.roughness import look_at_ground
from expedition.sim.sight import Eye, descriptors_seen, look
from expedition.sim.suite import Suite, View

Robots = Sequence[int] | None

NO_TIMES: Floats = np.zeros(0)
NO_ODOMETRY = Odometry(np.zeros(0, dtype=np.int64), NO_TIMES, np.zeros((0, 3)))


class FlatObservations(NamedTuple):
    """The sensors' view of ticks after < tick <= until. Row r of `history` holds all poses after tick after + 1 + r."""

    suite: Suite
    view: View
    shapes: Shapes
    tick_duration: float
    after: int
    until: int
    history: Floats
    grounds: list[tuple[int, Ground]]  # the ground that holds from a row of the history on
    odometry_starts: list[Floats]  # for each group of odometers, all poses at its last reading before this period
    pressed: NDArray[np.bool_]

    @property
    def time(self) -> float:
        """Seconds since the start, at the end of the period."""
        return self.until * self.tick_duration

    def scans(self, robots: Robots = None, latest: bool = False) -> list[Scans]:
        """Lidar readings, one entry for each kind of lidar in the fleet."""
        taken = []
        for group, scanner in zip(self.suite.lidars, self.view.scanners, strict=True):
            reading = group.of(robots).readings(self.after, self.until, latest)
            ranges = np.empty((len(reading.robot), len(scanner.directions)), dtype=np.float32)
            for ground, rows, part in self._by_ground(reading) if len(ranges) else ():
                take_scans(ground, self.shapes, scanner, self.history, part, ranges[rows])
            taken.append(Scans(group.sensor, reading.robot, self._times(reading), ranges))
        return taken

    def odometry(self, robots: Robots = None) -> Odometry:
        """Odometry readings, in order of time."""
        parts: list[tuple[NDArray[Any], ...]] = []
        for whole, before, noise in zip(self.suite.odometers, self.odometry_starts, self.view.noises, strict=True):
            group = whole.of(robots)
            for number, tick in zip(*group.due(max(self.after, 0), self.until), strict=True):
                after = self.history[tick - self.after - 1]
                increments = np.empty((len(group.robots), 3))
                measure_motion(before, after, group.robots, group.keys, np.uint64(number), *noise, increments)
                parts.append((group.robots, np.full(len(group.robots), tick * self.tick_duration), increments))
                before = after
        if not parts:
            return NO_ODOMETRY
        parts.sort(key=lambda part: float(part[1][0]) if len(part[1]) else 0.0)
        return Odometry(*_joined(parts, NO_ODOMETRY))

    def detections(self, robots: Robots = None, latest: bool = False) -> Detections:
        """Teammates seen by robot detectors."""
        parts = []
        everyone = self.history[-1, : self.suite.robots, :2]
        for group, eye in zip(self.suite.detectors, self.view.detector_eyes, strict=True):
            reading = group.of(robots).readings(self.after, self.until, latest)
            for row, other, at in self._look(reading, eye, everyone, are_robots=True):
                parts.append((reading.robot[row], self._times(reading)[row], other, at[:, 0], at[:, 1]))
        nothing = np.zeros(0)
        return Detections(*_joined(parts, (np.zeros(0, np.int64), nothing, np.zeros(0, np.int64), nothing, nothing)))

    def sightings(self, robots: Robots = None, latest: bool = False) -> Sightings:
        """Landmarks seen by cameras."""
        parts = []
        length = self.suite.descriptors.shape[1]
        for group, eye in zip(self.suite.cameras, self.view.camera_eyes, strict=True):
            reading = group.of(robots).readings(self.after, self.until, latest)
            for row, landmark, at in self._look(reading, eye, self.suite.landmarks, are_robots=False):
                noisy = np.empty((len(row), length))
                noise = group.sensor.sigma_descriptor
                descriptors_seen(self.suite.descriptors, noise, reading, row, landmark, noisy)
                parts.append((reading.robot[row], self._times(reading)[row], at[:, 0], at[:, 1], noisy))
        nothing = np.zeros(0)
        return Sightings(*_joined(parts, (np.zeros(0, np.int64), nothing, nothing, nothing, np.zeros((0, length)))))

    def ground_views(self, robots: Robots = None, latest: bool = False) -> list[GroundViews]:
        """The ground around robots, one entry for each kind of ground camera in the fleet."""
        taken = []
        for group, eye in zip(self.suite.ground_cameras, self.view.ground_eyes, strict=True):
            reading = group.of(robots).readings(self.after, self.until, latest)
            seen = np.empty((len(reading.robot), len(eye.directions), len(eye.distances)), dtype=np.uint8)
            for ground, rows, part in self._by_ground(reading):
                look_at_ground(ground, eye, self.history, part, seen[rows])
            taken.append(GroundViews(group.sensor, reading.robot, self._times(reading), seen))
        return taken

    def bumpers(self) -> NDArray[np.bool_]:
        """For each robot, whether its bumper is pressed now."""
        return self.pressed & self.suite.has_bumper

    def _look(
        self, reading: Reading, eye: Eye, targets: Floats, are_robots: bool
    ) -> Iterator[tuple[Integers, Integers, Floats]]:
        """For each ground: the rows of the readings that saw something, what they saw, and its range and bearing."""
        for ground, rows, part in self._by_ground(reading):
            seen, at = look(ground, eye, self.history, part, targets, are_robots)
            yield seen[:, 0] + rows.start, seen[:, 1], at

    def _by_ground(self, reading: Reading) -> Iterator[tuple[Ground, slice, Reading]]:
        """The readings, which are in order of time, by the ground that they were taken on."""
        if len(self.grounds) == 1:
            if len(reading.tick) > 0:
                yield self.grounds[0][1], slice(0, len(reading.tick)), reading
            return
        first_rows = [first for first, _ in self.grounds]
        bounds = [*np.searchsorted(reading.tick, first_rows).tolist(), len(reading.tick)]
        for (_, ground), start, end in zip(self.grounds, bounds, bounds[1:], strict=False):
            if start < end:
                rows = slice(start, end)
                part = Reading(reading.robot[rows], reading.tick[rows], reading.key[rows], reading.number[rows])
                yield ground, rows, part

    def _times(self, reading: Reading) -> Floats:
        if len(reading.tick) == 0:
            return NO_TIMES
        return np.multiply(reading.tick + (self.after + 1), self.tick_duration, dtype=np.float64)


def _joined(parts: Sequence[tuple[NDArray[Any], ...]], empty: tuple[NDArray[Any], ...]) -> list[NDArray[Any]]:
    """Columns of several parts, one after the other; of none, the empty columns."""
    if len(parts) < 2:
        return list(parts[0] if parts else empty)
    return [np.concatenate([*(part[k] for part in parts), none]) for k, none in enumerate(empty)]
