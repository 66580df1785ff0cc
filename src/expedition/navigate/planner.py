"""Global planners: one verb, `plan`, behind one registry.

A planner is a frozen dataclass of its parameters with a method `plan`. It plans on one robot's costs from where the
robot stands to a point, and answers with a path, or None where there is no way. All of them take the same ends:
a robot that stands in closed cells may leave them, and a goal that cannot be reached means a place beside it, within
`tolerance` (see `ends`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Protocol

from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.navigate.costs import SQUEEZE_COST, Costs
from expedition.navigate.ends import nearest_with_way
from expedition.navigate.path import Path, Points, geometry
from expedition.navigate.spreading import shared_front
from expedition.navigate.steps import HIGHEST_EXTRA, STRAIGHT, StepTable, Unknown
from expedition.registry import Registry

Tolerance = Annotated[float, Field(ge=0, le=100)]
UnknownCost = Annotated[float, Field(ge=0, le=HIGHEST_EXTRA)]
Share = Annotated[float, Field(ge=0, le=1)]
Point = tuple[float, float]


class Planner(Protocol):
    """Finds a way over one robot's costs."""

    def plan(self, costs: Costs, start: Point, goal: Point, unknown: Unknown = "avoid") -> Path | None:
        """The path from `start` to `goal` (metres), or None; `unknown` says whether it may cross unknown cells."""
        ...


planner: Registry[Planner] = Registry("planner")


def path_by(
    find: Callable[..., tuple[int, Points]],
    costs: Costs,
    table: StepTable,
    start: Point,
    goal: Point,
    tolerance: float,
    *room: object,
) -> Path | None:
    """The path that a planner's kernel finds, or None where it finds none, also not to a place beside the goal.

    `find` takes costs, table, geometry, ends, escape cells and its `room` to work in; it answers with the total cost
    and the way points, -1 and none where there is no way.
    """
    ends = float(start[0]), float(start[1]), float(goal[0]), float(goal[1])
    if not all(map(math.isfinite, ends)):
        raise ExpeditionError(f"a path's start and goal must be finite numbers, found {start} and {goal}")
    cost, frame, escape = costs.cost, geometry(costs.frame), costs.escape_cells
    row, column = costs.frame.cell(*goal)
    total = -1
    if not (costs.frame.holds(row, column) and cost[row, column] == SQUEEZE_COST):
        total, points = find(cost, table, frame, ends, escape, *room)
    if total < 0:
        x, y = nearest_with_way(cost, table, frame, ends, tolerance, escape, shared_front(cost.size))
        if not math.isnan(x):
            total, points = find(cost, table, frame, (*ends[:2], x, y), escape, *room)
    return Path(points, total * costs.frame.resolution / STRAIGHT) if total >= 0 else None
