"""Cost-utility: weigh what there is to see from a frontier against the way there.

As in MRXT: argmax over frontiers f of U(f) / (pi R^2) - w C(f) / C_max, where U is the unknown area in view of f within
R, C the travel cost and C_max the largest of them.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.library import strategy

Metres = Annotated[float, Field(gt=0, le=1000)]
Weight = Annotated[float, Field(ge=0, le=1000)]
Seconds = Annotated[float, Field(gt=0, le=100_000)]
GainRange = Annotated[Metres, Field(description="R: unknown ground counts up to this far from a frontier, m")]
CostWeight = Annotated[Weight, Field(description="w: what the way counts against the utility")]
Replan = Annotated[Seconds, Field(description="decide anew after this long on the way, s")]
MaxAge = Annotated[Seconds, Field(description="teammates not heard for this long are left out, s")]


@strategy("cost-utility")
async def cost_utility(
    robot: Robot, *, range: GainRange = 8.0, weight: CostWeight = 0.5, replan: Replan = 15.0
) -> None:
    """Weigh unknown area in view against travel cost (MRXT)."""
    while frontiers := robot.frontiers():
        utility = [robot.expected_gain(frontier, range) / (math.pi * range**2) for frontier in frontiers]
        cost = relative_costs(robot, frontiers)
        values = [u - weight * c for u, c in zip(utility, cost, strict=True)]
        best = values.index(max(values))
        robot.consider(frontiers, values, best, "utility - cost")
        await robot.go_to(frontiers[best], timeout=replan)


def relative_costs(robot: Robot, frontiers: list[Frontier]) -> list[float]:
    """C / C_max of each frontier; 1 for those without a known way."""
    costs = robot.travel_costs([robot.pose], frontiers)[0].tolist()
    largest = max((cost for cost in costs if math.isfinite(cost)), default=0.0) or 1.0
    return [min(cost / largest, 1.0) for cost in costs]
