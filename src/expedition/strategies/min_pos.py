"""MinPos: each robot takes the frontier for which the fewest teammates are nearer than itself.

A. Bautin, O. Simonin and F. Charpillet, MinPos: a novel frontier allocation algorithm for multi-robot exploration,
ICIRA 2012. The position P(i, f) of robot i for frontier f is the number of robots with C(k, f) < C(i, f); robot i goes
to argmin over f of P(i, f), the nearer one among equals.
"""

from __future__ import annotations

from expedition.robot import Robot
from expedition.strategies.cost_utility import MaxAge, Replan
from expedition.strategies.library import strategy


@strategy("min-pos")
async def min_pos(robot: Robot, *, replan: Replan = 15.0, max_age: MaxAge = 30.0) -> None:
    """Go where the fewest teammates are nearer (Bautin et al. 2012)."""
    while frontiers := robot.frontiers():
        mates = [mate for mate in robot.teammates.values() if mate.age < max_age]
        costs = robot.travel_costs([robot.pose, *mates], frontiers)
        mine = costs[0]
        positions = (costs[1:] < mine).sum(axis=0)
        best = min(range(len(frontiers)), key=lambda f: (positions[f], mine[f]))
        robot.consider(frontiers, positions, best, "teammates that are nearer")
        await robot.go_to(frontiers[best], timeout=replan)
