"""The robot as its strategy sees it: the whole world of a strategy, and the only one.

Everything here is belief: what came through the robot's own sensors and the network. Nothing is expensive until asked
for; a distance field is worked out once in a control period, whatever is asked of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition import outlook
from expedition.action import Drive, Follow, GoTo, Outcome, Pose, StrategyError, Wait
from expedition.belief.view import MapView
from expedition.errors import shorten
from expedition.outlook import Frontier, NearbyRobot, Tag, Teammate
from expedition.streams import generator

if TYPE_CHECKING:
    from expedition.controller import Controller
    from expedition.network.inbox import Inbox

__all__ = ["Frontier", "NearbyRobot", "Outcome", "Pose", "Robot", "Tag", "Teammate"]


Target = Frontier | Teammate | Sequence[float] | NDArray[Any]
"""Where to go: a frontier, a teammate, a point (x, y) or a pose (x, y, heading)."""
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
        self.base = (float(controller.start_poses[number, 0]), float(controller.start_poses[number, 1]))
        """Where the robot set out: `await robot.go_to(robot.base)` brings it home."""

    def __repr__(self) -> str:
        return f"<robot {self.id} at ({self.pose.x:.1f}, {self.pose.y:.1f})>"

    @property
    def fleet_size(self) -> int:
        """How many robots set out."""
        return self._controller.robots

    @property
    def max_speed(self) -> float:
        """The robot's top speed in m/s."""
        return self._controller.fleet.models[self.id].drive.max_speed

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self._controller.time

    @property
    def pose(self) -> Pose:
        """Where the robot believes it is: x, y in metres, heading in radians."""
        return Pose(*self._controller.localiser.pose[self.id].tolist())

    @property
    def covariance(self) -> NDArray[np.float64]:
        """How sure it is: the 3 x 3 covariance of x, y and heading."""
        return np.array(self._controller.localiser.covariance[self.id])

    @property
    def lost(self) -> bool:
        """Whether the localiser says that it no longer knows where the robot is."""
        return bool(self._controller.localiser.lost[self.id])

    @property
    def map(self) -> MapView:
        """What the robot knows of the ground, its own scans and its teammates' maps merged."""
        return MapView(self._controller.grids, self.id)

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
        """How far it is to a target on known ground, in metres, a little more near walls; infinite if there is no way.

        All targets are read from one distance field, so that comparing many costs as much as asking for one.
        """
        x, y, _ = self._point(target)
        return self._controller.navigator.travel_cost(self.id, x, y, through_unknown)

    def travel_costs(self, starts: Sequence[Target], targets: Sequence[Target]) -> NDArray[np.float64]:
        """(starts, targets): what every way from a start to a target costs, such as from teammates to frontiers.

        >>> costs = robot.travel_costs([robot.pose, *robot.teammates.values()], robot.frontiers())
        """
        points = [np.array([self._point(end)[:2] for end in ends]).reshape(-1, 2) for ends in (starts, targets)]
        return self._controller.navigator.travel_costs(self.id, points[0], points[1])

    def path_to(self, target: Target, through_unknown: bool = False) -> NDArray[np.float64] | None:
        """Way points (n, 2) in metres from here to a target; None if there is no way."""
        x, y, _ = self._point(target)
        return self._controller.navigator.path_to(self.id, x, y, through_unknown)

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

    def stop(self) -> None:
        """Forget the goal and stand still; of use in `until`, since a robot stands while its strategy thinks anyway."""
        self._controller.navigator.halt(self.id)

    def send(self, payload: Any, to: int | None = None, channel: str = "") -> None:
        """Send numbers, texts, lists and dicts to one robot or to all in contact; they arrive a moment later.

        >>> robot.send({"bid": 3.5, "frontier": 4}, to=2, channel="auction")
        """
        if to is not None:
            if isinstance(to, bool) or not (isinstance(to, int | np.integer) and 0 <= to < self.fleet_size):
                raise StrategyError(f"there is no robot {shorten(to)}: the fleet's are 0 to {self.fleet_size - 1}")
            if to == self.id:
                raise StrategyError(f"robot {self.id} sends to itself; keep what it needs in robot.memory")
        self._controller.send(self.id, payload, None if to is None else int(to), str(channel))

    def in_my_map(self, sender: int, point: Sequence[float]) -> tuple[float, float] | None:
        """Where a point (x, y) that a teammate sent lies in this robot's map; None if it does not know.

        With known starts all maps have one frame, and points stay as they are. With `merge="aligned"` every robot has a
        frame of its own, and knows how a teammate's lies in it once their maps overlap enough.

        >>> [robot.in_my_map(message.sender, message.payload["goal"]) for message in robot.inbox.take()]
        """
        if not (isinstance(sender, int | np.integer) and 0 <= sender < self.fleet_size):
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
