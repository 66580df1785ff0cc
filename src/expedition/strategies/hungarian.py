"""Hungarian: one robot assigns frontiers to all, so that the sum of travel costs is least.

H. W. Kuhn, The Hungarian method for the assignment problem, 1955; for exploration as in K. M. Wurm, C. Stachniss and W.
Burgard, IROS 2008. With more robots than frontiers, frontiers are handed out again to the robots left over, until all
have work.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.optimize import linear_sum_assignment

from expedition.strategies.central import Fleet, centralised
from expedition.strategies.cost_utility import MaxAge, Metres, Seconds
from expedition.strategies.library import strategy


@strategy("hungarian")
@centralised
async def hungarian(
    fleet: Fleet,
    *,
    replan: Annotated[Seconds, Field(description="assign anew this often, s")] = 4.0,
    max_age: MaxAge = 30.0,
    no_way: Annotated[Metres, Field(description="what a frontier costs that cannot be reached, m")] = 1000.0,
) -> None:
    """Assign frontiers so that the fleet's total way is least (Kuhn 1955)."""
    while frontiers := fleet.frontiers():
        members = [member for member in fleet.members if member.age < max_age]
        costs = np.minimum(fleet.travel_costs(members, frontiers), no_way)
        idle = list(range(len(members)))
        while idle:
            rows, columns = linear_sum_assignment(costs[idle])
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
                fleet.assign(members[idle[row]], frontiers[column])
            idle = [robot for place, robot in enumerate(idle) if place not in set(rows.tolist())]
        for member, row in zip(members, costs, strict=True):
            fleet.consider(member, frontiers, row, "travel cost, m")
        await fleet.wait(replan)
