"""Topological planning: first over regions of open space, then over the cells of the regions on the way.

The graph of regions (around the ends and forks of the space's skeleton, in the spirit of Thrun 1998) is small and is
kept until the map changes, so that many plans on one map are cheap. A path is found exactly where there is one; it may
cost more than the cheapest, which can lead through other regions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.a_star import search
from expedition.navigate.costs import CostGrid, Costs
from expedition.navigate.ends import Ends, locate_ends
from expedition.navigate.open_list import OpenList, open_list
from expedition.navigate.path import Geometry, Path, Points, cells_by_descent, way_points
from expedition.navigate.planner import (
    Point,
    Share,
    Tolerance,
    UnknownCost,
    path_by,
    planner,
)
from expedition.navigate.regions import Regions, find_regions
from expedition.navigate.steps import StepTable, Unknown, close_start, open_start, step_table


@planner("topological")
@dataclass(frozen=True, kw_only=True)
class Topological:
    """A good path, by a search over regions of open space and then inside those on the way."""

    tolerance: Tolerance = 0.5
    unknown_cost: UnknownCost = 50.0
    clearance: Share = 1.0
    _kept: WeakKeyDictionary[Costs, tuple[int, Unknown, Regions]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    def plan(self, costs: Costs, start: Point, goal: Point, unknown: Unknown = "avoid") -> Path | None:
        """A path, or None where there is none at all."""
        table = step_table(unknown, self.unknown_cost, self.clearance)
        return path_by(
            _find,
            costs,
            table,
            start,
            goal,
            self.tolerance,
            open_list(costs.cost.size),
            self._regions(costs, table, unknown),
        )

    def _regions(self, costs: Costs, table: StepTable, unknown: Unknown) -> Regions:
        """The regions of these costs, found anew when they have changed."""
        kept = self._kept.get(costs)
        if kept is None or kept[:2] != (costs.version, unknown):
            kept = costs.version, unknown, find_regions(costs.cost, table)
            self._kept[costs] = kept
        return kept[2]


@kernel
def _find(
    cost: CostGrid,
    table: StepTable,
    frame: Geometry,
    ends: Ends,
    escape_cells: int,
    waiting: OpenList,
    regions: Regions,
) -> tuple[int, Points]:
    """The total cost and the way points; -1 and none where there is no way."""
    columns = cost.shape[1]
    start, goal = locate_ends(cost, table, frame, ends)
    if goal < 0:
        return -1, np.empty((0, 2))
    opened = open_start(cost, table, start // columns, start % columns, escape_cells)
    is_source = np.zeros(regions.first.size, dtype=np.bool_)
    if opened.shape[0] == 0:
        is_source[regions.region[start]] = True
    for index in range(opened.shape[0]):
        for offset in (1, columns, -1, -columns):
            region = regions.region[opened[index, 0] + offset]
            if region >= 0:
                is_source[region] = True
    total = -1
    points = np.empty((0, 2))
    allowed = route(regions, is_source, regions.region[goal]) if goal != start else is_source
    if goal == start or allowed[regions.region[goal]]:
        # Closed cells count to the last entry, where there is no region: of them only those around the start are open.
        allowed[allowed.size - 1] = True
        total = search(cost, table, start, goal, waiting, regions.region, allowed)
        points = way_points(cost, table, cells_by_descent(cost, table, waiting.best, start, goal), frame, ends)
    close_start(cost, opened)
    return total, points


@kernel
def route(regions: Regions, is_source: NDArray[np.bool_], goal: int) -> NDArray[np.bool_]:
    """Which regions lie on the shortest way from any source to the goal; none where there is no way.

    Invariant: a region's distance is that of some way, and a region whose distance fell waits in the queue, once. Cost:
    regions and their borders, a few times over (Bellman and Ford with a queue).
    """
    count = regions.first.size - 1
    distance = np.full(count, np.int64(2**62))
    before = np.full(count, np.int64(-1))
    queue = np.empty(count + 1, dtype=np.int64)
    is_waiting = np.zeros(count, dtype=np.bool_)
    head, tail = 0, 0
    for region in range(count):
        if is_source[region]:
            distance[region] = 0
            queue[tail] = region
            is_waiting[region] = True
            tail += 1
    while head != tail:
        region = queue[head]
        head = (head + 1) % queue.size
        is_waiting[region] = False
        for index in range(regions.first[region], regions.first[region + 1]):
            near = regions.near[index]
            offer = distance[region] + regions.steps[index]
            if offer < distance[near]:
                distance[near] = offer
                before[near] = region
                if not is_waiting[near]:
                    is_waiting[near] = True
                    queue[tail] = near
                    tail = (tail + 1) % queue.size
    on_the_way = np.zeros(count + 1, dtype=np.bool_)
    if distance[goal] < 2**62:
        region = goal
        while region >= 0:
            on_the_way[region] = True
            region = before[region]
    return on_the_way
