"""The robots' software: belief, navigator and strategies of a whole fleet, one row a robot.

A robot's rows are its own: what it knows came through its sensors or the network. Each control period runs in this
order: sense, localise, hear, map, exchange, decide, avoid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import expedition.navigate.planners  # noqa: F401  they register themselves
from expedition.action import Drive, Follow, GoTo, Outcome
from expedition.belief.aligned_exchange import AlignedExchange
from expedition.belief.attention import Attention
from expedition.belief.conversation import PATIENCE, Conversation
from expedition.belief.evidence import KINDS
from expedition.belief.exchange import Exchange
from expedition.belief.finder import FrontierFinder
from expedition.belief.grid import Frame, Grids
from expedition.belief.mapping import Beams, beams_of, layers_of, map_scans, rules_of, take_for_free
from expedition.belief.merging import AlignedMerge, merges
from expedition.belief.prior import Prior
from expedition.belief.roughness import Roughness
from expedition.belief.slam import slam
from expedition.belief.strangers import beams_on_strangers
from expedition.belief.teammates import beams_on_teammates
from expedition.decisions import Decisions, Strategy
from expedition.energy import Energy
from expedition.failures import Faults
from expedition.fleet import Fleet
from expedition.guard import Guard
from expedition.kernels import kernel
from expedition.navigate.drive import has_room
from expedition.navigate.failed_places import FailedPlaces
from expedition.navigate.follower import Follower
from expedition.navigate.hearing import hear, hear_turned
from expedition.navigate.local_records import ARRIVED, BLOCKED, IDLE
from expedition.navigate.navigator import Navigator
from expedition.navigate.planner import planner
from expedition.network import Network, Receipt, encode
from expedition.network.inbox import Inbox
from expedition.network.obstacles import Obstacles
from expedition.outlook import SMALLEST
from expedition.robot import Robot
from expedition.settings import ControllerSettings
from expedition.sim.protocol import Observations, Scans
from expedition.starts import from_starts
from expedition.stopwatch import Stopwatch
from expedition.witness import Witness
from expedition.world import World

Floats = NDArray[np.float64]

GOAL_BYTES = 8
"""Of a beacon: where the robot is going, as two numbers of four bytes."""
LONGEST_WORD = 40
"""Letters of a role or an activity."""
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
        prior: Prior | None = None,
        faults: Faults | None = None,
        changing: bool = False,
    ) -> None:
        """`changing` says that walls may come and go, as doors and rubble do."""
        self.robots = len(fleet)
        self.nodes = fleet.nodes
        """The robots, and the base station as the last."""
        self.fleet = fleet
        self.settings = settings
        self.world = world
        self.time = 0.0
        self.faults = faults or Faults((), self.robots, seed)
        self.energy = Energy(fleet.models)
        merge = merges.make(settings.merge)
        self.grids = Grids(self.nodes, frame, settings.grid, changing and self.nodes > 1)
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
        self.network = Network(fleet.radios, settings.network, settings.radio, seed, self.robots)
        self.prior = prior
        self.roughness = Roughness.of(fleet, frame, 1.0 / settings.control_rate)
        self.finder = FrontierFinder(self.grids, prior)
        self.follower = Follower(fleet.models, frame, settings.local, seed, 1.0 / settings.control_rate, self.nodes)
        self.navigator = Navigator(
            fleet, self.grids, self.localiser.pose, planner.make(settings.planner), self.follower, self.finder,
            settings.inflation, stopwatch, self._take_for_free, prior, self.roughness, changing, seed,
        )  # fmt: skip
        self.follower.beacons["x"], self.follower.beacons["y"], self.follower.beacons["heading"] = self.localiser.pose.T
        self.inboxes = [Inbox() for _ in range(self.nodes)]
        handles = [Robot(self, number, seed, inbox) for number, inbox in enumerate(self.inboxes)]
        self.notes: list[tuple[float, int, str]] = []
        self.declared: list[tuple[float, int, str, str]] = []
        """When which robot took on which role or activity."""
        self.witness: Witness | None = None
        """Who is told what strategies weigh and what messages say, if somebody records that."""
        self.base_heard_at = np.full(self.robots, -math.inf)
        """(robots,): when each robot last heard the base station, in seconds since the start."""
        self.tick = 0
        self._is_robot = np.arange(self.nodes) < self.robots
        self._may_fail = False
        self._pressed = np.zeros(self.robots, dtype=np.bool_)
        self._last_scan: dict[int, tuple[Beams, NDArray[np.float32], float]] = {}
        self.scans_used = np.zeros(self.robots, dtype=np.int64)
        """How many scans each robot has looked at so far, to localise itself and to map."""
        self._attention = Attention(self.robots, settings.attention)
        self._layers = layers_of(self.grids)
        self._rules = rules_of(frame, settings.mapping, KINDS[settings.grid], merge.own)
        self._last_mapped = np.full((self.robots, 4), -math.inf)
        self._radius = np.array([model.body.circumradius for model in fleet.models])
        self.goals_heard = np.full((self.nodes, self.robots, 2), math.nan)
        self.failed = [FailedPlaces(frame, state, settings.unreachable_for) for state in self.grids.state]
        """For each node the goals that it failed to get to."""
        self.observations: Observations | None = None
        self.scans: list[Scans] = []
        self.mapped: list[Scans] = []
        """The scans that went into maps in this tick."""
        self.stopwatch = stopwatch
        self._replan_ticks = max(1, round(settings.control_rate / settings.replan_rate))
        self._exchange_ticks = max(1, round(settings.control_rate / settings.exchange_rate))
        link = self.network.maps.link
        delay = math.ceil(2.0 * settings.control_rate * (3.0 * link.latency + 2.0 * link.jitter))
        self.conversation = Conversation(self.exchange, self.network.maps, PATIENCE * self._exchange_ticks + delay)
        self._beams = {lidar: beams_of(lidar) for model in fleet.models if (lidar := model.lidar) is not None}
        leads_from_base = fleet.base is not None and getattr(strategies[0], "leads_from_base", False)
        deciding = self.nodes if leads_from_base else self.robots
        self.decisions = Decisions([*strategies, strategies[0]][:deciding], handles[:deciding], guard)

    def step(self, observations: Observations) -> Floats:
        """Take in what was observed up to now, decide, and give commands (robots, 3) for the next period."""
        watch = self.stopwatch
        self.observations = observations
        self.time = observations.time
        self.navigator.tick, self.navigator.time = self.tick, self.time
        self._may_fail = self.faults.is_possible or bool(np.count_nonzero(self.faults.flat))
        self.scans = scans = self._seeing(observations.scans(latest=True))
        watch.lap("sense")
        self.localiser.predict(observations.odometry(), self.time)
        watch.lap("localise")
        self._hear()
        watch.lap("exchange")
        looked_at = self._attention.choose(scans, self.localiser.pose, self.time)
        ignore = [self._beams_on_teammates(scan) for scan in looked_at]
        self.localiser.correct(looked_at if self.robots == 1 else list(map(without, looked_at, ignore)))
        self.localiser.learn(looked_at, ignore)
        if looked_at:
            watch.lap("localise")
        self.mapped = []
        for scan, mask in zip(looked_at, ignore, strict=True):
            self.scans_used[scan.robots] += 1
            number = map_scans(
                self._layers, self._rules, self._beams[scan.lidar], scan.robots, scan.ranges, mask,
                self.localiser.scan_pose, self.localiser.lost, self._last_mapped, self.time, self.tick,
            )  # fmt: skip
            if number > 0:
                is_mapped = self._last_mapped[scan.robots, 3] == self.time
                self.mapped.append(Scans(scan.lidar, *(part[is_mapped] for part in scan[1:])))
        if self.roughness is not None:
            views = observations.ground_views(latest=True)
            out = self.localiser.lost | self.faults.blind if self._may_fail else self.localiser.lost
            self.roughness.see(views, self.localiser.pose, out, self.time, self.tick)
        if looked_at or self.roughness is not None:
            watch.lap("map")
        if self.tick % self._exchange_ticks == 0 and self.nodes > 1:
            if self.network.maps.is_ideal:
                traffic = self.exchange.round(self.network.links, self.tick)
                self.network.count(
                    traffic.bytes_sent, traffic.bytes_received, traffic.messages_sent, traffic.messages_received
                )
            else:
                self.conversation.round(self.tick)
            if self.roughness is not None and not isinstance(self.exchange, AlignedExchange):
                if self.network.maps.is_ideal:
                    self.network.count(*self.roughness.tell(self.network.contact, self.tick))
                else:
                    self.roughness.tell_over(self.network.maps, self.tick, PATIENCE * self._exchange_ticks)
            watch.lap("exchange")
        self.navigator.follow_trails()
        self._decide()
        watch.lap("Python")
        self._make_way()
        self.follower.looks_around[:] = self.navigator.looks_around
        commands = self.follower.step(self.time, self.localiser.pose, self.follower.commands, scans, self.grids.state)
        self._drive(commands)
        if self._may_fail:
            commands[self.faults.stuck] = 0.0
        watch.lap("avoid")
        self.tick += 1
        return commands

    def spend_energy(self, seconds: float) -> None:
        """The robots have moved on by some seconds, which took from their batteries."""
        if self.energy.is_counted:
            network, robots = self.network, slice(self.robots)
            sent, received = network.bytes_sent.sum(axis=0)[robots], network.bytes_received.sum(axis=0)[robots]
            self.energy.take(self.world.true_poses(), seconds, sent, received, ~self.faults.down)
            self.faults.run_out(self.energy.left, self.world.truth.time, self.decisions.done[robots])

    def _seeing(self, scans: list[Scans]) -> list[Scans]:
        """The scans of robots whose sensors work."""
        if not self._may_fail or not (blind := self.faults.blind).any():
            return scans
        return [
            Scans(scan.lidar, scan.robots[sees], scan.times[sees], scan.ranges[sees])
            for scan in scans
            for sees in [~blind[scan.robots]]
        ]

    def send(
        self, robot: int, payload: object, to: int | None, channel: str | None, topic: str, confirm: bool
    ) -> Receipt:
        """Put a strategy's message on the air."""
        return self.network.send(robot, encode(payload), to, channel, topic, confirm)

    def place_told(self, robot: int, sender: int, x: float, y: float) -> tuple[float, float] | None:
        """Where a point of the sender's frame lies in the robot's; None if the robot does not know."""
        if not isinstance(self.exchange, AlignedExchange):
            return x, y
        transform = self.exchange.acquaintance.transform(robot, sender)
        return None if transform is None else transform.point(x, y)

    def declare(self, robot: int, what: str, before: str, word: str) -> str:
        """Keep what a strategy says that its robot is or does from now on; the word, in its short form."""
        word = str(word)[:LONGEST_WORD]
        if word != before:
            self.declared.append((self.time, robot, what, word))
        return word

    def note(self, robot: int, text: str) -> None:
        """Write a strategy's note into the log."""
        self.notes.append((self.time, robot, text[:1000]))

    def _hear(self) -> None:
        """Messages and beacons arrive at those in reach."""
        if self._may_fail:
            self.network.silent[: self.robots] = self.faults.mute
        arrived = self.network.tick(self.time, self._places(), Obstacles.of(self.world.terrain))
        if self.nodes == 1:
            return
        if self.witness is not None:
            self.witness.hear(self.time, arrived)
        if self.nodes > self.robots:
            self.base_heard_at[self.network.links[: self.robots, self.robots]] = self.time
        for inbox, messages in zip(self.inboxes, arrived, strict=True):
            if messages:
                inbox.put(messages)
        if self.network.answers:
            answers = self.network.answers
            if self.roughness is not None:
                answers = self.roughness.arrive(answers, self.tick)
            self.conversation.arrive(answers, self.tick)
        links, beacons, goals = self.network.links, self.follower.beacons, self.navigator.goal_points
        size = beacons.itemsize + GOAL_BYTES
        if self.network.maps.is_ideal:
            self._listen(self.time, links, beacons, goals)
            self.network.maps.count_heard(self.robots, size)
            return
        for told in self.network.maps.beacons(size * self._is_robot, (beacons.copy(), goals.copy())):
            self.conversation.hear(told.heard, self.tick)
            # Of two beacons of one robot the later may arrive first.
            told.heard[:, : self.robots] &= self.follower.heard_at[:, : self.robots] < told.time
            self._listen(told.time, told.heard, *told.content)

    def _listen(self, time: float, links: NDArray[np.bool_], beacons: NDArray[Any], goals: Floats) -> None:
        """Let nodes remember what robots said of themselves at some time."""
        follower = self.follower
        if isinstance(self.exchange, AlignedExchange):
            acquaintance = self.exchange.acquaintance
            hear_turned(
                time, links, acquaintance.known, acquaintance.transforms, beacons, goals, follower.heard,
                follower.heard_at, self.goals_heard,
            )  # fmt: skip
        else:
            hear(time, links, beacons, goals, follower.heard, follower.heard_at, self.goals_heard)

    def _places(self) -> Floats:
        """(nodes, 2): where the robots and the base really are."""
        places, base = np.empty((self.nodes, 2)), self.fleet.base
        places[: self.robots] = self.world.true_poses()[:, :2]
        if base is not None:
            places[-1] = base.x, base.y
        return places

    def _beams_on_teammates(self, scan: Scans) -> NDArray[np.uint8]:
        ignore = np.zeros(scan.ranges.shape, dtype=np.uint8)
        if self.robots > 1:
            covariance = self.localiser.covariance
            spread = np.sqrt(covariance[:, 0, 0] + covariance[:, 1, 1])
            beams_on_teammates(
                self._beams[scan.lidar], scan.robots, scan.ranges, self.localiser.pose, self.follower.heard,
                self.time - self.follower.heard_at, self._radius, spread, self.time, ignore,
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
            for robot in range(len(decisions.done)):
                self.stopwatch.robot = robot
                self._begin(robot, None)
            self.stopwatch.robot = None
            return
        status = self.follower.status
        first = self.tick % self._replan_ticks
        out = decisions.done[: self.robots]
        if self._may_fail:
            out = out | self.faults.down
        for robot in to_ask(status, decisions.deadlines, out, self.time, first, self._replan_ticks).tolist():
            self.stopwatch.robot = robot
            if (outcome := self._ended(robot, int(status[robot]))) is not None:
                self._begin(robot, outcome)
            self.stopwatch.lap("Python")
        self.stopwatch.robot = None
        base = self.robots
        if len(decisions.done) > base and not decisions.done[base] and (outcome := self._ended(base, IDLE)) is not None:
            self.stopwatch.robot = base
            self._begin(base, outcome)
            self.stopwatch.robot = None

    def _ended(self, robot: int, status: int) -> Outcome | None:
        """How what a robot awaits has ended, if it has."""
        action = self.decisions.actions[robot]
        if isinstance(action, GoTo | Follow) and robot < self.robots and self.navigator.goals[robot] is action:
            if self.navigator.is_letting_pass(robot, self.time):
                return Outcome.TIMED_OUT if self.decisions.deadlines[robot] <= self.time else None
            if status == ARRIVED:
                return Outcome.ARRIVED if self.navigator.arrive(robot, self.time) else None
            if status == BLOCKED:
                if self.navigator.stopped_making_way(robot) or self.navigator.goes_on_elsewhere(robot, self.time):
                    return None
                return self._give_up(robot, action)
            if self.decisions.deadlines[robot] <= self.time:
                return Outcome.TIMED_OUT
            outcome = self.navigator.review(robot, self.time)
            if outcome == Outcome.ARRIVED and isinstance(action, GoTo):
                # It looked all around and the frontier is still there: there is nothing to see from this side.
                self.failed[robot].fail(action.x, action.y, self.time, for_good=_is_tiny(action))
            self.stopwatch.lap("plan")
            return self._give_up(robot, action) if outcome == Outcome.BLOCKED else outcome
        if self.decisions.deadlines[robot] <= self.time:
            return self.decisions.at_deadline(robot)
        if isinstance(action, GoTo | Follow):
            return Outcome.STALE  # The strategy stopped the robot on its way.
        return Outcome.STALE if action is not None and action.until is not None and action.until() else None

    def _give_up(self, robot: int, action: GoTo | Follow) -> Outcome | None:
        if isinstance(action, GoTo):
            if self.navigator.lets_pass(robot, self.time):
                return None
            self.failed[robot].fail(action.x, action.y, self.time)
            self.navigator.close_where_stuck(robot, self.time)
        return Outcome.BLOCKED

    def _begin(self, robot: int, outcome: Outcome | None) -> None:
        """Let a strategy go on, and start what it asks for."""
        if robot < self.robots:
            self.navigator.halt(robot)
        action = self.decisions.resume(robot, outcome)
        self.stopwatch.lap("Python")
        if isinstance(action, GoTo | Follow):
            self.navigator.begin(robot, action, self.time)
            self.stopwatch.lap("plan")
        elif isinstance(action, Drive):
            self.follower.clear(robot)

    def _take_for_free(self, robot: int, cells: NDArray[np.int64]) -> None:
        take_for_free(self._layers, self._rules, robot, cells, self.tick)

    def _make_way(self) -> None:
        """Let robots make way for teammates; not those that their strategies drive, nor those that are broken."""
        if self.robots > 1:
            may_move = np.array([not isinstance(action, Drive) for action in self.decisions.actions[: self.robots]])
            self.navigator.make_way(self.time, may_move & ~self.faults.stuck if self._may_fail else may_move)

    def _drive(self, commands: Floats) -> None:
        """Commands of the robots whose strategies drive by velocity."""
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


def _is_tiny(goal: GoTo | Follow) -> bool:
    """Whether a goal is a frontier of a cell or two, as gaps between beams leave many: one look at each is enough."""
    return isinstance(goal, GoTo) and goal.frontier is not None and len(goal.frontier) < SMALLEST


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
