"""A* (Hart, Nilsson, Raphael 1968): looks first where start to cell to goal, estimated, costs least.

The estimate is the octile distance, which no way undercuts and no step contradicts, so that a cell taken from the open
list is settled and the path found is the cheapest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid, Costs
from expedition.navigate.ends import Ends, locate_ends
from expedition.navigate.open_list import (
    BUCKET_BITS,
    BUCKETS,
    DONE,
    HIGHEST,
    OpenList,
    begin,
    empty_buckets,
    enter,
    octile,
    open_list,
    pop,
    push,
    reached_cost,
    span_of,
)
from expedition.navigate.path import Geometry, Path, Points, cells_by_descent, way_points
from expedition.navigate.planner import (
    Point,
    Share,
    Tolerance,
    UnknownCost,
    path_by,
    planner,
)
from expedition.navigate.steps import (
    RIGHT,
    STRAIGHT,
    TURNS,
    UP,
    StepTable,
    U,
    Unknown,
    close_start,
    neighbour_offsets,
    open_start,
    step_table,
)

EVERYWHERE = np.zeros(0, dtype=np.int32)
"""For `regions`: the search may enter every cell."""


@planner("a-star")
@dataclass(frozen=True, kw_only=True)
class AStar:
    """The cheapest path, by A* with the octile distance."""

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
            open_list(costs.cost.size),
        )


@kernel
def _find(
    cost: CostGrid,
    table: StepTable,
    frame: Geometry,
    ends: Ends,
    escape_cells: int,
    waiting: OpenList,
) -> tuple[int, Points]:
    """The total cost and the way points; -1 and none where there is no way."""
    start, goal = locate_ends(cost, table, frame, ends)
    if goal < 0:
        return -1, np.empty((0, 2))
    opened = open_start(cost, table, start // cost.shape[1], start % cost.shape[1], escape_cells)
    total = search(cost, table, start, goal, waiting, EVERYWHERE, np.ones(0, dtype=np.bool_))
    if total < 0:
        points = np.empty((0, 2))
    else:
        points = way_points(cost, table, cells_by_descent(cost, table, waiting.best, start, goal), frame, ends)
    close_start(cost, opened)
    return total, points


@kernel
def search(
    cost: CostGrid,
    table: StepTable,
    start: int,
    goal: int,
    waiting: OpenList,
    regions: NDArray[np.int32],
    allowed: NDArray[np.bool_],
    most: int = HIGHEST,
) -> int:
    """The cost of the cheapest way between two cells, -1 if there is none; `waiting.best` then leads back along it.

    If that is above `most`, it may be the cost of some other way, or count as none. Where `regions` has entries, only
    cells whose region is `allowed` are entered. Invariant: every cell whose estimate lies below the bucket at work is
    settled. Cost: five looks a settled cell, as in a distance field.
    """
    columns = cost.shape[1]
    cells = cost.reshape(-1)
    offsets = neighbour_offsets(columns)
    straight, diagonal = table[0], table[1]
    best, heading = waiting.best, waiting.heading
    base = begin(waiting)
    goal_row, goal_column = goal // columns, goal % columns
    # Estimates count from that of the start, so that a way without detours lies at the very beginning of a bucket.
    least = base + octile(goal_row - start // columns, goal_column - start % columns)
    limit = base + min(most, span_of(best.size) - 1) + 1
    tops = empty_buckets()
    best[start] = base
    heading[start] = 0
    push(waiting, tops, U(0), U(start))
    left, level = 1, 0
    while left > 0 and min(int(best[goal]), limit) - least > level << BUCKET_BITS:
        slot = U(level & (BUCKETS - 1))
        if tops[slot] < 0:
            level += 1
            continue
        left -= 1
        cell = pop(waiting, tops, slot)
        turned = heading[cell]
        if turned & DONE:
            continue
        heading[cell] = turned | DONE
        reached = np.int64(best[cell])
        row = np.int64(np.uint32(cell) // np.uint32(columns))
        from_row, from_column = row - goal_row, np.int64(cell) - row * columns - goal_column
        if reached + octile(from_row, from_column) >= min(int(best[goal]), limit):
            continue
        own = U(cells[cell])
        own_straight, own_diagonal = straight[own], diagonal[own]
        first, looks = (U(0), TURNS) if reached == base else (U(turned + TURNS - 2), 5)
        hopeless = reached + STRAIGHT
        for look in range(looks):
            turn = (first + U(look)) & U(TURNS - 1)
            near = cell + offsets[turn]
            if best[near] <= hopeless:
                continue
            if turn & U(1):
                weight = diagonal[U(cells[near])]
                if (
                    weight == 0
                    or straight[U(cells[cell + offsets[turn - U(1)]])] == 0
                    or straight[U(cells[cell + offsets[turn + U(1)]])] == 0
                ):
                    continue
                offer = reached + ((own_diagonal + weight) >> 1)
            else:
                weight = straight[U(cells[near])]
                if weight == 0:
                    continue
                offer = reached + ((own_straight + weight) >> 1)
            if offer >= best[near] or (regions.size > 0 and not allowed[regions[near]]):
                continue
            ahead = octile(from_row + UP[turn], from_column + RIGHT[turn]) - least
            left += enter(waiting, tops, near, turn, offer, ahead)
    return reached_cost(waiting, goal)
