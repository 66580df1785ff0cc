"""Dijkstra's algorithm (1959): settles everything nearer than the goal; the plain measure of the other planners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid, Costs
from expedition.navigate.ends import Ends, locate_ends
from expedition.navigate.path import Geometry, Path, Points, cells_by_descent, way_points
from expedition.navigate.planner import (
    Point,
    Share,
    Tolerance,
    UnknownCost,
    path_by,
    planner,
)
from expedition.navigate.spreading import INFINITE, Distances, Front, begin_spread, shared_front, spread
from expedition.navigate.steps import StepTable, Unknown, close_start, open_start, step_table


@planner("dijkstra")
@dataclass(frozen=True, kw_only=True)
class Dijkstra:
    """The cheapest path, by spreading a distance field until it reaches the goal."""

    tolerance: Tolerance = 0.5
    unknown_cost: UnknownCost = 50.0
    clearance: Share = 1.0

    def plan(self, costs: Costs, start: Point, goal: Point, unknown: Unknown = "avoid") -> Path | None:
        """The cheapest path, or None."""
        return path_by(
            _find,
            costs,
            step_table(unknown, self.unknown_cost, self.clearance),
            start,
            goal,
            self.tolerance,
            np.empty(costs.cost.size, dtype=np.int32),
            shared_front(costs.cost.size),
        )


@kernel
def _find(
    cost: CostGrid,
    table: StepTable,
    frame: Geometry,
    ends: Ends,
    escape_cells: int,
    best: Distances,
    front: Front,
) -> tuple[int, Points]:
    """The total cost and the way points, -1 and none where there is no way. Cost: that of the field up to the goal."""
    start, goal = locate_ends(cost, table, frame, ends)
    if goal < 0:
        return -1, np.empty((0, 2))
    row, column = start // cost.shape[1], start % cost.shape[1]
    opened = open_start(cost, table, row, column, escape_cells)
    begin_spread(best, front, start)
    spread(cost, table, best, front, np.full(1, goal), INFINITE)
    points = np.empty((0, 2))
    if best[goal] != INFINITE:
        points = way_points(cost, table, cells_by_descent(cost, table, best, start, goal), frame, ends)
    close_start(cost, opened)
    return best[goal] if len(points) else -1, points
