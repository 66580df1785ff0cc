"""Dividing frontiers among robots that cannot all talk: each works out what the others will take, and takes the rest.

As in MRESim: the utility of frontier f for robot r is A(f) / C(r, f)^p, A the unknown area in view of it and C the
travel cost; the best pair of a robot and a frontier is assigned first, then the best of those left, and so on.
Teammates count with what was last heard of them, unless that is too long ago.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.robot import Frontier, Pose, Robot
from expedition.strategies.cost_utility import MaxAge

Candidates = Annotated[
    int, Field(ge=1, le=1000, description="frontiers that a robot looks at: the best by length/distance")
]
Power = Annotated[float, Field(ge=0, le=20, description="p: how much nearness counts against area")]
MATES_AGE: MaxAge = 500.0


def my_share(
    robot: Robot,
    frontiers: Sequence[Frontier],
    candidates: int = 6,
    power: float = 4.0,
    max_age: float = MATES_AGE,
    busy: Collection[int] = (),
) -> Frontier | None:
    """The frontier that is left for this robot; the best of all if teammates would take every one; None if none.

    Teammates that are `busy` with something else take none.
    """
    mates = [mate for mate in robot.teammates.values() if mate.age <= max_age and mate.id not in busy]
    places = sorted([(robot.id, robot.pose), *((mate.id, mate.pose) for mate in mates)])
    looked_at = _most_promising(robot, frontiers, candidates + len(mates))
    utility = _utility(robot, [place for _, place in places], looked_at, power)
    me = [number for number, _ in places].index(robot.id)
    if not looked_at or not utility[me].any():
        return None
    left = utility.copy()
    while left.any():
        who, what = divmod(int(np.argmax(left)), len(looked_at))
        if who == me:
            return looked_at[what]
        left[who], left[:, what] = 0.0, 0.0
    return looked_at[int(np.argmax(utility[me]))]


def best_first(robot: Robot, frontiers: Sequence[Frontier], candidates: int = 6, power: float = 4.0) -> list[Frontier]:
    """The frontiers that a robot alone would choose, the best first; those without a known way are left out."""
    looked_at = _most_promising(robot, frontiers, candidates)
    utility = _utility(robot, [robot.pose], looked_at, power)[0]
    return [looked_at[k] for k in np.argsort(-utility, kind="stable").tolist() if utility[k] > 0.0]


def _utility(robot: Robot, places: Sequence[Pose], frontiers: Sequence[Frontier], power: float) -> NDArray[np.float64]:
    """(places, frontiers): A(f) / C(f)^p; 0 where there is no way. An area of one cell is never missing."""
    side = robot.map.frame.resolution
    area = np.array([frontier.gain for frontier in frontiers]) + side**2
    costs = robot.travel_costs(places, frontiers) if frontiers else np.empty((len(places), 0))
    return np.where(np.isfinite(costs), area / np.maximum(costs, side) ** power, 0.0)


def _most_promising(robot: Robot, frontiers: Sequence[Frontier], number: int) -> list[Frontier]:
    """So many frontiers, by length over straight distance: a first guess at the utility that costs next to nothing."""
    side = robot.map.frame.resolution

    def promise(frontier: Frontier) -> float:
        return frontier.size / max(math.dist(robot.pose[:2], (frontier.x, frontier.y)), side)

    return sorted(frontiers, key=promise, reverse=True)[:number]
