"""Jump point search (Harabor and Grastien 2011), in the form that cuts no corners: A* that skips what is all the same.

Where all open cells cost the same, of many equal ways only the one that turns as early as it can is followed: diagonal
first, then straight, until a wall ends beside it. It therefore plans the shortest way and ignores clearance:
costs only say which cells are open.
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
    OpenList,
    begin,
    empty_buckets,
    enter,
    octile,
    open_list,
    pop,
    push,
    reached_cost,
)
from expedition.navigate.path import Cells, Geometry, Path, Points, way_points
from expedition.navigate.planner import Point, Tolerance, path_by, planner
from expedition.navigate.steps import (
    DIAGONAL,
    ESCAPE_COST,
    LONGEST_STEP,
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

LONGEST_JUMP = LONGEST_STEP // DIAGONAL
"""Cells after which a jump lands anyway, so that the open list's circle is long enough."""


@planner("jump-point")
@dataclass(frozen=True, kw_only=True)
class JumpPoint:
    """The shortest path over open cells, whatever their clearance, by jump point search."""

    tolerance: Tolerance = 0.5

    def plan(self, costs: Costs, start: Point, goal: Point, unknown: Unknown = "avoid") -> Path | None:
        """The shortest path, or None."""
        waiting = open_list(costs.cost.size)
        open_floor, anywhere = (step_table(unknown, 0.0, 0.0, squeeze) for squeeze in (False, True))
        # Who counts no costs would hug every wall: squeezing through comes only where there is no other path.
        path = path_by(_find, costs, open_floor, start, goal, 0.0, anywhere, waiting)
        return path or path_by(_find, costs, anywhere, start, goal, self.tolerance, anywhere, waiting)


@kernel
def _find(
    cost: CostGrid,
    table: StepTable,
    frame: Geometry,
    ends: Ends,
    escape_cells: int,
    anywhere: StepTable,
    waiting: OpenList,
) -> tuple[int, Points]:
    """The total cost and the way points; -1 and none where there is no way.

    `anywhere` says where the robot passes at all: to get out of closed cells it crosses no others than by that.
    """
    start, goal = locate_ends(cost, table, frame, ends)
    if goal < 0:
        return -1, np.empty((0, 2))
    row, column = start // cost.shape[1], start % cost.shape[1]
    opened = open_start(cost, table, row, column, escape_cells)
    close_start(cost, opened)
    open_start(cost, anywhere, row, column, escape_cells)
    for index in range(len(opened)):
        if anywhere[0, opened[index, 1]] > 0:
            cost.reshape(-1)[opened[index, 0]] = ESCAPE_COST
    total = search(cost, table, start, goal, waiting)
    if total < 0:
        points = np.empty((0, 2))
    else:
        points = way_points(cost, table, _cells_of_jumps(waiting, cost.shape[1], start, goal), frame, ends)
    close_start(cost, opened)
    return total, points


@kernel
def search(cost: CostGrid, table: StepTable, start: int, goal: int, waiting: OpenList) -> int:
    """The cost of the shortest way between two cells, -1 if there is none; headings then lead back along it.

    Invariant: that of the open list; every jump ends where the shortest way may turn, at the goal, or after
    `LONGEST_JUMP`. Cost: one look a cell that a jump passes, on both its sides, and fewer entries than A* has.
    """
    columns = cost.shape[1]
    cells = cost.reshape(-1)
    is_open = table[0] > 0
    offsets = neighbour_offsets(columns)
    best, heading = waiting.best, waiting.heading
    base = begin(waiting)
    goal_row, goal_column = goal // columns, goal % columns
    least = base + octile(goal_row - start // columns, goal_column - start % columns)
    tops = empty_buckets()
    best[start] = base
    heading[start] = 0
    push(waiting, tops, U(0), U(start))
    left, level = 1, 0
    while left > 0 and best[goal] - least > level << BUCKET_BITS:
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
        reached = int(best[cell])
        from_row, from_column = np.int64(cell) // columns - goal_row, np.int64(cell) % columns - goal_column
        turns = 255 if reached == base else _turns_worth_taking(cells, is_open, offsets, cell, U(turned))
        for index in range(TURNS):
            turn = U(index)
            if not turns >> index & 1:
                continue
            length = _jump(cells, is_open, offsets, cell, turn, U(goal))
            if length == 0:
                continue
            offer = reached + length * (DIAGONAL if index & 1 else STRAIGHT)
            landed = cell + U(length) * offsets[turn]
            if offer < best[landed]:
                ahead = octile(from_row + length * UP[turn], from_column + length * RIGHT[turn]) - least
                left += enter(waiting, tops, landed, turn, offer, ahead)
    return reached_cost(waiting, goal)


@kernel
def _turns_worth_taking(
    cells: NDArray[np.uint8], is_open: NDArray[np.bool_], offsets: NDArray[np.uint64], cell: np.uint64, turn: np.uint64
) -> int:
    """Directions, as bits, in which the shortest way may go on from a cell entered in direction `turn`.

    After a diagonal step: on, or along either of its parts. After a straight one: on, and to a side where a wall has
    just ended, since the way could not have gone there before.
    """
    last = U(TURNS - 1)
    if turn & U(1):
        return int((1 << turn) | (1 << (turn - U(1))) | (1 << ((turn + U(1)) & last)))
    turns = int(1 << turn)
    back = cell - offsets[turn]
    for quarter in (U(2), U(6)):
        side = (turn + quarter) & last
        if not is_open[cells[back + offsets[side]]] and is_open[cells[cell + offsets[side]]]:
            between = (turn + (U(1) if quarter == U(2) else U(7))) & last
            turns |= int((1 << side) | (1 << between))
    return turns


@kernel
def _jump(
    cells: NDArray[np.uint8],
    is_open: NDArray[np.bool_],
    offsets: NDArray[np.uint64],
    cell: np.uint64,
    turn: np.uint64,
    goal: np.uint64,
) -> int:
    """How many steps to go from a cell in one direction until the way may turn; 0 where it ends without that."""
    if not turn & U(1):
        return _jump_straight(cells, is_open, offsets, cell, turn, goal, LONGEST_JUMP)
    one, two = turn - U(1), (turn + U(1)) & U(TURNS - 1)
    for length in range(1, LONGEST_JUMP + 1):
        if not (
            is_open[cells[cell + offsets[one]]]
            and is_open[cells[cell + offsets[two]]]
            and is_open[cells[cell + offsets[turn]]]
        ):
            return 0
        cell += offsets[turn]
        if (
            cell == goal
            or _jump_straight(cells, is_open, offsets, cell, one, goal, 0) > 0
            or _jump_straight(cells, is_open, offsets, cell, two, goal, 0) > 0
        ):
            return length
    return LONGEST_JUMP


@kernel
def _jump_straight(
    cells: NDArray[np.uint8],
    is_open: NDArray[np.bool_],
    offsets: NDArray[np.uint64],
    cell: np.uint64,
    turn: np.uint64,
    goal: np.uint64,
    limit: int,
) -> int:
    """As `_jump`, along a row or column, with an end after `limit` steps if that is not 0."""
    left, right = offsets[(turn + U(2)) & U(TURNS - 1)], offsets[(turn + U(6)) & U(TURNS - 1)]
    was_left, was_right = is_open[cells[cell + left]], is_open[cells[cell + right]]
    length = 0
    while True:
        cell += offsets[turn]
        if not is_open[cells[cell]]:
            return 0
        length += 1
        now_left, now_right = is_open[cells[cell + left]], is_open[cells[cell + right]]
        if cell == goal or length == limit or (now_left and not was_left) or (now_right and not was_right):
            return length
        was_left, was_right = now_left, now_right


@kernel
def _cells_of_jumps(waiting: OpenList, columns: int, start: int, goal: int) -> Cells:
    """All cells of the way: from each jump's end back against its heading, to where the cost fits.

    Invariant: the first cell back from a jump's end that costs exactly the steps between less is where the jump began,
    or another jump's end with a way just as short.
    """
    offsets = neighbour_offsets(columns)
    size = 1
    for filling in range(2):
        way = np.empty(size if filling else 0, dtype=np.int64)
        index, size = size - 1, 1
        cell = U(goal)
        if filling:
            way[index] = goal
        while cell != U(start):
            turn = U(waiting.heading[cell] & (TURNS - 1))
            step = DIAGONAL if turn & U(1) else STRAIGHT
            cost = np.int64(waiting.best[cell])
            while True:
                cell -= offsets[turn]
                cost -= step
                size += 1
                if filling:
                    index -= 1
                    way[index] = cell
                if waiting.best[cell] == cost:
                    break
    return way
