"""Distance fields: what it costs to go from where a robot stands to anywhere.

Where there is a path at all is known at once, from the fine costs that planners plan on. What it costs takes much
longer to find out, and is computed only as far from the robot as somebody asks, over coarser costs if there are any.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.navigate.coarse import CoarseCosts
from expedition.navigate.costs import SQUEEZE_COST, CostGrid, Costs
from expedition.navigate.ends import place_for
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


class Work(NamedTuple):
    """What kernels take to work on a field."""

    fine: CostGrid
    frame: Geometry
    reached: Booleans
    """(cells,): to which cells of the fine grid there is a path."""
    start: int
    """The start's cell of the fine grid."""
    table: StepTable
    cost: CostGrid
    """The costs that distances are computed over, the fine ones or coarser ones."""
    side: int
    """How many fine cells one of these has along its side."""
    escape_cells: int
    distance: Distances
    front: Front


class DistanceField:
    """What it costs one robot to get anywhere from where it stood at the last `begin`.

    It may be asked as long as the costs are what they were then.
    """

    def __init__(self, costs: Costs, coarse: CoarseCosts | None = None) -> None:
        self.costs = costs
        self.coarse = coarse
        """Costs over the same ground in larger cells, for distances."""
        frame = costs.frame if coarse is None else coarse.frame
        self.distance: Distances = np.full(frame.shape, INFINITE, dtype=np.int32)
        """To each cell, in `STRAIGHT` a cell; as far as it was asked for, see `spread`."""
        self.reached: Booleans = np.zeros(costs.frame.shape, dtype=np.bool_)
        """To which cells there is a path."""
        self.cells_reached = 0
        self._flooded = self.reached
        self.start: tuple[int, int] | None = None
        self._table = step_table()
        self._front = new_front(self.distance.size)
        # A flood needs room for 12 numbers a fine cell, which the front of a coarse field has not.
        self._room = self._front.buckets if coarse is None else np.empty((12, costs.cost.size), dtype=np.int32)

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
        work = self.work
        if like is None:
            self.cells_reached = begin_field(*work, self.costs.escape_cells, self._room)
        else:
            self.reached, self.cells_reached = like.reached, like.cells_reached
        begin_spread(
            self.distance.reshape(-1), self._front, start_over(work.start, frame.columns, work.side, work.cost)
        )

    @property
    def work(self) -> Work:
        """What kernels take to work on it, once it has a start."""
        costs, start, grid = self.costs, self.start, self.coarse or self.costs
        assert start is not None
        return Work(
            costs.cost, geometry(costs.frame), self.reached.reshape(-1), start[0] * costs.frame.columns + start[1],
            self._table, grid.cost, round(grid.frame.resolution / costs.frame.resolution), grid.escape_cells,
            self.distance, self._front,
        )  # fmt: skip

    @property
    def starts_in_the_open(self) -> bool:
        """Whether the robot could have driven to its start: then there is a way between any two cells reached."""
        return self.start is not None and bool(self._table[0, self.costs.cost[self.start]] > 0)

    def cost_to(self, x: float, y: float, tolerance: float = 0.0) -> float:
        """The cost of the path to a point in metres of open floor; infinite where there is none.

        Where there is none, the nearest cell within `tolerance` metres to which there is one counts, as for planners.
        """
        return float(self.costs_to(np.array([[x, y]]), tolerance)[0])

    def costs_to(self, points: Floats, tolerance: float = 0.0, within: float = math.inf) -> Floats:
        """`cost_to` of many points (n, 2), infinite where that is more than `within`."""
        if self.start is None:
            return np.full(len(points), np.inf)
        return ask_field(self.work, points, tolerance, within)

    def nearest_place(self, x: float, y: float) -> tuple[float, float]:
        """A point if there is a path to its cell, else the middle of the nearest cell with one, behind walls or not.

        It is one where the robot can turn, if there is any.
        """
        frame = self.costs.frame
        row, column = frame.cell(x, y)
        if self.cells_reached == 0 or (frame.holds(row, column) and self.reached[row, column]):
            return x, y
        anywhere = frame.rows + frame.columns + abs(row) + abs(column)
        roomy = self.reached & (self.costs.cost != SQUEEZE_COST)
        reached = roomy if roomy.any() else self.reached
        return frame.centre(*divmod(nearest_reached(reached, row, column, float(anywhere)), frame.columns))

    def places(self, points: Floats, tolerance: float = 0.0) -> Floats:
        """For each of many points (n, 2) the one that it means to the robot: itself, or the nearest with a path."""
        frame, found = self.costs.frame, points.copy()
        if self.start is None:
            return found
        meant = cells_reached(self.work, points, tolerance)
        moved = (meant >= 0) & (meant != cells_of(points, geometry(frame), frame.shape))
        found[moved] = frame.centres(np.column_stack(np.divmod(meant[moved], frame.columns)))
        return found

    def has_way_to(self, points: Floats, tolerance: float = 0.0) -> Booleans:
        """To which of many points (n, 2) there is a path."""
        if self.start is None:
            return np.zeros(len(points), dtype=np.bool_)
        return cells_reached(self.work, points, tolerance) >= 0


@kernel
def begin_field(
    fine: CostGrid,
    frame: Geometry,
    reached: Booleans,
    start: int,
    table: StepTable,
    cost: CostGrid,
    side: int,
    coarse_escape: int,
    distance: Distances,
    front: Front,
    escape_cells: int,
    room: NDArray[np.int32],
) -> int:
    """Find out which fine cells are reached; how many they are."""
    opened = open_start(fine, table, start // fine.shape[1], start % fine.shape[1], escape_cells)
    count = flood(fine, table, start, reached, room.reshape(-1))
    close_start(fine, opened)
    return count


@kernel
def cell_over(cell: int, columns: int, side: int) -> int:
    """The cell of a grid with `side` times larger cells that holds a cell of a grid of so many columns."""
    return int(cell // columns // side * (columns // side) + cell % columns // side)


@kernel
def start_over(start: int, columns: int, side: int, cost: CostGrid) -> int:
    """The same of a start, off the outermost ring: what spreads from there would leave the grid."""
    cell = cell_over(start, columns, side)
    row, column = cell // cost.shape[1], cell % cost.shape[1]
    return int(min(max(row, 1), cost.shape[0] - 2) * cost.shape[1] + min(max(column, 1), cost.shape[1] - 2))


@kernel
def ask_field(work: Work, points: Floats, tolerance: float, within: float) -> Floats:
    """What the paths to points cost in metres, as far as that is not above `within`.

    Cost: one look a point, where it was not reached the cells around it, and whatever must be settled first.
    """
    cost, front, columns = work.cost, work.front, work.fine.shape[1]
    resolution = work.frame[2] * work.side
    best = work.distance.reshape(-1)
    fine = cells_reached(work, points, tolerance)
    cells = np.empty(len(points), np.int64)
    for k in range(len(points)):
        cells[k] = cell_over(fine[k], columns, work.side) if fine[k] >= 0 else -1
    farthest = INFINITE if math.isinf(within) else math.ceil(within / resolution * STRAIGHT)
    start = start_over(work.start, columns, work.side, cost)
    opened = open_start(cost, work.table, start // cost.shape[1], start % cost.shape[1], work.escape_cells)
    spread(cost, work.table, best, front, cells[cells >= 0], farthest)
    close_start(cost, opened)
    costs = np.full(len(points), np.inf)
    for k in range(len(points)):
        if cells[k] < 0:
            continue
        if best[cells[k]] >> BUCKET_BITS < front.level[0]:
            asked = best[cells[k]] * resolution / STRAIGHT
        elif front.sizes.sum() == 0:
            # All coarse cells were reached that can be, and this one was not: its path, out of closed cells around the
            # start, is found on the fine grid alone, and costs at least the straight line.
            down, right = fine[k] // columns - work.start // columns, fine[k] % columns - work.start % columns
            asked = math.hypot(down, right) * work.frame[2]
        else:
            continue
        if asked <= within:
            costs[k] = asked
    return costs


@kernel
def cells_reached(work: Work, points: Floats, tolerance: float) -> Integers:
    """For each point (n, 2) the fine cell that it means to the robot, as in `ends.py`; -1 where there is none."""
    cells = cells_of(points, work.frame, work.fine.shape)
    for k in range(len(points)):
        if cells[k] >= 0:
            cells[k] = place_for(work.fine, work.table, work.frame, work.reached, work.start, cells[k], tolerance)
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
