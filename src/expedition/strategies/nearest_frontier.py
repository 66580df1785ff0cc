"""Nearest frontier: each robot drives to the frontier that costs it least to reach.

B. Yamauchi, Frontier-based exploration using multiple robots, Agents 1998. Robots share their maps and decide for
themselves: argmin over frontiers f of C(f), the travel cost.
"""

from __future__ import annotations

import numpy as np

from expedition.robot import Robot
from expedition.strategies.library import strategy


@strategy("nearest-frontier")
async def nearest_frontier(robot: Robot) -> None:
    """Go to the nearest frontier (Yamauchi 1998)."""
    while frontiers := robot.frontiers():
        costs = robot.travel_costs([robot.pose], frontiers)[0]
        nearest = int(np.argmin(costs))
        robot.consider(frontiers, costs, nearest, "travel cost, m")
        await robot.go_to(frontiers[nearest])
