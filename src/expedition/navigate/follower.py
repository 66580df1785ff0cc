"""Path following for a fleet: keeps each robot's path and drives it there, tick by tick.

>>> follower = Follower(fleet.models, frame, seed=1)                                        # doctest: +SKIP
>>> follower.set_path(0, [(0.0, 0.0), (5.0, 0.0)])                                          # doctest: +SKIP
>>> commands = follower.step(time, poses, velocities, observations.scans(latest=True), states)   # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from expedition.belief.grid import Frame
from expedition.errors import ExpeditionError, shorten
from expedition.fleet import RobotModel
from expedition.kernels import kernel
from expedition.navigate.follow import follow_paths
from expedition.navigate.giving_way import LATER
from expedition.navigate.local_parameters import LocalNavigation, numbers_of, slowest_margin
from expedition.navigate.local_records import (
    BEACON,
    BLOCKED,
    DRIVING,
    IDLE,
    NOBODY,
    STATUS,
    Records,
    memories,
    platforms_of,
)
from expedition.navigate.nearby import slots
from expedition.sim.protocol import Scans
from expedition.streams import stream_key

Floats = NDArray[np.float64]

FIRST_CAPACITY = 128
"""Points of a path for which there is room at first; longer paths make more."""
MAX_POINTS = 1_000_000
SAME_GOAL = 0.5
"""A new path to a goal no farther than this from the old one does not forget how long the robot got no nearer."""
COMPANY = 2.0
"""A teammate nearer than this may be what holds a robot up, in metres."""
TRUSTED_FOR = 5.0
"""Seconds for which a robot that has passed somewhere before measures no width."""
DETOUR = 1.0
"""Unless it is so much longer than the rest of the old one that it must lead another way, in metres."""


class Follower:
    """Drives robots along paths. Robot r is row r of every array.

    `heard` and `heard_at` are what came over the network: `heard[r, s]` is the beacon of robot s that robot r last
    heard, `heard_at[r, s]` when that was sent, minus infinity if never. `beacons[r]` is what robot r has to tell.
    """

    def __init__(
        self,
        models: Sequence[RobotModel],
        frame: Frame,
        parameters: LocalNavigation | None = None,
        seed: int = 0,
        period: float = 0.1,
        nodes: int | None = None,
    ) -> None:
        """`period` is the time from one step to the next, in seconds; `nodes` are all that hear beacons."""
        robots = len(models)
        hearers = robots if nodes is None else nodes
        keys = [int(stream_key(seed, f"robot/{robot}/recovery")) for robot in range(robots)]
        self._platforms, self._beams = platforms_of(models, keys, period, frame.resolution)
        self._memory = memories(robots)
        self._parameters = parameters or LocalNavigation()
        self._numbers = numbers_of(self._parameters)
        self._frame = np.array([frame.origin[0], frame.origin[1], frame.resolution])
        self._paths = np.zeros((robots, FIRST_CAPACITY, 2))
        self._lengths = np.zeros((robots, FIRST_CAPACITY))
        self._ranges = np.full((robots, max(1, int(self._platforms["beams"].max()))), np.inf, dtype=np.float32)
        self._own_ranges = self._ranges
        self._kept = slots(robots)
        self.commands = np.zeros((robots, 3))
        self.beacons: Records = np.zeros(robots, dtype=BEACON)
        self.beacons["held_by"] = self.beacons["yields_to"] = NOBODY
        self.heard: Records = np.zeros((hearers, robots), dtype=BEACON)
        self.heard_at = np.full((hearers, robots), -np.inf)
        self._time = 0.0

    @property
    def slowest_margin(self) -> float:
        """What a robot at its slowest keeps between its body and obstacles, in metres."""
        return slowest_margin(self._parameters)

    def set_path(self, robot: int, points: ArrayLike, final_heading: float | None = None) -> None:
        """Drive along `points` (n, 2: x, y in the map frame), and face `final_heading` at the end if it is given."""
        path = np.asarray(points, dtype=np.float64)
        if path.ndim != 2 or path.shape[1] != 2 or not 1 <= len(path) <= MAX_POINTS:
            raise ExpeditionError(_no_path(robot, points))
        if final_heading is not None and not math.isfinite(final_heading):
            raise ExpeditionError(f"robot {robot}: the heading at the goal must be finite, found {final_heading}")
        if len(path) == 1:
            path = np.concatenate([path, path])
        count = len(path)
        if count > self._paths.shape[1]:
            more = 2 * count - self._paths.shape[1]
            self._paths = np.pad(self._paths, ((0, 0), (0, more), (0, 0)))
            self._lengths = np.pad(self._lengths, ((0, 0), (0, more)))
        memory = self._memory[robot]
        length, moved = lay_path(path, self._paths[robot], self._lengths[robot], memory["points"])
        if not math.isfinite(length):
            memory["points"] = 0
            raise ExpeditionError(_no_path(robot, points))
        same_goal = moved < SAME_GOAL
        memory["points"], memory["segment"], memory["along"] = count, 0, 0.0
        memory["length"] = length
        memory["final_heading"] = math.nan if final_heading is None else final_heading
        memory["yields_to"] = NOBODY
        if not same_goal or memory["status"] == BLOCKED:
            self._forget_trouble(robot)
        elif memory["length"] > memory["least_left"] + DETOUR:
            memory["least_left"] = memory["length"]
        memory["status"] = DRIVING

    def clear(self, robot: int) -> None:
        """Forget the path and stand."""
        self._forget_trouble(robot)
        self._memory[robot]["points"] = 0
        self._memory[robot]["status"] = IDLE
        self._memory[robot]["yields_to"] = NOBODY

    def make_way(self, robot: int, other: int, points: ArrayLike) -> None:
        """Drive along `points` out of the way of a teammate, and wait there until it is past."""
        self._memory[robot]["points"] = 0
        self.set_path(robot, points)
        memory = self._memory[robot]
        memory["yields_to"], memory["yields_since"], memory["past_since"] = other, self._time, self._time
        memory["held_x"], memory["held_y"] = self.beacons[robot]["x"], self.beacons[robot]["y"]

    @property
    def strides(self) -> Floats:
        """(robots,): the most that each robot drives from one step to the next, in metres."""
        strides: Floats = self._platforms["forward"] * self._platforms["period"]
        return strides

    @property
    def yields_to(self) -> NDArray[np.int64]:
        """For each robot the teammate for which it makes way, or `NOBODY`."""
        yields_to: NDArray[np.int64] = self._memory["yields_to"]
        return yields_to

    @property
    def held_by(self) -> NDArray[np.int64]:
        """For each robot the teammate that holds it up, or `NOBODY`."""
        held_by: NDArray[np.int64] = self._memory["held_by"]
        return held_by

    @property
    def looks_around(self) -> NDArray[np.int64]:
        """For each robot whether it is to turn on the spot; where there is no room for that, it makes some."""
        looks: NDArray[np.int64] = self._memory["looks_around"]
        return looks

    @property
    def is_stuck(self) -> NDArray[np.bool_]:
        """For each robot whether it tries to get free."""
        stuck: NDArray[np.bool_] = self._memory["attempts"] > 0
        return stuck

    def requests(self) -> list[tuple[int, int, bool]]:
        """Robots that should make way, for whom, and whether only their way out is asked for."""
        asked = self._memory["asked_by"]
        return [
            (robot, int(asked[robot]), bool(self._memory[robot]["asks_way_out"]))
            for robot in np.flatnonzero(asked != NOBODY).tolist()
        ]

    def set_way_out(self, robot: int, other: int, metres: float) -> None:
        """How far a robot would have to go to be out of a teammate's way; infinite if it cannot be."""
        memory = self._memory[robot]
        memory["way_out"], memory["way_out_for"], memory["way_out_at"] = metres, other, self._time

    def may_ask_again(self, robot: int, other: int) -> bool:
        """Whether it is time to look for a way out again, where there was none."""
        memory = self._memory[robot]
        is_none = memory["way_out_for"] == other and not math.isfinite(memory["way_out"])
        return not (is_none and self._time - memory["way_out_at"] < LATER)

    def held_for(self, robot: int) -> float:
        """Seconds since a teammate began to hold the robot up; 0 if none does."""
        memory = self._memory[robot]
        return float(self._time - memory["held_since"]) if memory["held_by"] != NOBODY else 0.0

    @property
    def status(self) -> NDArray[np.int64]:
        """For each robot IDLE, DRIVING, ARRIVED, WAITING (gives way) or BLOCKED (gave up)."""
        status: NDArray[np.int64] = self._memory["status"]
        return status

    def status_name(self, robot: int) -> str:
        """The status in a word."""
        return STATUS[int(self._memory[robot]["status"])]

    @property
    def paths(self) -> tuple[Floats, NDArray[np.int64]]:
        """(robots, points, 2): the paths of all robots, and how many points of each count."""
        return self._paths, self._memory["points"]

    def too_narrow_place(self, robot: int) -> tuple[float, float] | None:
        """Where a robot is blocked because its lidar sees that it does not fit through; None if it is not."""
        memory = self._memory[robot]
        return (float(memory["narrow_x"]), float(memory["narrow_y"])) if memory["too_narrow"] else None

    def trust_path(self, robot: int) -> None:
        """Measure no width for a while: the robot has passed there before."""
        self._memory[robot]["fits_at"] = self._time + TRUSTED_FOR

    def has_company(self, robot: int) -> bool:
        """Whether a teammate was heard lately that is so near that it may be in a robot's way."""
        heard = self.heard[robot]
        away = np.hypot(heard["x"] - self.beacons["x"][robot], heard["y"] - self.beacons["y"][robot])
        return bool((self.heard_lately(robot) & (away < COMPANY)).any())

    def heard_lately(self, robot: int) -> NDArray[np.bool_]:
        """Which teammates a robot still reckons with."""
        lately: NDArray[np.bool_] = self._time - self.heard_at[robot] < self._numbers[0]["beacon_timeout"]
        lately[robot] = False
        return lately

    def has_unheard_mates(self, robot: int) -> bool:
        """Whether there are teammates that a robot does not hear: they may stand anywhere."""
        return int(np.count_nonzero(self.heard_lately(robot))) < len(self._memory) - 1

    def left(self, robot: int) -> float:
        """Metres of the path still to drive."""
        memory = self._memory[robot]
        return float(memory["length"] - memory["along"]) if memory["points"] else 0.0

    def step(
        self, time: float, poses: Floats, velocities: Floats, scans: Sequence[Scans], states: NDArray[np.uint8]
    ) -> Floats:
        """Commands (robots, 3: forward, sideways, turning) for the time to the next step.

        `poses` and `velocities` (robots, 3) are what robots believe; `states` (robots, rows, columns) their maps, or
        (1, rows, columns) one for all. Without a new scan a robot goes by its last one.
        """
        self._time = time
        fresh = self._take(scans, poses)
        follow_paths(
            time, fresh, poses, velocities, self._platforms, self._memory, self._paths, self._lengths,
            self._ranges, self._beams, self._kept, states, self._frame, self.heard, self.heard_at, self._numbers,
            self.commands, self.beacons,
        )  # fmt: skip
        return self.commands

    def _take(self, scans: Sequence[Scans], poses: Floats) -> bool:
        """Keep the latest scans; True, and no copy, where one array holds those of all robots."""
        memory = self._memory
        if len(scans) == 1 and len(scans[0].robots) == len(memory):
            self._ranges = scans[0].ranges
            return True
        for scan in scans:
            if len(scan.robots) == 0:
                continue
            if self._ranges is not self._own_ranges:
                self._own_ranges[:, : self._ranges.shape[1]] = self._ranges
                self._ranges = self._own_ranges
            self._own_ranges[scan.robots, : scan.ranges.shape[1]] = scan.ranges
            memory["scan_row"][scan.robots] = scan.robots
            memory["scan_x"][scan.robots] = poses[scan.robots, 0]
            memory["scan_y"][scan.robots] = poses[scan.robots, 1]
            memory["scan_heading"][scan.robots] = poses[scan.robots, 2]
        return False

    def _forget_trouble(self, robot: int) -> None:
        """Begin anew; a robot that is stuck is so whatever its goal, until it has moved or has counted as blocked."""
        memory = self._memory[robot]
        memory["least_left"], memory["least_since"] = math.inf, self._time
        if memory["status"] == BLOCKED and not memory["too_narrow"]:
            memory["attempts"] = memory["recovery"] = 0
            memory["stuck_since"] = memory["free_since"] = self._time
        memory["turning"] = memory["too_narrow"] = 0
        memory["fits_at"] = self._time
        memory["gear"] = 1


def _no_path(robot: int, points: ArrayLike) -> str:
    return f"robot {robot}: a path needs 1 to {MAX_POINTS:,} finite points (x, y), found {shorten(points)}"


@kernel
def lay_path(points: Floats, path: Floats, lengths: Floats, before: int) -> tuple[float, float]:
    """Put points and the way up to each in the place of a path of `before` points.

    Returns the whole way, not finite if a point is not, and how far the goal has moved, infinite if there was none.
    """
    last = len(points) - 1
    moved = math.inf
    if before > 0:
        moved = math.hypot(points[last, 0] - path[before - 1, 0], points[last, 1] - path[before - 1, 1])
    way = 0.0
    for k in range(len(points)):
        if k > 0:
            way += math.hypot(points[k, 0] - points[k - 1, 0], points[k, 1] - points[k - 1, 1])
        path[k, 0], path[k, 1], lengths[k] = points[k, 0], points[k, 1], way
    return way + 0.0 * (points[0, 0] + points[0, 1]), moved
