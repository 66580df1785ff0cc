"""Nearest frontier as slower software would do it, to see what each kind of slowness costs."""

from __future__ import annotations

from expedition.robot import Robot

THINKING = 2.0
"""Seconds that a robot stands before a decision."""


async def on_arrival(robot: Robot) -> None:
    """Go to the nearest frontier and decide anew only there, also when it was explored from afar long before."""
    while frontiers := robot.frontiers():
        nearest = min(frontiers, key=robot.travel_cost)
        await robot.go_to((nearest.x, nearest.y))


async def thinking(robot: Robot) -> None:
    """Go to the nearest frontier, but stand for a while before each decision."""
    while frontiers := robot.frontiers():
        await robot.go_to(min(frontiers, key=robot.travel_cost))
        await robot.wait(THINKING)


async def thinking_on_arrival(robot: Robot) -> None:
    """Both: decide only on arrival, and stand for a while before."""
    while frontiers := robot.frontiers():
        nearest = min(frontiers, key=robot.travel_cost)
        await robot.go_to((nearest.x, nearest.y))
        await robot.wait(THINKING)


OWN = {"on-arrival": on_arrival, "thinking": thinking, "thinking-on-arrival": thinking_on_arrival}
"""By the names in the tables of studies. They are no strategies for users, so they are not registered."""
