"""Reads a log: any moment of a mission, whether it is over, still going on, or was cut off.

>>> log = LogReader("log.mcap")                                                             # doctest: +SKIP
>>> scene = log.scene(222.0)                                                                # doctest: +SKIP
>>> union = log.map("union", 222.0)                                                         # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.merging import starts_known
from expedition.errors import ExpeditionError
from expedition.fleet.sensors import Lidar
from expedition.log.cdr import NANOSECONDS, decode, places
from expedition.log.chunks import ChunkedFile
from expedition.log.coverage import Coverage
from expedition.log.fleet import FAILURES
from expedition.log.header import GROUND, MISSION, read_header
from expedition.log.history import MapHistory, Patch, Which
from expedition.log.moment import WORLD
from expedition.log.paths import POSE_STAMPED
from expedition.log.scene import Floats, Header, Scene, Series
from expedition.log.told import Told
from expedition.log.track import FleetTrack, between_poses
from expedition.measure.states import state_words

SCAN_SECONDS = 3.0
"""A scan that is older than this, or than three periods, is in no scene."""
MOVING = (
    "poses", "believed", "covariance", "goals", "states", "failed", "batteries", "explored", "travelled", "links",
    "people", "seen_by_any",
)  # fmt: skip
"""Fields of the fleet that pages show as they move."""
_PATH = places("nav_msgs/Path", {"header": {"frame_id": WORLD}, "poses": np.zeros(1, dtype=POSE_STAMPED)})["poses"]
"""Where the first point of a path stands."""


class NotBegun(ExpeditionError):
    """A log that has no end, and nothing of a mission yet."""


class LogReader:
    """A log, of which only what is asked for is read."""

    header: Header
    told: Told
    """What was said and what happened."""

    def __init__(self, path: Path | str) -> None:
        """An error if there is no log at `path`."""
        self._file = ChunkedFile(path)
        if not (MISSION in self._file.files and GROUND in self._file.files and "/fleet" in self._file.topics):
            is_complete = self._file.is_complete
            self._file.close()
            missing = f"it has no {MISSION} and no messages of a fleet"
            if is_complete:
                raise ExpeditionError(f"{path}: is no log of expedition: {missing}")
            raise NotBegun(f"{path}: is cut off before the mission begins: {missing}")
        self.header = header = read_header(self._file.files, str(path))
        has_base = header.base is not None
        are_askew = not starts_known(header.mission["settings"]["merge"])
        self._track = FleetTrack(self._file, header.robots, header.nodes)
        self._maps = MapHistory(self._file, header.frame, header.names, has_base, are_askew)
        self.told = Told(self._file, header.names, header.detail["keyframes"])
        self._coverage = Coverage(header)
        self._series: Series | None = None
        lidars = [model.get("lidar") for model in header.models]
        self._lidars = [None if lidar is None else Lidar.model_validate(lidar) for lidar in lidars]
        self.told.refresh()

    @property
    def start(self) -> float:
        """Seconds of the first moment."""
        return 0.0

    @property
    def end(self) -> float:
        """Seconds of the last moment that can be read."""
        return self._track.end

    @property
    def is_growing(self) -> bool:
        """Whether the mission is still being recorded, or was cut off: the file has no end."""
        return not self._file.is_complete

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened so far, as in `events.jsonl`: time_s, event, robot, text and others."""
        return self.told.events

    @property
    def series(self) -> Series:
        """The curves so far."""
        if self._series is None:
            self._series = self._track.series()
        return self._series

    def refresh(self) -> bool:
        """Take in what was written since; whether there was anything."""
        if not self._file.refresh():
            return False
        self._series = None
        self.told.refresh()
        return True

    def scene(self, time: float) -> Scene:
        """Everything of a moment but the maps: the latest of each kind that was recorded up to then.

        Poses between two recordings lie on the straight line between them.
        """
        time = min(max(time, self.start), self.end)
        robots, told = range(self.header.robots), self.told
        words = state_words(self.header.robots)
        before, after, share = self._at(time)
        poses, believed = (
            between_poses(_wide(before[name]).reshape(-1, 3), _wide(after[name]).reshape(-1, 3), share)
            for name in ("poses", "believed")
        )
        nodes = self.header.nodes
        links = np.unpackbits(before["links"], count=nodes * nodes).reshape(nodes, nodes).astype(np.bool_)
        people = before["people"] if "people" in (before.dtype.names or ()) else np.zeros(0)
        return Scene(
            time, poses, believed, _wide(before["covariance"]).reshape(-1, 3), _wide(before["goals"]).reshape(-1, 2),
            [words[state] if state < len(words) else "" for state in before["states"].tolist()],
            [told.word("role", robot, time) for robot in robots],
            [told.word("activity", robot, time) for robot in robots],
            _wide(before["batteries"]), [_broken(bits) for bits in before["failed"].tolist()],
            _wide(before["explored"]), float(before["seen_by_any"][0]), float(before["at_base"][0]),
            float(before["connected"][0]), _wide(before["travelled"]), before["sent"].astype(np.int64),
            before["received"].astype(np.int64), links, _wide(people).reshape(-1, 2),
            [self.path(robot, time) for robot in robots], self.scans(time),
            self.union_frontiers(time), told.tags_at(time), told.landmarks(time), told.marks(time),
            told.inboxes(time), [told.notes(robot, time) for robot in robots],
            [told.decision(robot, time) for robot in robots],
        )  # fmt: skip

    def map(self, which: Which, time: float) -> NDArray[np.uint8]:
        """(rows, columns) of `header.frame`: 0 unknown, 1 free, 2 occupied; row 0 is the lowest y."""
        return self._maps.at(which, time)

    def map_updates(self, which: Which, after: float, until: float) -> list[Patch]:
        """What changed in a map in after < time <= until, in the order in which it did."""
        return self._maps.updates(which, after, until)

    def frontiers(self, which: Which, time: float) -> Floats:
        """(n, 3): x, y and length in metres of the frontiers of a map."""
        return self._maps.frontiers(which, time)

    def trajectory(self, robot: int, until: float) -> Floats:
        """(n, 3): the true poses of a robot up to a time."""
        return self._track.poses("poses", until=until)[1][:, robot]

    def believed_trajectory(self, robot: int, until: float) -> Floats:
        """(n, 3): the poses that a robot believed in."""
        return self._track.poses("believed", until=until)[1][:, robot]

    def first_seen(self, time: float) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """(rows, columns) each: who saw a cell first, -1 if nobody, and when, NaN if never."""
        return self.told.first_seen(time, self.header.frame.shape)

    def covered_at(self, time: float) -> NDArray[np.float32]:
        """(rows, columns): when a robot was first above a cell, NaN if none was."""
        return self._coverage.at(time, self._track)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _at(self, time: float) -> tuple[Any, Any, float]:
        if math.isnan(time) or not self._file.by_channel.get(self._file.topics["/fleet"]):
            raise ExpeditionError(f"{self._file.path}: nothing is recorded yet")
        return self._track.at(time)

    def samples(self, after: float, until: float) -> tuple[Floats, dict[str, NDArray[Any]]]:
        """Times, and how the fleet was: fields of `expedition_msgs/Fleet` by name, of all samples up to `until`."""
        times, columns = self._track.columns(*MOVING, after=after, until=until)
        return times, dict(zip(MOVING, columns, strict=True))

    def traffic(self, time: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(R,) each: the bytes that robots have sent and received."""
        before, _, _ = self._at(time)
        return before["sent"].astype(np.int64), before["received"].astype(np.int64)

    def path(self, robot: int, time: float) -> Floats:
        """(n, 2): the way that a robot is about to drive, from the point of it that is nearest to the robot."""
        found = self._file.latest(f"/{self.header.names[robot]}/path", round(time * NANOSECONDS))
        if found is None or len(found[1]) < _PATH + POSE_STAMPED.itemsize:
            return np.zeros((0, 2))
        whole = (len(found[1]) - _PATH) // POSE_STAMPED.itemsize
        points = np.frombuffer(found[1], dtype=POSE_STAMPED, offset=_PATH, count=whole)["pose"][:, :2]
        before, after, share = self._at(time)
        row = slice(3 * robot, 3 * robot + 3)
        (pose,) = between_poses(_wide(before["believed"][None, row]), _wide(after["believed"][None, row]), share)
        return ahead_of(points, pose[:2])

    def scans(self, time: float, robots: Sequence[int] | None = None) -> list[Floats | None]:
        """(n, 2) each, of all robots or some: where the beams of the last scan ended; None without a recent one."""
        period = self.header.detail.get("scans")
        age = SCAN_SECONDS if period is None else max(SCAN_SECONDS, 3.0 * period)
        moment = round(time * NANOSECONDS)
        times, poses = self._track.poses("believed", time - age - 1.0, time + 1.0)
        scans: list[Floats | None] = []
        for robot in range(self.header.robots) if robots is None else robots:
            name, lidar = self.header.names[robot], self._lidars[robot]
            found = None if lidar is None else self._file.latest(f"/{name}/scan", moment)
            if lidar is None or found is None or found[0] < moment - age * NANOSECONDS or not len(times):
                scans.append(None)
                continue
            message = decode("sensor_msgs/LaserScan", found[1])
            when = message["header"]["stamp"]
            taken = when["sec"] + when["nanosec"] / NANOSECONDS
            scans.append(_ends(lidar, message["ranges"], _pose_at(taken, times, poses[:, robot])))
        return scans

    def union_frontiers(self, time: float) -> Floats:
        """(n, 3): x, y and length in metres of the frontiers of the union, as they were recorded."""
        found = self._file.latest("/union/frontiers", round(time * NANOSECONDS))
        if found is None:
            return np.zeros((0, 3))
        return _wide(decode("expedition_msgs/Frontiers", found[1])["frontiers"]).reshape(-1, 3)


def ahead_of(points: Floats, place: Floats) -> Floats:
    """What is left of a way (n, 2) from its point that is nearest to a place."""
    if len(points) < 2:
        return points.copy()
    begin, way = points[:-1], np.diff(points, axis=0)
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    along = np.clip(((place - begin) * way).sum(axis=1) / length, 0.0, 1.0)
    feet = begin + along[:, None] * way
    nearest = int(np.argmin(((feet - place) ** 2).sum(axis=1)))
    return np.vstack([feet[nearest], points[nearest + 1 :]])


def _ends(lidar: Lidar, ranges: NDArray[np.float32], pose: Floats) -> Floats:
    """(n, 2): where beams ended that met something, of a robot at a pose."""
    met = np.flatnonzero(ranges[: lidar.beams] < lidar.range)
    c, s = math.cos(pose[2]), math.sin(pose[2])
    angles = lidar.angles[met] + lidar.heading + pose[2]
    x, y = pose[0] + c * lidar.x - s * lidar.y, pose[1] + s * lidar.x + c * lidar.y
    return np.column_stack([x + ranges[met] * np.cos(angles), y + ranges[met] * np.sin(angles)])


def _pose_at(time: float, times: Floats, poses: Floats) -> Floats:
    """A robot's pose (samples, 3) at a time between samples."""
    after = min(max(int(np.searchsorted(times, time)), 1), len(times) - 1)
    before = max(0, after - 1)
    gap = times[after] - times[before]
    share = float(np.clip((time - times[before]) / gap, 0.0, 1.0)) if gap > 0.0 else 0.0
    (pose,) = between_poses(poses[[before]], poses[[after]], share)
    return np.asarray(pose)


def _wide(values: NDArray[Any]) -> Floats:
    return values.astype(np.float64)


def _broken(bits: int) -> str:
    return ", ".join(part for bit, part in enumerate(FAILURES) if bits >> bit & 1)
