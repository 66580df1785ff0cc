"""Centralised strategies: one coroutine for the fleet, at the base station or on a robot, bound by the same network.

The leader decides by what it knows: its own map and what teammates last said of themselves. Orders travel as messages,
and so do reports of robots that could not get where they were sent: the leader sends nobody there for a while. A robot
that hears nothing for a while explores on its own until it does.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.action import Pose
from expedition.network.inbox import Received
from expedition.robot import Frontier, Robot

ORDERS, REPORTS = "orders", "reports"
SAME_PLACE = 1.0
"""A frontier of a robot's own map no farther than this from where it is sent is what the leader means, in metres."""
PATIENCE = 20.0
"""Seconds without orders after which a robot decides for itself."""


@dataclass(frozen=True)
class Member:
    """A robot of the fleet as who leads knows it."""

    id: int
    pose: Pose
    age: float
    """How long ago it was heard, in seconds; 0 for the leader itself."""


class Fleet:
    """The fleet as a centralised strategy sees it from where it runs."""

    def __init__(self, leader: Robot) -> None:
        self.leader = leader
        """The base station or robot that the strategy runs on: its map, its clock, its random numbers."""
        self._targets: dict[int, tuple[float, float]] = {}
        self._own: Frontier | None = None
        """Where the leader itself goes."""
        self._sent_at: dict[int, float] = {}
        self._failed_at: dict[tuple[float, float], float] = {}

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.leader.time

    @property
    def members(self) -> list[Member]:
        """All robots that the leader ever heard of, itself included if it is one, by number."""
        mates = [Member(mate.id, mate.pose, mate.age) for mate in self.leader.teammates.values()]
        itself = [] if self.leader.is_base else [Member(self.leader.id, self.leader.pose, 0.0)]
        return sorted([*itself, *mates], key=lambda member: member.id)

    def frontiers(self) -> list[Frontier]:
        """The frontiers in the leader's map, where nobody failed to get to lately."""
        for message in self.leader.inbox.take(REPORTS):
            self._take_report(message.sender, tuple(message.payload["blocked"]))
        return self.leader.frontiers()

    def travel_costs(self, members: list[Member], frontiers: list[Frontier]) -> NDArray[np.float64]:
        """(members, frontiers): metres on the leader's map, infinite where there is no way."""
        return self.leader.travel_costs([member.pose for member in members], frontiers)

    def assign(self, member: Member, frontier: Frontier) -> None:
        """Send a robot to a frontier; it goes there until it is told otherwise."""
        target = (frontier.x, frontier.y)
        if self._targets.get(member.id) != target:
            self._sent_at[member.id] = self.time
        self._targets[member.id] = target
        if member.id == self.leader.id:
            self._own = frontier
        else:
            self.leader.send({"target": target}, to=member.id, topic=ORDERS)

    def consider(self, member: Member, frontiers: list[Frontier], values: NDArray[Any], about: str) -> None:
        """Tell what a member's frontiers are worth or cost; the one that it was sent to is the one taken."""
        target = self._targets.get(member.id)
        chosen = next((k for k, frontier in enumerate(frontiers) if (frontier.x, frontier.y) == target), None)
        self.leader.consider(frontiers, values, chosen, about, for_robot=member.id)

    async def wait(self, seconds: float) -> None:
        """Let the fleet work for a while; the leader, too, goes where it is sent."""
        end = self.time + seconds
        if self._own is not None and await self.leader.go_to(self._own, timeout=seconds) != "timed out":
            self._own = None
            self._targets.pop(self.leader.id, None)
        if end > self.time:
            await self.leader.wait(end - self.time)

    def _take_report(self, member: int, target: tuple[float, float]) -> None:
        """A robot did not get to a target. Robots that were sent there together, and failed together, count once."""
        if self._sent_at.get(member, math.inf) >= self._failed_at.get(target, -math.inf):
            self._failed_at[target] = self.time
            self.leader.mark_unreachable(target)
        if self._targets.get(member) == target:
            del self._targets[member]


def centralised(strategy: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    """Make a strategy of the whole fleet, `async def plan(fleet)`, into one that each robot runs.

    The base station leads, or robot 0 if there is none; the others obey.
    """

    @functools.wraps(strategy)
    async def run(robot: Robot, **parameters: Any) -> None:
        if robot.is_base or (robot.base_id is None and robot.id == 0):
            while robot.is_base and not robot.frontiers():
                await robot.wait(1.0)  # A base sees nothing itself: it waits for the first news.
            await strategy(Fleet(robot), **parameters)
        else:
            await obey(robot)

    run.leads_from_base = True  # type: ignore[attr-defined]
    return run


async def obey(robot: Robot) -> None:
    """Go where the leader says; explore alone, nearest frontier first, when nothing was heard for a while."""
    order: Received | None = None
    heard_at = robot.time
    while True:
        for message in robot.inbox.take():
            if message.topic == ORDERS:
                order, heard_at = message, robot.time
        target = None if order is None else robot.in_my_map(order.sender, order.payload["target"])
        if order is not None and target is not None:
            frontier = _frontier_at(robot, target)
            outcome = await robot.go_to(frontier or target, timeout=PATIENCE, until=lambda: bool(robot.inbox))
            # At a frontier that is still one after a look around there is nothing to see.
            if outcome == "blocked" or (outcome == "arrived" and frontier is not None):
                robot.send({"blocked": order.payload["target"]}, to=order.sender, topic=REPORTS)
            if outcome != "stale":
                order = None
        elif robot.time - heard_at > PATIENCE and (frontiers := robot.frontiers()):
            await robot.go_to(min(frontiers, key=robot.travel_cost), until=lambda: bool(robot.inbox))
        else:
            await robot.wait(1.0, until=lambda: bool(robot.inbox))


def _frontier_at(robot: Robot, place: tuple[float, float]) -> Frontier | None:
    """The frontier in the robot's own map that the leader has sent it to."""
    frontiers = robot.frontiers()
    away = [math.dist(place, (frontier.x, frontier.y)) for frontier in frontiers]
    nearest = min(range(len(away)), key=away.__getitem__, default=None)
    return frontiers[nearest] if nearest is not None and away[nearest] <= SAME_PLACE else None
