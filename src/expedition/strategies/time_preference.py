"""Time preference: explore as long as the base knows enough of what the team knows, then bring it the news.

V. Spirin, S. Cameron and J. de Hoog, Time preference for information in multi-agent exploration with limited
communication, TAROS 2013: a robot returns when B / (B + N) falls below a target ratio, B the area that the base knows
as far as the robot was told and N the area that the robot carries and the base does not know. Where two robots meet,
both know the same from then on, and the one nearer to the base takes over what is to be delivered.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Robot
from expedition.strategies.cost_utility import MaxAge, Replan, Seconds
from expedition.strategies.division import Candidates, Power, my_share
from expedition.strategies.frontier_return import Patience, Reserve, head_home, is_at_base, is_home, is_low
from expedition.strategies.library import strategy

TOPIC = "news"
IN_CONTACT = 1.5
"""Seconds since something was heard within which a robot is in contact."""


@strategy("time-preference")
async def time_preference(
    robot: Robot,
    *,
    ratio: Annotated[
        float, Field(gt=0, lt=1, description="a robot returns when the base knows less than this share")
    ] = 0.8,
    candidates: Candidates = 6,
    power: Power = 4.0,
    replan: Replan = 15.0,
    max_age: MaxAge = 500.0,
    reserve: Reserve = 1.5,
    trust: Annotated[
        Seconds, Field(description="news that a teammate took over counts as lost if not delivered for this long, s")
    ] = 120.0,
    patience: Patience = 10.0,
) -> None:
    """Bring the base news before it falls too far behind (Spirin et al. 2013)."""
    news = News(robot, trust)
    busy_at = robot.time

    def is_due() -> bool:
        news.look()
        return is_low(robot, reserve) or (news.ratio < ratio and math.isfinite(robot.travel_cost(robot.base)))

    while robot.time <= busy_at + patience:
        goal = None if is_due() else my_share(robot, robot.frontiers(), candidates, power, max_age)
        if goal is not None:
            robot.activity = "exploring"
            await robot.go_to(goal, timeout=replan, until=is_due)
            busy_at = robot.time
        elif is_home(robot) and is_low(robot, reserve):
            return
        elif await head_home(robot, replan, until=lambda: not is_due() and bool(robot.frontiers())):
            busy_at = robot.time
        elif is_home(robot) and robot.base_age >= IN_CONTACT:
            news.count_as_delivered()  # Nobody hears it here: exploring on is better than standing.


class News:
    """What a robot carries that the base does not know, as far as it was told."""

    def __init__(self, robot: Robot, trust: float) -> None:
        self._robot = robot
        self._trust = trust
        self._at_base = 0.0
        """The area that the base knows, in square metres."""
        self._handed_over = 0.0
        """The area that was known when a teammate took it over to deliver it."""
        self._handed_over_at = -math.inf
        self._told_at = -math.inf

    @property
    def carried(self) -> float:
        """N: square metres that are this robot's to deliver."""
        is_trusted = self._robot.time - self._handed_over_at < self._trust
        delivered = max(self._at_base, self._handed_over if is_trusted else 0.0)
        return max(0.0, self._robot.map.known_area - delivered)

    @property
    def ratio(self) -> float:
        """B / (B + N); 1 where there is no base that wants to know."""
        carried = self.carried
        if self._robot.base_id is None or carried == 0.0:
            return 1.0
        return self._at_base / (self._at_base + carried)

    def count_as_delivered(self) -> None:
        """Take it that the base knows what this robot does."""
        self._at_base = self._robot.map.known_area

    def look(self) -> None:
        """Take in who is in contact, and tell what the base knows and how far it is from here."""
        robot = self._robot
        # Where no radio reaches the base, news is delivered by being there.
        if robot.base_age < IN_CONTACT or (robot.base_age == math.inf and is_at_base(robot)):
            self.count_as_delivered()
        for message in robot.inbox.take():
            if message.topic != TOPIC:
                continue
            self._at_base = max(self._at_base, message.payload["at_base"])
            if (message.payload["way"], message.sender) < (robot.travel_cost(robot.base), robot.id):
                self._handed_over, self._handed_over_at = robot.map.known_area, robot.time
        if robot.time - self._told_at >= 1.0 and any(mate.age < IN_CONTACT for mate in robot.teammates.values()):
            robot.send({"at_base": self._at_base, "way": robot.travel_cost(robot.base)}, topic=TOPIC)
            self._told_at = robot.time
