"""Distance fields: what it costs to go from where a robot stands to anywhere.

Where there is a way at all is known at once. What it costs takes much longer to find out, and is computed only as far
from the robot as somebody asks.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid
from expedition.navigate.path import Geometry, geometry
from expedition.navigate.spreading import (
    BUCKET_BITS,
    INFINITE,
    Distances,
    Front,
    Integers,
    begin_spread,
    flood,
    new_front,
    spread,
)
from expedition.navigate.steps import STRAIGHT, StepTable, Unknown, close_start, open_start, step_table

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Work = tuple[CostGrid, StepTable, tuple[int, int], int, Distances, Booleans, Front, Geometry]


class FieldCosts(Protocol):
    """What a field is computed over: costs with their ring of occupied cells."""

    frame: Frame
    cost: CostGrid
    escape_cells: int


class DistanceField:
    """What it costs one robot to get anywhere from where it stood at the last `begin`.

    It may be asked as long as the costs are what they were then.
    """

    def __init__(self, costs: FieldCosts) -> None:
        self.costs = costs
        self.distance: Distances = np.full(costs.frame.shape, INFINITE, dtype=np.int32)
        """To each cell, in `STRAIGHT` a cell; as far as it was asked for, see `spread`."""
        self.reached: Booleans = np.zeros(costs.frame.shape, dtype=np.bool_)
        """To which cells there is a way."""
        self.cells_reached = 0
        self._flooded = self.reached
        self.start: tuple[int, int] | None = None
        self._table = step_table()
        self._front = new_front(self.distance.size)

    def begin(
        self,
        start: tuple[float, float],
        *,
        unknown: Unknown = "avoid",
        unknown_cost: float = 50.0,
        like: DistanceField | None = None,
    ) -> None:
        """Take another place, in metres, as the start; from outside the map nothing is reached.

        It need not be found out which cells are reached if they are those of another field, whose start is open.
        """
        if not (math.isfinite(start[0]) and math.isfinite(start[1])):
            raise ExpeditionError(f"a distance field's start must be two finite numbers, found {start}")
        frame = self.costs.frame
        self._table = step_table(unknown, unknown_cost)
        self.reached = self._flooded
        row, column = frame.cell(*start)
        if not (0 < row < frame.rows - 1 and 0 < column < frame.columns - 1):
            self.start, self.cells_reached = None, 0
            self.distance[:], self.reached[:] = INFINITE, False
            return
        self.start = row, column
        if like is None:
            self.cells_reached = begin_field(*self.work)
        else:
            self.reached, self.cells_reached = like.reached, like.cells_reached
            begin_spread(self.distance.reshape(-1), self._front, row * frame.columns + column)

    @property
    def work(self) -> Work:
        """What kernels take to work on it, once it has a start."""
        costs, start = self.costs, self.start
        assert start is not None
        return (
            costs.cost, self._table, start, costs.escape_cells, self.distance, self.reached, self._front,
            geometry(costs.frame),
        )  # fmt: skip

    @property
    def starts_in_the_open(self) -> bool:
        """Whether the robot could have driven to its start: then there is a way between any two cells reached."""
        return self.start is not None and bool(self._table[0, self.costs.cost[self.start]] > 0)

    def cost_to(self, x: float, y: float, tolerance: float = 0.0) -> float:
        """The cost of the way to a point in metres of open floor; infinite where there is none.

        Where there is none, the nearest cell within `tolerance` metres to which there is one counts, as for planners.
        """
        frame = self.costs.frame
        row, column = frame.cell(x, y)
        if frame.holds(row, column) and self.reached[row, column]:
            distance = int(self.distance[row, column])
            if distance >> BUCKET_BITS < self._front.level[0]:  # Settled before: this is all, and soon done.
                return distance * frame.resolution / STRAIGHT
        return float(self.costs_to(np.array([[x, y]]), tolerance)[0])

    def costs_to(self, points: Floats, tolerance: float = 0.0, within: float = math.inf) -> Floats:
        """`cost_to` of many points (n, 2), infinite where that is more than `within`."""
        if self.start is None:
            return np.full(len(points), np.inf)
        return ask_field(*self.work, points, tolerance, within)

    def nearest_place(self, x: float, y: float) -> tuple[float, float]:
        """A point if there is a way to its cell, else the middle of the nearest cell with one, behind walls or not."""
        frame = self.costs.frame
        row, column = frame.cell(x, y)
        if self.cells_reached == 0 or (frame.holds(row, column) and self.reached[row, column]):
            return x, y
        anywhere = frame.rows + frame.columns + abs(row) + abs(column)
        return frame.centre(*divmod(nearest_reached(self.reached, row, column, float(anywhere)), frame.columns))

    def has_way_to(self, points: Floats, tolerance: float = 0.0) -> Booleans:
        """To which of many points (n, 2) there is a way."""
        return cells_reached(self.reached, points, geometry(self.costs.frame), tolerance) >= 0


@kernel
def begin_field(
    cost: CostGrid,
    table: StepTable,
    start: tuple[int, int],
    escape_cells: int,
    distance: Distances,
    reached: Booleans,
    front: Front,
    frame: Geometry,
) -> int:
    """Make a field ready to be asked; how many cells it reaches."""
    cell = start[0] * cost.shape[1] + start[1]
    opened = open_start(cost, table, start[0], start[1], escape_cells)
    count = flood(cost, table, cell, reached.reshape(-1), front.buckets.reshape(-1))
    begin_spread(distance.reshape(-1), front, cell)
    close_start(cost, opened)
    return count


@kernel
def ask_field(
    cost: CostGrid,
    table: StepTable,
    start: tuple[int, int],
    escape_cells: int,
    distance: Distances,
    reached: Booleans,
    front: Front,
    frame: Geometry,
    points: Floats,
    tolerance: float,
    within: float,
) -> Floats:
    """What the ways to points cost in metres, as far as that is not above `within`.

    Cost: one look a point, where it was not reached the cells around it, and whatever must be settled first.
    """
    _, _, resolution = frame
    best = distance.reshape(-1)
    cells = cells_reached(reached, points, frame, tolerance)
    farthest = INFINITE if math.isinf(within) else math.ceil(within / resolution * STRAIGHT)
    opened = open_start(cost, table, start[0], start[1], escape_cells)
    spread(cost, table, best, front, cells[cells >= 0], farthest)
    close_start(cost, opened)
    costs = np.full(len(points), np.inf)
    for k in range(len(points)):
        if cells[k] >= 0 and best[cells[k]] >> BUCKET_BITS < front.level[0]:
            asked = best[cells[k]] * resolution / STRAIGHT
            if asked <= within:
                costs[k] = asked
    return costs


@kernel
def cells_reached(reached: Booleans, points: Floats, frame: Geometry, tolerance: float) -> Integers:
    """For each point (n, 2) its cell, or the nearest one within `tolerance` metres, that was reached; else -1."""
    cells = cells_of(points, frame, reached.shape)
    for k in range(len(points)):
        if cells[k] >= 0:
            row, column = cells[k] // reached.shape[1], cells[k] % reached.shape[1]
            if not reached[row, column]:
                cells[k] = nearest_reached(reached, row, column, tolerance / frame[2]) if tolerance > 0.0 else -1
    return cells


@kernel
def cells_of(points: Floats, frame: Geometry, shape: tuple[int, int]) -> Integers:
    """The cells of points, as row * columns + column; -1 for those beyond the map."""
    left, bottom, resolution = frame
    cells = np.empty(len(points), np.int64)
    for k in range(len(points)):
        row, column = math.floor((points[k, 1] - bottom) / resolution), math.floor((points[k, 0] - left) / resolution)
        inside = 0 <= row < shape[0] and 0 <= column < shape[1]
        cells[k] = row * shape[1] + column if inside else -1
    return cells


@kernel
def nearest_reached(reached: Booleans, row: int, column: int, tolerance: float) -> int:
    """The reached cell nearest to a cell, within `tolerance` cells; -1 where there is none."""
    reach = math.ceil(tolerance)
    found, best = -1, tolerance * tolerance + 1e-9
    for i in range(max(row - reach, 0), min(row + reach + 1, reached.shape[0])):
        for j in range(max(column - reach, 0), min(column + reach + 1, reached.shape[1])):
            away = float((i - row) ** 2 + (j - column) ** 2)
            if reached[i, j] and away < best:
                found, best = i * reached.shape[1] + j, away
    return found
