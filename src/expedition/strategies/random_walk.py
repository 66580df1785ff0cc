"""Random walk, the ballistic one: straight on until something is in the way, then turn by a random angle, and again.

As in MAES 2.0. It needs no map and no network, and is what a strategy must beat to be worth its computer.
"""

from __future__ import annotations

import math

from expedition.robot import Robot
from expedition.strategies.library import strategy

FOREVER = 1e6


@strategy("random-walk", finishes=False)
async def random_walk(robot: Robot) -> None:
    """Drive straight until something is in the way, then turn at random (MAES)."""
    while True:
        await robot.drive(robot.max_speed, seconds=FOREVER)
        angle = robot.rng.uniform(-math.pi, math.pi)
        await robot.drive(0.0, turn=math.copysign(1.0, angle), seconds=abs(angle))
