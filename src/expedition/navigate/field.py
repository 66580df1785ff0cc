"""Distance fields: what it costs to go from where a robot stands to everywhere at once.

Dial's bucket queue (1969) with Dinitz's observation (1978) that buckets may be as wide as the cheapest step: whatever
lies in the lowest bucket is settled, in any order, because every step leads into a later one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid
from expedition.navigate.path import Geometry, Path, cells_by_descent, geometry, way_points
from expedition.navigate.steps import (
    LONGEST_STEP,
    STRAIGHT,
    TURNS,
    StepTable,
    U,
    Unknown,
    close_start,
    neighbour_offsets,
    open_start,
    step_table,
)

INFINITE = 2**31 - 1
"""The distance of cells that were not reached; ways of ten million cells stay below."""
BUCKET_BITS = 6
BUCKETS = 16
assert 1 << BUCKET_BITS <= STRAIGHT
assert LONGEST_STEP < (BUCKETS - 1) << BUCKET_BITS

Distances = NDArray[np.int32]
NO_TARGETS = np.empty(0, dtype=np.int64)


class FieldCosts(Protocol):
    """What a field is computed over: costs with their ring of occupied cells."""

    frame: Frame
    cost: CostGrid
    escape_cells: int


class DistanceField:
    """What it costs one robot to get anywhere from where it stood at the last `spread`."""

    def __init__(self, costs: FieldCosts) -> None:
        self.costs = costs
        self.distance: Distances = np.full(costs.frame.shape, INFINITE, dtype=np.int32)
        """To each cell, in `STRAIGHT` a cell; `INFINITE` where the robot cannot go."""
        self.start: tuple[int, int] | None = None
        self._table = step_table()

    def spread(
        self,
        start: tuple[float, float],
        *,
        unknown: Unknown = "avoid",
        unknown_cost: float = 50.0,
        targets: NDArray[np.int64] = NO_TARGETS,
        wanted: int | None = None,
        within: float = math.inf,
    ) -> int:
        """Compute the field from `start` (metres); how many of the `targets` it reached.

        With `targets` (cells as row * columns + column), it ends once `wanted` of them are settled, all if not given.
        It ends as well once all that costs at most `within` metres is settled; then what it holds above is of no use.
        From outside the map nothing is reached.
        """
        frame = self.costs.frame
        if not (math.isfinite(start[0]) and math.isfinite(start[1])):
            raise ExpeditionError(f"a distance field's start must be two finite numbers, found {start}")
        if targets.size and not (targets.min() >= 0 and targets.max() < self.distance.size):
            raise ExpeditionError(
                f"targets of a distance field must be cells from 0 to {self.distance.size - 1}, found "
                f"{targets.min()} to {targets.max()}"
            )
        self._table = step_table(unknown, unknown_cost)
        row, column = frame.cell(*start)
        if not (0 < row < frame.rows - 1 and 0 < column < frame.columns - 1):
            self.start = None
            self.distance[:] = INFINITE
            return 0
        self.start = row, column
        return spread(
            self.costs.cost,
            self._table,
            row,
            column,
            self.costs.escape_cells,
            self.distance,
            *bucket_room(self.distance.size),
            targets,
            targets.size if wanted is None else wanted,
            INFINITE if math.isinf(within) else math.ceil(within / frame.resolution * STRAIGHT),
        )

    @property
    def starts_in_the_open(self) -> bool:
        """Whether the robot could have driven to its start: then there is a way between any two cells reached."""
        return self.start is not None and bool(self._table[0, self.costs.cost[self.start]] > 0)

    def cost_to(self, x: float, y: float, tolerance: float = 0.0) -> float:
        """The cost of the way to a point in metres of open floor; infinite where the field did not reach.

        Where it did not, the nearest cell within `tolerance` metres that it did reach counts, as it does for planners.
        """
        frame = self.costs.frame
        row, column = frame.cell(x, y)
        if not frame.holds(row, column):
            return math.inf
        reached = int(self.distance[row, column])
        if reached == INFINITE and tolerance > 0.0:
            reached = nearest_reached(self.distance, row, column, tolerance / frame.resolution)
        return math.inf if reached == INFINITE else reached * frame.resolution / STRAIGHT

    def costs_to(self, points: NDArray[np.float64], tolerance: float = 0.0) -> NDArray[np.float64]:
        """`cost_to` of many points (n, 2)."""
        return read_costs(self.distance, points, geometry(self.costs.frame), tolerance)

    def path_to(self, x: float, y: float) -> Path | None:
        """The way to a point that the field reached, while the costs are still those it was computed from."""
        cost = self.cost_to(x, y)
        if self.start is None or math.isinf(cost):
            return None
        row, column = self.costs.frame.cell(x, y)
        points = path_from_field(
            self.costs.cost,
            self._table,
            self.start[0],
            self.start[1],
            self.costs.escape_cells,
            self.distance,
            row,
            column,
            geometry(self.costs.frame),
            (*self.costs.frame.centre(*self.start), x, y),
        )
        return Path(points, cost) if len(points) else None


@kernel
def nearest_reached(distance: Distances, row: int, column: int, tolerance: float) -> int:
    """The distance of the reached cell nearest to a cell, within `tolerance` cells; `INFINITE` where there is none."""
    reach = math.ceil(tolerance)
    found, best = INFINITE, tolerance * tolerance + 1e-9
    for i in range(max(row - reach, 0), min(row + reach + 1, distance.shape[0])):
        for j in range(max(column - reach, 0), min(column + reach + 1, distance.shape[1])):
            away = float((i - row) ** 2 + (j - column) ** 2)
            if distance[i, j] != INFINITE and away < best:
                found, best = int(distance[i, j]), away
    return found


@kernel
def read_costs(
    distance: Distances, points: NDArray[np.float64], frame: Geometry, tolerance: float
) -> NDArray[np.float64]:
    """What the ways to points cost in metres. Cost: one look a point, where it was not reached the cells around it."""
    left, bottom, resolution = frame
    costs = np.full(len(points), np.inf)
    for k in range(len(points)):
        row = math.floor((points[k, 1] - bottom) / resolution)
        column = math.floor((points[k, 0] - left) / resolution)
        if not (0 <= row < distance.shape[0] and 0 <= column < distance.shape[1]):
            continue
        reached = int(distance[row, column])
        if reached == INFINITE and tolerance > 0.0:
            reached = nearest_reached(distance, row, column, tolerance / resolution)
        if reached != INFINITE:
            costs[k] = reached * resolution / STRAIGHT
    return costs


@lru_cache(maxsize=4)
def bucket_room(cells: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Room for the buckets and headings of a grid of so many cells, made once; what is never used takes no memory."""
    return np.empty((BUCKETS, cells), dtype=np.int32), np.empty(cells, dtype=np.uint8)


@kernel
def spread(
    cost: CostGrid,
    table: StepTable,
    start_row: int,
    start_column: int,
    escape_cells: int,
    distance: Distances,
    buckets: NDArray[np.int32],
    heading: NDArray[np.uint8],
    targets: NDArray[np.int64],
    wanted: int,
    farthest: int,
) -> int:
    """Fill `distance` with the cost from the start to every cell, `INFINITE` where it cannot go.

    Stops early when `wanted` of the `targets` are settled, if there are any, or everything up to `farthest` is; then
    cells not farther than the last of them are right, and others hold the cost of some way or `INFINITE`. Returns how
    many targets are settled. The costs must have their ring of occupied cells, and the start must lie within.

    Invariant: a cell is in a bucket at most once, and whatever is in a bucket before the one at work is settled. Cost:
    five looks a settled cell: whatever lies more than 90 degrees off the step that led to a cell has a way no dearer
    from the cell before, because costs are averages over both ends.
    """
    opened = open_start(cost, table, start_row, start_column, escape_cells)
    offsets = neighbour_offsets(cost.shape[1])
    cells = cost.reshape(-1)
    best = distance.reshape(-1)
    best[:] = INFINITE
    straight, diagonal = table[0], table[1]
    sizes = np.zeros(BUCKETS, dtype=np.int64)
    remaining = targets.copy()
    left = remaining.size
    start = start_row * cost.shape[1] + start_column
    best[start] = 0
    buckets[0, 0] = start
    sizes[0] = 1
    waiting = 1
    level = 0
    while waiting > 0 and level <= farthest >> BUCKET_BITS:
        slot = U(level & (BUCKETS - 1))
        size = sizes[slot]
        for index in range(size):
            cell = U(buckets[slot, U(index)])
            reached = best[cell]
            if reached >> BUCKET_BITS != level:
                continue
            own = U(cells[cell])
            own_straight, own_diagonal = straight[own], diagonal[own]
            first, looks = (U(0), TURNS) if level == 0 else (U(heading[cell] + TURNS - 2), 5)
            hopeless = reached + np.int32(STRAIGHT)
            for look in range(looks):
                turn = (first + U(look)) & U(TURNS - 1)
                near = cell + offsets[turn]
                before = best[near]
                if before <= hopeless:
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
                if offer < before:
                    best[near] = offer
                    heading[near] = turn
                    offered = offer >> BUCKET_BITS
                    if before >> BUCKET_BITS != offered:
                        into = U(offered & (BUCKETS - 1))
                        buckets[into, U(sizes[into])] = near
                        sizes[into] += 1
                        waiting += 1
        waiting -= int(size)
        sizes[slot] = 0
        level += 1
        if targets.size > 0:
            index = 0
            while index < left:
                if best[remaining[index]] >> BUCKET_BITS < level:
                    left -= 1
                    remaining[index] = remaining[left]
                else:
                    index += 1
            if targets.size - left >= min(wanted, targets.size):
                break
    close_start(cost, opened)
    return targets.size - left


@kernel
def path_from_field(
    cost: CostGrid,
    table: StepTable,
    start_row: int,
    start_column: int,
    escape_cells: int,
    distance: Distances,
    row: int,
    column: int,
    frame: tuple[float, float, float],
    ends: tuple[float, float, float, float],
) -> NDArray[np.float64]:
    """The way points from a field's start to a cell it reached, by descent; `ends` are both ends in metres.

    Empty where the costs have changed so that the field no longer fits them. Cost: eight looks a cell of the way.
    """
    columns = cost.shape[1]
    opened = open_start(cost, table, start_row, start_column, escape_cells)
    way = cells_by_descent(
        cost, table, distance.reshape(-1), start_row * columns + start_column, row * columns + column
    )
    points = way_points(cost, table, way, frame, ends)
    close_start(cost, opened)
    return points
