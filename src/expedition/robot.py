"""The robot as its strategy sees it: the whole world of a strategy, and the only one.

Everything here is belief: what came through the robot's own sensors and the network. Nothing is expensive until asked
for; a distance field is worked out once in a control period, whatever is asked of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from expedition import outlook
from expedition.action import Drive, Follow, GoTo, Outcome, Pose, StrategyError, Wait
from expedition.belief.view import MapView
from expedition.errors import shorten, unknown
from expedition.network.obstacles import Obstacles
from expedition.outlook import Frontier, NearbyRobot, Tag, Teammate
from expedition.streams import generator
from expedition.witness import Considered

if TYPE_CHECKING:
    from expedition.controller import Controller
    from expedition.network.inbox import Inbox
    from expedition.network.messages import Receipt

__all__ = ["Frontier", "NearbyRobot", "Outcome", "Pose", "Robot", "Tag", "Teammate"]


Target = Frontier | Teammate | Sequence[float] | NDArray[Any]
"""Where to go: a frontier, a teammate, a point (x, y) or a pose (x, y, heading)."""
Targets = Sequence[Target] | NDArray[Any]
"""Several, or an array (n, 2) of points."""
LONGEST_WORDS = 100
"""Letters that say what a decision is about, or of which kind points are."""
FARTHEST = 1e9
"""Metres beyond which a number is a mistake and not a place."""


class Robot:
    """One robot, as its strategy sees it.

    >>> async def strategy(robot):
    ...     while frontiers := robot.frontiers():
    ...         await robot.go_to(min(frontiers, key=robot.travel_cost))
    """

    def __init__(self, controller: Controller, number: int, seed: int, inbox: Inbox) -> None:
        self._controller = controller
        self.id = number
        """The robot's number in the fleet, from 0."""
        self.rng = generator(seed, f"robot/{number}/strategy")
        """Random numbers of the robot's own: `robot.rng.uniform(0, 1)` is the same in every run of a mission."""
        self.inbox = inbox
        """Messages not yet read: `for message in robot.inbox.take(): ...`"""
        self.memory: dict[str, Any] = {}
        """Anything the strategy wants to keep; the mission's picture and log do not look into it."""
        station = controller.fleet.base
        x, y = (station.x, station.y) if station is not None else controller.start_poses[number, :2].tolist()
        self.base: tuple[float, float] = (x, y)
        """The base station, or where the robot set out; see `home` for where to go."""
        self.base_id = None if station is None else controller.robots
        """The number of the base station, for `robot.send(..., to=robot.base_id)`; None without one."""
        self.is_base = number == self.base_id
        """Whether this is the base station itself, from which a centralised strategy leads."""
        self._role = self._activity = ""
        self._obstacles: tuple[int, Obstacles] | None = None

    def __repr__(self) -> str:
        if self.is_base:
            return f"<base station at ({self.base[0]:.1f}, {self.base[1]:.1f})>"
        return f"<robot {self.id} at ({self.pose.x:.1f}, {self.pose.y:.1f})>"

    @property
    def fleet_size(self) -> int:
        """How many robots set out."""
        return self._controller.robots

    @property
    def max_speed(self) -> float:
        """The robot's top speed in m/s."""
        return 0.0 if self.is_base else self._controller.fleet.models[self.id].drive.max_speed

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self._controller.time

    @property
    def pose(self) -> Pose:
        """Where the robot believes it is: x, y in metres, heading in radians."""
        return Pose(*self.base, 0.0) if self.is_base else Pose(*self._controller.localiser.pose[self.id].tolist())

    @property
    def covariance(self) -> NDArray[np.float64]:
        """How sure it is: the 3 x 3 covariance of x, y and heading."""
        return np.zeros((3, 3)) if self.is_base else np.array(self._controller.localiser.covariance[self.id])

    @property
    def lost(self) -> bool:
        """Whether the localiser says that it no longer knows where the robot is."""
        return not self.is_base and bool(self._controller.localiser.lost[self.id])

    @property
    def base_age(self) -> float:
        """How long ago the robot last heard the base station, in seconds; infinite if never, 0 at the base itself."""
        return 0.0 if self.is_base else self.time - float(self._controller.base_heard_at[self.id])

    @property
    def home(self) -> tuple[float, float]:
        """Where to go to come home: the base, or the nearest place with a known way where none to the base is known.

        A base may stand where robots cannot drive, and be heard through walls all the same.

        >>> await robot.go_to(robot.home)
        """
        return self._controller.navigator.nearest_place(self.id, *self.base)

    @property
    def battery(self) -> float:
        """The share of its energy that the robot has left; 1 without a battery that runs out."""
        energy = self._controller.energy
        if self.is_base or energy.capacity[self.id] == math.inf:
            return 1.0
        return float(energy.left[self.id] / energy.capacity[self.id])

    @property
    def reach(self) -> float:
        """Metres that the robot can still drive; infinite without a battery that runs out."""
        return 0.0 if self.is_base else self._controller.energy.reach(self.id, self.max_speed)

    @property
    def role(self) -> str:
        """What the robot is in its team, in a word such as "relay"; pictures, series and metrics show it."""
        return self._role

    @role.setter
    def role(self, word: str) -> None:
        self._role = self._controller.declare(self.id, "role", self._role, word)

    @property
    def activity(self) -> str:
        """What the robot is about, in a word such as "exploring", "returning" or "waiting", for the same.

        It is none any more when the strategy has ended.
        """
        return self._activity

    @activity.setter
    def activity(self, word: str) -> None:
        self._activity = self._controller.declare(self.id, "activity", self._activity, word)

    @property
    def map(self) -> MapView:
        """What the robot knows of the ground, its own scans and its teammates' maps merged."""
        controller = self._controller
        return MapView(controller.grids, self.id, controller.prior, controller.roughness)

    @property
    def teammates(self) -> Mapping[int, Teammate]:
        """The other robots that were ever heard of, by number.

        >>> [mate.goal for mate in robot.teammates.values() if mate.age < 5]
        """
        return outlook.teammates(self._controller, self.id)

    def frontiers(self, min_size: float | None = None) -> list[Frontier]:
        """Frontiers worth going to, in a fixed order; none means that there is nothing left to explore.

        Those shorter than `min_size` metres are left out while there are longer ones, and so are those without a known
        way and those that proved unreachable lately.
        """
        if min_size is not None:
            min_size = self._number(min_size, "the least size of a frontier in metres", 0.0, FARTHEST)
        return outlook.frontiers(self._controller, self.id, min_size)

    def travel_cost(self, target: Target, through_unknown: bool = False) -> float:
        """How far it is to a target on known ground, in metres; infinite if there is no way.

        Near walls it is a little more, and over ground known to be rough as much more as that takes longer.

        All targets are read from one distance field, which is computed no farther than it is asked for: comparing many
        costs as much as asking for the farthest.
        """
        x, y, _ = self._point(target)
        return self._controller.navigator.travel_cost(self.id, x, y, through_unknown)

    def travel_costs(
        self,
        starts: Targets,
        targets: Targets,
        within: float | Sequence[float] | NDArray[Any] = math.inf,
    ) -> NDArray[np.float64]:
        """(starts, targets): what every way from a start to a target costs, such as from teammates to frontiers.

        Either may be an array (n, 2) of points, too. Ways that cost more than `within` metres count as none, and take
        less time; that is a number, or one for each target or way.

        >>> costs = robot.travel_costs([robot.pose, *robot.teammates.values()], robot.frontiers())
        """
        begin, end = self._points(starts), self._points(targets)
        ways = len(begin), len(end)
        most = np.asarray(within, dtype=np.float64)
        if most.shape not in ((), ways[1:], ways) or np.isnan(most).any():
            raise StrategyError(f"within: must be metres, a number or one a target or way, found {shorten(within)}")
        return self._controller.navigator.travel_costs(self.id, begin, end, most)

    def path_to(
        self, target: Target, through_unknown: bool = False, start: Target | None = None
    ) -> NDArray[np.float64] | None:
        """Way points (n, 2) in metres from here, or from another start, to a target; None if there is no way."""
        x, y, _ = self._point(target)
        begin = None if start is None else self._point(start)[:2]
        return self._controller.navigator.path_to(self.id, x, y, through_unknown, begin)

    def expected_gain(self, target: Target, range: float = 8.0) -> float:
        """The unknown area in square metres that should be in view from a target, within `range` metres."""
        x, y, _ = self._point(target)
        return outlook.expected_gain(self._controller, self.id, x, y, self._number(range, "range", 0.0, 1000.0))

    def go_to(
        self,
        target: Target,
        timeout: float | None = None,
        until: Callable[[], bool] | None = None,
        through_unknown: bool = False,
    ) -> GoTo:
        """Drive to a target and wait: arrived, blocked, stale (its frontier is explored, or `until()`), or timed out.

        >>> outcome = await robot.go_to((3.0, -2.0), timeout=60)
        >>> if outcome == "blocked": ...
        """
        x, y, heading = self._point(target)
        cells = self._cells(target) if isinstance(target, Frontier) else None
        return GoTo(self._seconds(timeout), self._condition(until), x, y, heading, None, cells, bool(through_unknown))

    def follow(
        self, path: NDArray[Any] | Sequence[Sequence[float]], timeout: float | None = None,
        until: Callable[[], bool] | None = None,
    ) -> Follow:  # fmt: skip
        """Drive along points (x, y) in metres and wait until the last is reached."""
        try:
            points = np.array(path, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            points = np.zeros(0)
        shaped = points.ndim == 2 and points.shape[1] == 2 and 1 <= len(points) <= 10_000
        if not (shaped and (np.abs(points) <= FARTHEST).all()):
            raise StrategyError(f"a path is 1 to 10,000 points (x, y) of finite metres, found {shorten(path)}")
        return Follow(self._seconds(timeout), self._condition(until), points)

    def drive(
        self, forward: float, turn: float = 0.0, seconds: float = 1.0, sideways: float = 0.0, careful: bool = True
    ) -> Drive:
        """Drive with a velocity (m/s, rad/s) for some time; `blocked` tells that something is in the way.

        A careful robot stops before it; a careless one runs into it.
        """
        limit = 1e6
        ahead, aside, around = (self._number(v, "a velocity", -limit, limit) for v in (forward, sideways, turn))
        return Drive(self._seconds(seconds), None, ahead, aside, around, careful)

    def wait(self, seconds: float = 1.0, until: Callable[[], bool] | None = None) -> Wait:
        """Stand still for some seconds."""
        return Wait(self._seconds(seconds), self._condition(until))

    def mark_unreachable(self, target: Target) -> None:
        """Leave a place alone for a while, as after a `go_to` that was blocked: a teammate could not get there."""
        x, y, _ = self._point(target)
        self._controller.failed[self.id].fail(x, y, self.time)

    def stop(self) -> None:
        """Forget the goal and stand still; of use in `until`, since a robot stands while its strategy thinks anyway."""
        self._controller.navigator.halt(self.id)

    def send(
        self,
        payload: Any,
        to: int | Literal["all"] = "all",
        channel: str | None = None,
        topic: str = "",
        confirm: bool = False,
    ) -> Receipt:
        """Send numbers, texts, lists and dicts to one robot, or to all in reach; they arrive a moment later, or never.

        `to` is a robot, or the base as `robot.base_id`; where there is no base station, sending to it is an error.
        `channel` is the name of a radio, the robot's first if not given; `topic` tells receivers what it is about. With
        `confirm`, receivers say that they have got it, and `confirmed` turns true when that has come back.

        >>> receipt = robot.send({"bid": 3.5, "frontier": 4}, to=2, topic="auction", confirm=True)
        >>> await robot.wait(5.0, until=lambda: receipt.confirmed)
        """
        if to is None:
            raise StrategyError(
                "there is no robot None: robot.base_id is None without a base station; to send to all, leave `to` out"
            )
        if to != "all":
            if isinstance(to, bool) or not (isinstance(to, int | np.integer) and 0 <= to < self._controller.nodes):
                base = "" if self.base_id is None else f", and {self.base_id} is the base"
                raise StrategyError(
                    f"there is no robot {shorten(to)}: the fleet's are 0 to {self.fleet_size - 1}{base}"
                )
            if to == self.id:
                raise StrategyError(f"robot {self.id} sends to itself; keep what it needs in robot.memory")
        if channel is not None:
            own = [radio.name for radio in self._controller.fleet.radios[self.id]]
            if channel not in own:
                raise StrategyError(str(unknown("channel", str(channel), own, f"the radios of robot {self.id}")))
        return self._controller.send(
            self.id, payload, None if to == "all" else int(to), channel, str(topic), bool(confirm)
        )

    def link_chance(self, from_point: Target, to_point: Target, to: int | None = None) -> float:
        """The chance that what this robot sends from a point is received at another, by the walls in its own map.

        `to` is the receiver, a robot or the base, whose radio counts; if not given, it is whoever is there: the base,
        or any teammate. Ground that is unknown counts as free.

        >>> robot.link_chance(robot.pose, robot.base, to=robot.base_id) > 0.9
        """
        return float(self.link_chances([from_point], [to_point], to)[0, 0])

    def link_chances(
        self, starts: Sequence[Target], ends: Sequence[Target], to: int | None = None
    ) -> NDArray[np.float64]:
        """(starts, ends): `link_chance` from many points to many."""
        controller = self._controller
        if to is None:
            to = next((node for node in (self.base_id, (self.id + 1) % self.fleet_size) if node is not None), self.id)
        elif not (isinstance(to, int | np.integer) and 0 <= to < controller.nodes):
            raise StrategyError(f"there is no robot {shorten(to)}: the fleet's are 0 to {self.fleet_size - 1}")
        changed = int(controller.grids.state_stamp[self.id].max())
        if self._obstacles is None or self._obstacles[0] != changed:
            base = None if self.base_id is None else self.base
            believed = Obstacles.believed(controller.grids.state[self.id], controller.grids.frame, base=base)
            self._obstacles = changed, believed
        first, second = (np.array([self._point(point)[:2] for point in side]).reshape(-1, 2) for side in (starts, ends))
        from_points, to_points = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))
        chances = controller.network.maps.between(self.id, int(to), from_points, to_points, self._obstacles[1])
        return chances.reshape(len(first), len(second))

    def in_my_map(self, sender: int, point: Sequence[float]) -> tuple[float, float] | None:
        """Where a point (x, y) that a teammate sent lies in this robot's map; None if it does not know.

        With known starts all maps have one frame, and points stay as they are. With `merge="aligned"` every robot has a
        frame of its own, and knows how a teammate's lies in it once their maps overlap enough.

        >>> [robot.in_my_map(message.sender, message.payload["goal"]) for message in robot.inbox.take()]
        """
        if not (isinstance(sender, int | np.integer) and 0 <= sender < self._controller.nodes):
            raise StrategyError(f"there is no robot {shorten(sender)}: the fleet's are 0 to {self.fleet_size - 1}")
        x, y, _ = self._point(point)
        return self._controller.place_told(self.id, sender, x, y)

    def drop_tag(self, text: str = "") -> None:
        """Leave a tag where the robot stands, for whoever comes by."""
        self._controller.world.drop_tag(self.id, str(text))

    def tags(self) -> list[Tag]:
        """The tags within reach of the robot's tag reader."""
        return outlook.tags(self._controller, self.id)

    def nearby_robots(self) -> list[NearbyRobot]:
        """Robots in view of the robot detector now, nearest first; none if the robot has no detector."""
        return outlook.nearby_robots(self._controller, self.id)

    def note(self, text: str) -> None:
        """Write a line into the mission's log."""
        self._controller.note(self.id, str(text))

    def consider(
        self,
        alternatives: Sequence[Target],
        values: Sequence[float] | NDArray[Any] | Callable[[], Sequence[float] | NDArray[Any]],
        chosen: int | None = None,
        about: str = "",
        for_robot: int | None = None,
    ) -> None:
        """Tell what the strategy weighs: places, what each is worth or costs, which it takes, and what the values are.

        The page and logs show it. Where nobody records the mission it costs nothing; `values` may be a function, which
        is then never called. One that leads others tells `for_robot` whom it decides for.

        >>> costs = [robot.travel_cost(frontier) for frontier in frontiers]
        >>> robot.consider(frontiers, costs, chosen=costs.index(min(costs)), about="travel cost, m")
        """
        witness = self._controller.witness
        if witness is None:
            return
        places = np.array([self._point(target)[:2] for target in alternatives], dtype=np.float64).reshape(-1, 2)
        worth = np.array(values() if callable(values) else values, dtype=np.float64).ravel()
        whom = self.id if for_robot is None else int(for_robot)
        if len(worth) != len(places) or not (chosen is None or 0 <= chosen < len(places)):
            raise StrategyError(
                f"consider takes a value for each of {len(places)} alternatives and the number of one of them, "
                f"found {len(worth)} values and {shorten(chosen)}"
            )
        number, words = -1 if chosen is None else int(chosen), str(about)[:LONGEST_WORDS]
        witness.decisions.append(Considered(self.time, whom, self.id, places, worth, number, words))

    def mark(self, kind: str, points: Sequence[Target]) -> None:
        """Show points on the page and in logs, in the place of those of the same kind: where robots are to meet, ...

        >>> robot.mark("rendezvous", [(3.0, -2.0)])
        """
        witness = self._controller.witness
        if witness is not None:
            witness.marks.append((self.time, self.id, str(kind)[:LONGEST_WORDS], self._points(points).copy()))

    def _point(self, target: Target) -> tuple[float, float, float | None]:
        if isinstance(target, Frontier):
            return target.x, target.y, None
        if isinstance(target, Teammate):
            return target.pose.x, target.pose.y, None
        try:
            values = [] if isinstance(target, str | bytes) else [float(value) for value in target]
        except (TypeError, ValueError, OverflowError):
            values = []
        if not (len(values) in (2, 3) and all(abs(value) <= FARTHEST for value in values)):
            raise StrategyError(
                f"a target is a frontier, a teammate, or numbers (x, y) or (x, y, heading), found {shorten(target)}"
            )
        return values[0], values[1], values[2] if len(values) == 3 else None

    def _points(self, targets: Targets) -> NDArray[np.float64]:
        """(n, 2): where targets are; what is such an array already is only checked."""
        if (
            isinstance(targets, np.ndarray)
            and targets.dtype == np.float64
            and targets.shape[1:] == (2,)
            and np.abs(targets).max(initial=0.0) <= FARTHEST
        ):
            return targets
        return np.array([self._point(target)[:2] for target in targets], dtype=np.float64).reshape(-1, 2)

    def _cells(self, frontier: Frontier) -> NDArray[np.int32] | None:
        """A frontier's cells, safe from what the strategy may do to them, and in this map if they come from another."""
        frame = self._controller.grids.frame
        cells = np.array(frontier.cells, dtype=np.int32).reshape(-1, 2)
        inside = cells[((cells >= 0) & (cells < frame.shape)).all(axis=1)]
        return inside if len(inside) else None

    def _condition(self, until: Callable[[], bool] | None) -> Callable[[], bool] | None:
        if until is not None and not callable(until):
            raise StrategyError(f"until is a function that says when to stop, found {shorten(until)}")
        return until

    def _seconds(self, seconds: float | None) -> float | None:
        return None if seconds is None else self._number(seconds, "a time in seconds", 0.0, 1e9)

    def _number(self, value: Any, what: str, low: float, high: float) -> float:
        if not (isinstance(value, int | float | np.number) and low <= value <= high):
            raise StrategyError(f"{what} must be a number within {low:g} and {high:g}, found {shorten(value)}")
        return float(value)
