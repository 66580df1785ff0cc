"""Nearest frontier as slower software would do it, to see what each kind of slowness costs."""

from __future__ import annotations

from expedition.robot import Robot
from expedition.strategies import strategy
from expedition.strategies.cost_utility import Seconds


@strategy("study-on-arrival")
async def on_arrival(robot: Robot) -> None:
    """Go to the nearest frontier and decide anew only there, also when it was explored from afar long before."""
    while frontiers := robot.frontiers():
        nearest = min(frontiers, key=robot.travel_cost)
        await robot.go_to((nearest.x, nearest.y))


@strategy("study-thinking")
async def thinking(robot: Robot, *, seconds: Seconds = 2.0) -> None:
    """Go to the nearest frontier, but stand for a while before each decision."""
    while frontiers := robot.frontiers():
        nearest = min(frontiers, key=robot.travel_cost)
        await robot.go_to(nearest)
        await robot.wait(seconds)


@strategy("study-arrive-and-think")
async def arrive_and_think(robot: Robot, *, seconds: Seconds = 2.0) -> None:
    """Both: decide only on arrival, and stand for a while before."""
    while frontiers := robot.frontiers():
        nearest = min(frontiers, key=robot.travel_cost)
        await robot.go_to((nearest.x, nearest.y))
        await robot.wait(seconds)
