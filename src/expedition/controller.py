"""The robots' software: belief, navigator and strategies of a whole fleet, one row a robot.

A robot's rows are its own: what it knows came through its sensors or the network. Each control period runs in this
order: sense, localise, hear, map, exchange, decide, avoid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

import expedition.navigate.planners  # noqa: F401  they register themselves
from expedition.action import Drive, Follow, GoTo, Outcome
from expedition.belief.aligned_exchange import AlignedExchange
from expedition.belief.attention import Attention
from expedition.belief.evidence import KINDS
from expedition.belief.exchange import Exchange
from expedition.belief.finder import FrontierFinder
from expedition.belief.grid import Frame, Grids
from expedition.belief.mapping import Beams, beams_of, layers_of, map_scans, rules_of
from expedition.belief.merging import AlignedMerge, merges
from expedition.belief.slam import slam
from expedition.belief.strangers import beams_on_strangers
from expedition.belief.teammates import beams_on_teammates
from expedition.decisions import Decisions, Strategy
from expedition.fleet import Fleet
from expedition.guard import Guard
from expedition.kernels import kernel
from expedition.navigate.drive import has_room
from expedition.navigate.follower import Follower
from expedition.navigate.hearing import hear, hear_turned
from expedition.navigate.local_records import ARRIVED, BLOCKED
from expedition.navigate.navigator import Navigator
from expedition.navigate.planner import planner
from expedition.network import Network, encode, radios
from expedition.network.inbox import Inbox
from expedition.robot import Robot
from expedition.settings import ControllerSettings
from expedition.sim.protocol import Observations, Scans
from expedition.starts import from_starts
from expedition.stopwatch import Stopwatch
from expedition.world import World

Floats = NDArray[np.float64]

GOAL_BYTES = 8
"""Of a beacon: where the robot is going, as two numbers of four bytes."""
LOOK_AROUND = (0.0, 0.0, 1.0)
REACTION = 0.3
"""Seconds that a careful robot looks ahead, besides what it needs to brake."""
ROOM = 0.1
"""Metres that it keeps between its body and what is in the way."""


class Controller:
    """The software of all robots of a fleet."""

    def __init__(
        self,
        fleet: Fleet,
        frame: Frame,
        strategies: Sequence[Strategy],
        settings: ControllerSettings,
        world: World,
        guard: Guard,
        seed: int,
        stopwatch: Stopwatch,
    ) -> None:
        self.robots = len(fleet)
        self.fleet = fleet
        self.settings = settings
        self.world = world
        self.time = 0.0
        merge = merges.make(settings.merge)
        self.grids = Grids(self.robots, frame, settings.grid)
        self.exchange: Exchange
        self.start_poses = fleet.poses
        true_poses = world.true_poses
        if isinstance(merge, AlignedMerge):
            self.exchange = AlignedExchange(self.grids, merge, 1.0 / settings.control_rate)
            self.start_poses = np.zeros((self.robots, 3))
            true_poses = partial(_since_start, world, fleet.poses)
        else:
            self.exchange = Exchange(self.grids, merge)
        starting = replace(fleet, poses=self.start_poses)
        self.localiser = slam.make(settings.localiser, starting, frame, true_poses)
        self.network = Network(radios.make(settings.radio, fleet.models), fleet.models)
        self.finder = FrontierFinder(self.grids)
        self.follower = Follower(fleet.models, frame, settings.local, seed, 1.0 / settings.control_rate)
        self.navigator = Navigator(
            fleet, self.grids, self.localiser.pose, planner.make(settings.planner), self.follower, self.finder,
            settings.inflation, stopwatch,
        )  # fmt: skip
        self.follower.beacons["x"], self.follower.beacons["y"], self.follower.beacons["heading"] = self.localiser.pose.T
        self.inboxes = [Inbox() for _ in fleet.models]
        handles = [Robot(self, number, seed, inbox) for number, inbox in enumerate(self.inboxes)]
        self.notes: list[tuple[float, int, str]] = []
        self.tick = 0
        self._pressed = np.zeros(self.robots, dtype=np.bool_)
        self._last_scan: dict[int, tuple[Beams, NDArray[np.float32], float]] = {}
        self.scans_used = np.zeros(self.robots, dtype=np.int64)
        """How many scans each robot has looked at so far, to localise itself and to map."""
        self._attention = Attention(self.robots, settings.attention)
        self._layers = layers_of(self.grids)
        self._rules = rules_of(frame, settings.mapping, KINDS[settings.grid], merge.own)
        self._last_mapped = np.full((self.robots, 4), -math.inf)
        self._radius = np.array([model.body.circumradius for model in fleet.models])
        self.goals_heard = np.full((self.robots, self.robots, 2), math.nan)
        self.unreachable: list[list[tuple[float, float, float]]] = [[] for _ in fleet.models]
        """For each robot the goals (x, y) that proved unreachable, and until when that is remembered."""
        self.observations: Observations | None = None
        self.scans: list[Scans] = []
        self.stopwatch = stopwatch
        self._replan_ticks = max(1, round(settings.control_rate / settings.replan_rate))
        self._exchange_ticks = max(1, round(settings.control_rate / settings.exchange_rate))
        self._beams = {lidar: beams_of(lidar) for model in fleet.models if (lidar := model.lidar) is not None}
        self.decisions = Decisions(strategies, handles, guard)

    def step(self, observations: Observations) -> Floats:
        """Take in what was observed up to now, decide, and give commands (robots, 3) for the next period."""
        watch = self.stopwatch
        self.observations = observations
        self.time = observations.time
        self.navigator.tick = self.tick
        self.scans = scans = observations.scans(latest=True)
        watch.lap("sense")
        self.localiser.predict(observations.odometry())
        watch.lap("localise")
        self._hear()
        watch.lap("exchange")
        looked_at = self._attention.choose(scans, self.localiser.pose, self.time)
        ignore = [self._beams_on_teammates(scan) for scan in looked_at]
        self.localiser.correct(looked_at if self.robots == 1 else list(map(without, looked_at, ignore)))
        self.localiser.learn(looked_at, ignore)
        watch.lap("localise")
        for scan, mask in zip(looked_at, ignore, strict=True):
            self.scans_used[scan.robots] += 1
            map_scans(
                self._layers, self._rules, self._beams[scan.lidar], scan.robots, scan.ranges, mask,
                self.localiser.scan_pose, self.localiser.lost, self._last_mapped, self.time, self.tick,
            )  # fmt: skip
        watch.lap("map")
        if self.tick % self._exchange_ticks == 0 and self.robots > 1:
            traffic = self.exchange.round(self.network.links, self.tick)
            self.network.count(
                traffic.bytes_sent, traffic.bytes_received, traffic.messages_sent, traffic.messages_received
            )
            watch.lap("exchange")
        self._decide()
        watch.lap("Python")
        commands = self.follower.step(self.time, self.localiser.pose, self.follower.commands, scans, self.grids.state)
        self._drive(commands)
        watch.lap("avoid")
        self.tick += 1
        return commands

    def send(self, robot: int, payload: object, to: int | None, channel: str) -> None:
        """Put a strategy's message on the air."""
        self.network.send(robot, encode(payload), to, channel)

    def place_told(self, robot: int, sender: int, x: float, y: float) -> tuple[float, float] | None:
        """Where a point of the sender's frame lies in the robot's; None if the robot does not know."""
        if not isinstance(self.exchange, AlignedExchange):
            return x, y
        transform = self.exchange.acquaintance.transform(robot, sender)
        return None if transform is None else transform.point(x, y)

    def note(self, robot: int, text: str) -> None:
        """Write a strategy's note into the log."""
        self.notes.append((self.time, robot, text[:1000]))

    def _hear(self) -> None:
        """Messages and beacons arrive at those in reach."""
        arrived = self.network.tick(self.time, self.world.true_poses()[:, :2], self.world.terrain)
        if self.robots == 1:
            return
        for inbox, messages in zip(self.inboxes, arrived, strict=True):
            if messages:
                inbox.put(messages)
        links = self.network.links
        follower, goals = self.follower, self.navigator.goal_points
        if isinstance(self.exchange, AlignedExchange):
            acquaintance = self.exchange.acquaintance
            hear_turned(
                self.time, links, acquaintance.known, acquaintance.transforms, follower.beacons, goals,
                follower.heard, follower.heard_at, self.goals_heard,
            )  # fmt: skip
        else:
            hear(self.time, links, follower.beacons, goals, follower.heard, follower.heard_at, self.goals_heard)
        size = self.follower.beacons.itemsize + GOAL_BYTES
        heard, hears = np.any(links, axis=0).astype(np.int64), np.count_nonzero(links, axis=1).astype(np.int64)
        self.network.count(size * heard, size * hears, heard, hears)

    def _beams_on_teammates(self, scan: Scans) -> NDArray[np.uint8]:
        ignore = np.zeros(scan.ranges.shape, dtype=np.uint8)
        if self.robots > 1:
            beams_on_teammates(
                self._beams[scan.lidar], scan.robots, scan.ranges, self.localiser.pose, self.follower.heard,
                self.time - self.follower.heard_at, self._radius, ignore,
            )  # fmt: skip
        if isinstance(self.exchange, AlignedExchange):
            strangers = np.any(self.network.links & ~self.exchange.acquaintance.known, axis=1)
            beams_on_strangers(
                self._beams[scan.lidar], scan.robots, scan.ranges, self.localiser.pose, strangers, self.grids.state,
                (*self.grids.frame.origin, self.grids.frame.resolution), 2.0 * self._radius.max(), ignore,
            )  # fmt: skip
        return ignore

    def _decide(self) -> None:
        """Let the strategies go on whose waiting is over, in the order of their robots."""
        decisions = self.decisions
        if self.tick == 0:
            for robot in range(self.robots):
                self.stopwatch.robot = robot
                self._begin(robot, None)
            self.stopwatch.robot = None
            return
        status = self.follower.status
        first = self.tick % self._replan_ticks
        for robot in to_ask(status, decisions.deadlines, decisions.done, self.time, first, self._replan_ticks).tolist():
            self.stopwatch.robot = robot
            if (outcome := self._ended(robot, int(status[robot]))) is not None:
                self._begin(robot, outcome)
            self.stopwatch.lap("Python")
        self.stopwatch.robot = None

    def _ended(self, robot: int, status: int) -> Outcome | None:
        """How what a robot awaits has ended, if it has."""
        action = self.decisions.actions[robot]
        if isinstance(action, GoTo | Follow) and self.navigator.goals[robot] is action:
            if status == ARRIVED:
                return Outcome.ARRIVED if self.navigator.arrive(robot, self.time) else None
            if status == BLOCKED:
                return self._give_up(robot, action)
            if self.decisions.deadlines[robot] <= self.time:
                return Outcome.TIMED_OUT
            outcome = self.navigator.review(robot, self.time)
            if outcome == Outcome.ARRIVED:
                # It looked all around and the frontier is still there: there is nothing to see from this side.
                self._give_up(robot, action)
            self.stopwatch.lap("plan")
            return self._give_up(robot, action) if outcome == Outcome.BLOCKED else outcome
        if self.decisions.deadlines[robot] <= self.time:
            return self.decisions.at_deadline(robot)
        if isinstance(action, GoTo | Follow):
            return Outcome.STALE  # The strategy stopped the robot on its way.
        return Outcome.STALE if action is not None and action.until is not None and action.until() else None

    def _give_up(self, robot: int, action: GoTo | Follow) -> Outcome:
        if isinstance(action, GoTo):
            self.unreachable[robot].append((action.x, action.y, self.time + self.settings.unreachable_for))
        return Outcome.BLOCKED

    def _begin(self, robot: int, outcome: Outcome | None) -> None:
        """Let a strategy go on, and start what it asks for."""
        self.navigator.halt(robot)
        action = self.decisions.resume(robot, outcome)
        self.stopwatch.lap("Python")
        if isinstance(action, GoTo | Follow):
            self.navigator.begin(robot, action, self.time)
            self.stopwatch.lap("plan")

    def _drive(self, commands: Floats) -> None:
        """Commands of the robots whose strategies drive by velocity, and of those that look around."""
        if self.navigator.looks_around.any():
            commands[self.navigator.looks_around] = LOOK_AROUND
        for robot, action in enumerate(self.decisions.actions):
            if not isinstance(action, Drive):
                continue
            limit = self.fleet.models[robot].drive
            velocity = (
                min(max(action.forward, -limit.max_reverse_speed), limit.max_speed),
                min(max(action.sideways, -limit.max_speed), limit.max_speed),
                min(max(action.turn, -limit.max_turn_rate), limit.max_turn_rate),
            )
            if action.careful and not self._has_room(robot, velocity):
                self.decisions.deadlines[robot] = self.time
                action.was_blocked = True
                velocity = (0.0, 0.0, 0.0)
            commands[robot] = velocity

    def _has_room(self, robot: int, velocity: tuple[float, float, float]) -> bool:
        """By the robot's latest scan; its bumper tells of what it has run into all the same."""
        model = self.fleet.models[robot]
        pressed = self.observations is not None and bool(self.observations.bumpers()[robot])
        was_pressed, self._pressed[robot] = bool(self._pressed[robot]), pressed
        if pressed and not was_pressed:
            return False
        for scan in self.scans:
            for row in np.flatnonzero(scan.robots == robot).tolist():
                self._last_scan[robot] = self._beams[scan.lidar], scan.ranges[row], scan.times[row]
        if robot not in self._last_scan:
            return True
        beams, ranges, taken = self._last_scan[robot]
        braking = 0.5 * math.hypot(velocity[0], velocity[1]) / model.drive.max_acceleration
        # What the robot did since the scan, and what it will do until it can react.
        seconds = self.time - taken + REACTION + braking
        return bool(has_room(beams, ranges, *velocity, seconds, model.body.circumradius + ROOM))


def _since_start(world: World, starts: Floats) -> Floats:
    """Where robots really are, each in the frame of its start."""
    return from_starts(world.true_poses(), starts)


def without(scan: Scans, ignore: NDArray[np.uint8]) -> Scans:
    """A scan whose ignored beams dropped out."""
    return scan._replace(ranges=np.where(ignore, np.float32(np.nan), scan.ranges))


@kernel
def to_ask(
    status: NDArray[np.int64], deadlines: Floats, done: NDArray[np.bool_], time: float, first: int, step: int
) -> NDArray[np.int64]:
    """The robots whose waiting may be over: they arrived, gave up, are out of time, or it is their turn for a review.

    Reviews go round: robots `first`, `first` + `step` and so on have their turn now.
    """
    due = np.zeros(len(status), dtype=np.bool_)
    for robot in range(len(status)):
        ended = status[robot] == ARRIVED or status[robot] == BLOCKED or deadlines[robot] <= time
        due[robot] = not done[robot] and (ended or robot % step == first)
    return np.flatnonzero(due)
