"""Coordinated: frontiers near a teammate's destination are worth less.

W. Burgard, M. Moors, C. Stachniss and F. Schneider, Coordinated multi-robot exploration, IEEE T-RO 21(3), 2005, in
MRXT's form: with N frontiers and d_j the distance from f to teammate j's announced destination,
U(f) = N - sum over d_j < R of (1 - d_j / R), and the choice is argmax U / N - w C / C_max.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.cost_utility import CostWeight, MaxAge, Metres, Replan, relative_costs
from expedition.strategies.library import strategy


@strategy("coordinated")
async def coordinated(
    robot: Robot,
    *,
    range: Annotated[Metres, Field(description="R: destinations this near make a frontier worth less, m")] = 8.0,
    weight: CostWeight = 0.5,
    replan: Replan = 15.0,
    max_age: MaxAge = 30.0,
) -> None:
    """Keep away from where teammates are going (Burgard et al. 2005)."""
    while frontiers := robot.frontiers():
        goals = [mate.goal for mate in robot.teammates.values() if mate.goal is not None and mate.age < max_age]
        number = len(frontiers)
        utility = [number - crowding(frontier, goals, range) for frontier in frontiers]
        cost = relative_costs(robot, frontiers)
        values = [u / number - weight * c for u, c in zip(utility, cost, strict=True)]
        best = values.index(max(values))
        robot.consider(frontiers, values, best, "utility - cost")
        await robot.go_to(frontiers[best], timeout=replan)


def crowding(frontier: Frontier, goals: list[tuple[float, float]], range: float) -> float:
    """The sum of 1 - d / R over the goals within R of a frontier."""
    distances = (math.dist((frontier.x, frontier.y), goal) for goal in goals)
    return sum(1.0 - distance / range for distance in distances if distance < range)
