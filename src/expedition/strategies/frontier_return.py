"""Frontier return: explore, each robot its share of the frontiers, and come home when nothing is left.

MRESim's frontier strategy (V. Spirin, J. de Hoog, A. Visser and S. Cameron, RoboCup 2014): argmax A(f) / C(f)^4 over
the frontiers that teammates, as far as one heard of them, would not take. What a robot learns out of reach of the base
station arrives there with the robot. One whose battery is just enough to come home comes home.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from expedition.robot import Robot
from expedition.strategies.cost_utility import MaxAge, Replan, Seconds
from expedition.strategies.division import Candidates, Power, my_share
from expedition.strategies.library import strategy

Reserve = Annotated[
    float,
    Field(
        ge=0, le=100, description="a robot turns back when its battery lasts for so many ways home; 0: it never does"
    ),
]
Patience = Annotated[Seconds, Field(description="how long a robot waits at home for news before it ends, s")]


@strategy("frontier-return")
async def frontier_return(
    robot: Robot,
    *,
    candidates: Candidates = 6,
    power: Power = 4.0,
    replan: Replan = 15.0,
    max_age: MaxAge = 500.0,
    reserve: Reserve = 1.5,
    patience: Patience = 10.0,
) -> None:
    """Explore the own share of the frontiers, then return to the base (MRESim)."""
    busy_at = robot.time
    while robot.time <= busy_at + patience:
        goal = None if is_low(robot, reserve) else my_share(robot, robot.frontiers(), candidates, power, max_age)
        if goal is not None:
            robot.activity = "exploring"
            await robot.go_to(goal, timeout=replan, until=lambda: is_low(robot, reserve))
            busy_at = robot.time
        elif is_home(robot) and is_low(robot, reserve):
            return
        elif await head_home(robot, replan):
            busy_at = robot.time


async def head_home(robot: Robot, replan: float, until: Callable[[], bool] | None = None) -> bool:
    """Drive home for a while, or wait there for a second; whether there was a way still to go."""
    if not is_home(robot):
        robot.activity = "returning"
        outcome = await robot.go_to(robot.home, timeout=replan, until=until)
        # Who has arrived and is not home stands beside others in its place, whom it takes for walls.
        if outcome != "arrived" or is_home(robot):
            return outcome != "blocked"
    robot.activity = "waiting"
    await robot.wait(1.0)
    return False


def is_home(robot: Robot) -> bool:
    """Whether a robot is as near to the base as it can come; not all of a fleet find room at the place itself."""
    return _is_at(robot, robot.home)


def is_at_base(robot: Robot) -> bool:
    """Whether a robot is at the base itself."""
    return _is_at(robot, robot.base)


def _is_at(robot: Robot, place: tuple[float, float]) -> bool:
    return robot.travel_cost(place) <= 1.0 + 0.5 * math.sqrt(robot.fleet_size)


def is_low(robot: Robot, reserve: float) -> bool:
    """Whether the battery lasts, or once lasted, for `reserve` ways home and no more: who has turned back comes home.

    A robot that knows no way home has none to save for.
    """
    reach = robot.reach
    if reach < math.inf and reach < reserve * robot.travel_cost(robot.home) < math.inf:
        robot.memory["is_low"] = True
    return "is_low" in robot.memory
