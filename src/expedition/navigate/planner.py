"""Global planners: one verb, `plan`, behind one registry.

A planner is a frozen dataclass of its parameters with a method `plan`. It plans on one robot's costs from where the
robot stands to a point, and answers with a path, or None where there is no way. All of them take the same ends:
a robot that stands in closed cells may leave them, and a goal in a closed cell means the nearest open one
within `tolerance`.
"""

from __future__ import annotations

import math
from typing import Annotated, Protocol

from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid, Costs
from expedition.navigate.path import Geometry, Path, Points, cell_at
from expedition.navigate.steps import HIGHEST_EXTRA, STRAIGHT, StepTable, Unknown, nearest_open
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


def checked_ends(start: Point, goal: Point) -> tuple[float, float, float, float]:
    """Both ends as kernels take them."""
    ends = float(start[0]), float(start[1]), float(goal[0]), float(goal[1])
    if not all(map(math.isfinite, ends)):
        raise ExpeditionError(f"a path's start and goal must be finite numbers, found {start} and {goal}")
    return ends


def found_path(total: int, points: Points, costs: Costs) -> Path | None:
    """What a kernel found, as a path: a negative total says that there is none."""
    return Path(points, total * costs.frame.resolution / STRAIGHT) if total >= 0 else None


@kernel
def locate_ends(
    cost: CostGrid, table: StepTable, frame: Geometry, ends: tuple[float, float, float, float], tolerance: float
) -> tuple[int, int]:
    """The cells of both ends, the goal's being the nearest open one within `tolerance` metres; -1 where there is none.

    A start on the outermost ring of the map counts as outside.
    """
    rows, columns = cost.shape
    start, goal = cell_at(cost, frame, ends[0], ends[1]), cell_at(cost, frame, ends[2], ends[3])
    if start < 0 or goal < 0:
        return -1, -1
    row, column = start // columns, start % columns
    if row == 0 or row == rows - 1 or column == 0 or column == columns - 1:
        return -1, -1
    # A robot that stands in a closed cell is where it is told to be when it is told to stay.
    if goal != start:
        goal = nearest_open(cost, table, goal // columns, goal % columns, tolerance / frame[2])
    return start, goal
