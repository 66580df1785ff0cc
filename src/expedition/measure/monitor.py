"""The monitor: takes measurements while a mission runs. It alone knows the truth.

Explored is what robots have really seen: the scans that go into maps, and the latest once a second, are traced from
where robots truly are. A cell counts for a robot when its own beams crossed it, or those of a teammate that has told it
so since. A distorted map can neither inflate nor deflate that; how wrong a map is, its error says apart. How often
samples are taken changes nothing.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.mapping import beams_of
from expedition.fleet import Fleet
from expedition.kernels import kernel
from expedition.measure.connectivity import Contacts, hops_to, largest_group
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.sight_log import SightLog, sight_log, spread_news, trace_scans
from expedition.sim.protocol import Contact, Scans, Truth
from expedition.terrain import Terrain

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

STANDS = 0.01
"""A robot that moves slower than this, in m/s, and turns slower than this, in rad/s, is idle."""


class Sample(NamedTuple):
    """What is measured at one moment; arrays have an entry a robot."""

    time: float
    explored: Floats
    """Each robot's share of the explorable cells that it has seen or was told of."""
    union: float
    """The share of the explorable cells that any robot has seen."""
    saw: Floats
    """Each robot's share of the explorable cells that it has seen itself."""
    poses: Floats
    believed: Floats
    travelled: Floats
    """Metres driven so far."""
    idle: Floats
    """Seconds so far in which the robot neither drove nor turned."""
    sent: Integers
    """Bytes so far."""
    received: Integers
    contacts_with_walls: Integers
    """Contacts begun so far."""
    contacts_with_others: Integers
    connected: float
    """The share of the robots in the largest group that can talk to one another, directly or by way of others.

    A base station is one of these others: robots that reach it are in one group.
    """
    at_base: float
    """The share of the explorable cells that the base station knows of; NaN without one."""
    hops: Floats
    """The fewest links from each robot to the base, NaN for those that are cut off; empty without a base."""
    energy: Floats
    """Joules that each robot has taken from its battery so far; empty without batteries."""
    sent_by_channel: Integers
    """(channels, robots): bytes so far."""
    received_by_channel: Integers


class Series:
    """The samples of a mission, and each of their fields over time."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    @property
    def times(self) -> list[float]:
        """When the samples were taken."""
        return [sample.time for sample in self.samples]

    @property
    def explored(self) -> list[Floats]:
        """What each robot knew of, by sample."""
        return [sample.explored for sample in self.samples]

    @property
    def poses(self) -> list[Floats]:
        """Where each robot was, by sample."""
        return [sample.poses for sample in self.samples]

    @property
    def believed(self) -> list[Floats]:
        """Where each robot believed to be, by sample."""
        return [sample.believed for sample in self.samples]

    @property
    def travelled(self) -> list[Floats]:
        """How far each robot had driven, by sample."""
        return [sample.travelled for sample in self.samples]

    @property
    def sent(self) -> list[Integers]:
        """The bytes that each robot had sent, by sample."""
        return [sample.sent for sample in self.samples]

    @property
    def received(self) -> list[Integers]:
        """The bytes that each robot had received, by sample."""
        return [sample.received for sample in self.samples]


class Monitor:
    """Samples now and then, follows every move, and keeps who was first to see which cell."""

    def __init__(self, truth: GroundTruth, fleet: Fleet, frame: Frame) -> None:
        robots = len(fleet)
        self.truth = truth
        self.explorable_cells = max(1, int(np.count_nonzero(truth.explorable)))
        self.series = Series()
        self.contacts: list[Contact] = []
        self.travelled = np.zeros(robots)
        self.idle = np.zeros(robots)
        self.contacts_with_walls = np.zeros(robots, dtype=np.int64)
        self.contacts_with_others = np.zeros(robots, dtype=np.int64)
        self.standstills: list[dict[str, Any]] = []
        """When nobody had got anywhere for a while, as events."""
        self.network_contacts = Contacts(robots, fleet.base is not None)
        self.sensing = np.zeros(robots)
        """(robots,): seconds in which each robot saw ground that nobody had seen before."""
        self.resensing = np.zeros(robots)
        """(robots,): seconds in which all ground that a robot saw for the first time had been seen by a teammate."""
        self.frame = frame
        """The world's frame, in which the truth, `first_seen` and all poses are."""
        self.covered_at = np.full(frame.shape, np.nan, dtype=np.float32)
        """(rows, columns): the second in which some robot's body was first above a cell; NaN where none was."""
        self._frame = (*frame.origin, frame.resolution)
        self._log = sight_log(robots, frame.shape, fleet.base is not None)
        self._beams = {lidar: beams_of(lidar) for model in fleet.models if (lidar := model.lidar) is not None}
        self._radii = np.array([model.body.inscribed_radius for model in fleet.models])
        self._last_poses = fleet.poses.copy()
        self._now = fleet.poses.copy()
        self._before = fleet.poses.copy()
        self._time = 0.0
        self._time_before = 0.0
        self._looked_at = 0.0
        self._counts_then = self._log.first_count.copy(), self._log.seen_count.copy()
        cover(self.covered_at, truth.explorable, self._frame, self._now, self._radii, 0.0)

    @property
    def sight_log(self) -> SightLog:
        """Who has seen which cell, when, and who was told of it."""
        return self._log

    @property
    def first_seen(self) -> NDArray[np.int16]:
        """(rows, columns): the robot that saw a cell before any other, -1 where none did."""
        return self._log.first_seen

    @property
    def first_tick(self) -> NDArray[np.int32]:
        """(rows, columns): the control tick in which a cell was first seen, -1 where it never was."""
        return self._log.first_tick

    @property
    def first_count(self) -> Integers:
        """(robots,): how many cells each robot was the first to see."""
        return self._log.first_count[: len(self.travelled)]

    @property
    def base_tick(self) -> NDArray[np.int32]:
        """(rows, columns): the tick in which the base came to know of a cell, -1 where it does not; empty without."""
        return self._log.base_tick

    def follow(self, truth: Truth) -> None:
        """Take in how far the robots moved, and the contacts begun, since the last call."""
        add_way(truth.poses, self._last_poses, truth.time - self._time, self.travelled, self.idle)
        self._before, self._now = self._now, truth.poses
        self._time_before, self._time = self._time, truth.time
        cover(self.covered_at, self.truth.explorable, self._frame, self._now, self._radii, self._time)
        for contact in truth.contacts:
            counts = self.contacts_with_walls if contact.other is None else self.contacts_with_others
            counts[contact.robot] += 1
        self.contacts += truth.contacts

    def see(self, tick: int, scans: list[Scans], max_range: float) -> None:
        """See what robots see in some scans, of which beams count up to `max_range` metres."""
        for scan in scans:
            trace_scans(
                self._log, self.truth.explorable, self._beams[scan.lidar], self._frame, scan.robots, scan.times,
                scan.ranges, max_range, self._before, self._now, self._time_before, self._time, tick,
            )  # fmt: skip

    def look(self, tick: int, told_until: Integers, links: NDArray[np.bool_]) -> None:
        """Take in who was told what, and who is in contact.

        `told_until[r, o]` is the tick up to which robot r was told by others what robot o saw; `links[r, o]` says
        whether node r hears node o.
        """
        robots = slice(len(self.travelled))
        spread_news(self._log, told_until, tick)
        seconds, self._looked_at = self._time - self._looked_at, self._time
        first, seen = self._counts_then
        self._counts_then = self._log.first_count.copy(), self._log.seen_count.copy()
        is_new, is_seen = self._log.first_count > first, self._log.seen_count > seen
        self.sensing[is_new[robots]] += seconds
        self.resensing[(is_seen & ~is_new)[robots]] += seconds
        self.network_contacts.look(self._time, links)

    def sample(
        self, believed: Floats, sent: Integers, received: Integers, links: NDArray[np.bool_], energy: Floats
    ) -> Sample:
        """All measurements of this moment.

        `sent` and `received` are bytes by channel and node, `links[r, o]` says whether node r hears node o, and
        `energy` are joules by robot, if there are batteries.
        """
        log, cells, robots = self._log, self.explorable_cells, slice(len(self.travelled))
        at_base, hops = math.nan, np.zeros(0)
        if log.base_tick.size:
            at_base, hops = log.known_count[-1] / cells, hops_to(links, len(links) - 1)[robots].astype(np.float64)
            hops[hops < 0.0] = np.nan
        return Sample(
            self._time, log.known_count[robots] / cells, float(log.first_count.sum() / cells),
            log.seen_count[robots] / cells, self._now.copy(), self.poses_in_world(believed), self.travelled.copy(),
            self.idle.copy(), sent.sum(axis=0)[robots], received.sum(axis=0)[robots], self.contacts_with_walls.copy(),
            self.contacts_with_others.copy(), largest_group(links, len(self.travelled)), float(at_base), hops,
            energy, sent[:, robots].copy(), received[:, robots].copy(),
        )  # fmt: skip

    def truth_of(self, robot: int, terrain: Terrain | None = None) -> GroundTruth:
        """The truth in the frame of a robot's map; of `terrain` as it stands now if given, else as it was at first."""
        return self.truth if terrain is None else self.truth.changed(terrain, self.frame)

    def in_world(self, robot: int, layer: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Cells of the frame of a robot's map, drawn into the world's frame: for pictures."""
        return layer

    def poses_in_world(self, poses: Floats) -> Floats:
        """Poses (robots, 3) that robots believe in, in the world's frame."""
        return poses.copy()


@kernel
def add_way(poses: Floats, last: Floats, seconds: float, travelled: Floats, idle: Floats) -> None:
    """Add to each robot's way what lies between two poses, and the time to its idleness if that is next to nothing."""
    for robot in range(len(poses)):
        dx, dy = poses[robot, 0] - last[robot, 0], poses[robot, 1] - last[robot, 1]
        turn = poses[robot, 2] - last[robot, 2]
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        way = np.sqrt(dx * dx + dy * dy)
        travelled[robot] += way
        if way < STANDS * seconds and abs(turn) < STANDS * seconds:
            idle[robot] += seconds
        last[robot] = poses[robot]


@kernel
def cover(
    covered_at: NDArray[np.float32],
    explorable: NDArray[np.bool_],
    frame: tuple[float, float, float],
    poses: Floats,
    radii: Floats,
    time: float,
) -> None:
    """Note the time at the explorable cells whose middles lie beneath a robot for the first time.

    A body counts as the largest disc in it, and as the cell beneath its middle if it is smaller than a cell.
    """
    rows, columns = explorable.shape
    for robot in range(len(poses)):
        column, row = (poses[robot, 0] - frame[0]) / frame[2], (poses[robot, 1] - frame[1]) / frame[2]
        radius = radii[robot] / frame[2]
        for i in range(max(0, math.floor(row - radius)), min(rows, math.floor(row + radius) + 1)):
            for j in range(max(0, math.floor(column - radius)), min(columns, math.floor(column + radius) + 1)):
                away = (i + 0.5 - row) ** 2 + (j + 0.5 - column) ** 2
                beneath = away <= radius * radius or (i == math.floor(row) and j == math.floor(column))
                if beneath and explorable[i, j] and math.isnan(covered_at[i, j]):
                    covered_at[i, j] = time
