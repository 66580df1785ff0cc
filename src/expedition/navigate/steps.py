"""Steps on the grid: what moving from a cell to one of its eight neighbours costs, the same for every planner.

A straight step costs `STRAIGHT`, a diagonal one `DIAGONAL` (their ratio is the root of 2 but for 6e-5), times
1 + cost / 50 of the cells, averaged over the cell left and the cell entered: the way back costs the same. On rough
ground, where a robot reaches a share of its speed, it is 1 / share + cost / 50: a step costs the time it takes. Costs
are whole numbers, so that sums do not depend on their order and planners agree to the last digit. No step cuts a
corner: a diagonal one needs both cells at its side open.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from expedition.belief.roughness import CLASSES
from expedition.errors import ExpeditionError
from expedition.errors import unknown as unknown_name
from expedition.kernels import kernel
from expedition.navigate.costs import (
    HIGHEST_COST,
    NEAR_LEVELS,
    OCCUPIED_COST,
    ROUGH_COST,
    SQUEEZE_COST,
    UNKNOWN_COST,
    CostGrid,
)

STRAIGHT, DIAGONAL = 70, 99
COST_SCALE = 50.0
ESCAPE_COST = 252
"""What cells hold, during a search, that a robot may cross only because it stands among them."""
HIGHEST_EXTRA = 350.0
"""The extra cost of an escape cell, and the most that an unknown or rough one may cost: no step costs above 8 plain
ones, which is what ground counts as where a robot reaches less than an eighth of its speed."""
SQUEEZE_EXTRA = 250.0
"""What a metre costs where a robot passes but cannot turn: as much as six of open floor."""
LONGEST_STEP = DIAGONAL * 8

TURNS = 8
"""Directions of a step, anticlockwise from east: even ones are straight, odd ones diagonal."""

UP = np.array((0, 1, 1, 1, 0, -1, -1, -1))
RIGHT = np.array((1, 1, 0, -1, -1, -1, 0, 1))
"""Rows and columns that a step in each direction goes."""

U = np.uint64  # Kernels index with it: an index that cannot be negative needs no check.

Unknown = Literal["avoid", "free"]
StepTable = NDArray[np.int32]


@lru_cache(maxsize=64)
def step_table(
    unknown: Unknown = "avoid", unknown_cost: float = 50.0, clearance: float = 1.0, squeeze: bool = True
) -> StepTable:
    """What straight (row 0) and diagonal (row 1) steps cost by a cell's cost; 0 says that a cell is closed.

    `clearance` scales what nearness to walls costs: 0 plans the shortest way, 1 as the costs say. `squeeze` says
    whether cells are open where the robot passes but cannot turn.
    """
    if unknown not in ("avoid", "free"):
        raise unknown_name("treatment of unknown cells", str(unknown), ["avoid", "free"])
    if not 0.0 <= unknown_cost <= HIGHEST_EXTRA:
        raise ExpeditionError(f"unknown_cost: must be within 0 and {HIGHEST_EXTRA:g}, found {unknown_cost}")
    if not 0.0 <= clearance <= 1.0:
        raise ExpeditionError(f"clearance: must be within 0 and 1, found {clearance}")
    extra = np.full(256, np.nan)
    extra[: HIGHEST_COST + 1] = clearance * np.arange(HIGHEST_COST + 1)
    near = clearance * np.linspace(0, HIGHEST_COST, NEAR_LEVELS)
    for kind in range(1, CLASSES + 1):
        slower = COST_SCALE * (10.0 / (CLASSES + 1 - kind) - 1.0)
        first = ROUGH_COST + (kind - 1) * NEAR_LEVELS
        extra[first : first + NEAR_LEVELS] = np.minimum(slower + near, HIGHEST_EXTRA)
    if squeeze:
        extra[SQUEEZE_COST] = SQUEEZE_EXTRA
    extra[ESCAPE_COST] = clearance * HIGHEST_EXTRA
    if unknown == "free":
        extra[UNKNOWN_COST] = unknown_cost
    factors = np.rint(np.outer((STRAIGHT, DIAGONAL), 1.0 + extra / COST_SCALE))
    table: StepTable = np.nan_to_num(factors).astype(np.int32)
    table.flags.writeable = False
    return table


@kernel
def neighbour_offsets(columns: int) -> NDArray[np.uint64]:
    """What to add to a cell (row * columns + column) to get its neighbour in each direction, and the first again."""
    signed = (1, columns + 1, columns, columns - 1, -1, -columns - 1, -columns, 1 - columns, 1)
    offsets = np.empty(TURNS + 1, dtype=np.uint64)
    for turn in range(TURNS + 1):
        offsets[turn] = U(signed[turn])
    return offsets


@kernel
def step_cost(
    cells: NDArray[np.uint8], table: StepTable, offsets: NDArray[np.uint64], cell: np.uint64, turn: np.uint64
) -> int:
    """The cost of a step, 0 where there is none: a closed cell ahead, or one beside a diagonal step."""
    diagonal = turn & U(1)
    ahead = table[diagonal, U(cells[cell + offsets[turn]])]
    if ahead == 0:
        return 0
    if diagonal and (
        table[0, U(cells[cell + offsets[turn - U(1)]])] == 0 or table[0, U(cells[cell + offsets[turn + U(1)]])] == 0
    ):
        return 0
    return int((table[diagonal, U(cells[cell])] + ahead) >> 1)


@kernel
def open_start(cost: CostGrid, table: StepTable, row: int, column: int, steps: int) -> NDArray[np.int64]:
    """Let a robot out of closed cells: those it stands in, up to `steps` away, hold `ESCAPE_COST` until `close_start`.

    A robot may stand too near to a wall, on a cell that its map calls occupied, or on ground it never saw: it was
    pushed, or its pose is a little wrong. Then its own cell and the closed ones joined to it by straight steps open,
    but no other occupied one. Returns pairs of cell and former cost; none, at no price, where the start is open anyway.
    """
    columns = cost.shape[1]
    if table[0, cost[row, column]] > 0:
        return np.empty((0, 2), dtype=np.int64)
    opened = np.empty((2 * steps * (steps + 1) + 1, 2), dtype=np.int64)
    opened[0, 0], opened[0, 1] = row * columns + column, cost[row, column]
    cost[row, column] = ESCAPE_COST
    cells = cost.reshape(-1)
    first, last = 0, 1
    for _ in range(steps):
        ring = last
        for index in range(first, ring):
            for offset in (1, columns, -1, -columns):
                near = opened[index, 0] + offset
                value = cells[near]
                if value != OCCUPIED_COST and value != ESCAPE_COST and table[0, value] == 0:
                    opened[last, 0], opened[last, 1] = near, value
                    cells[near] = ESCAPE_COST
                    last += 1
        first = ring
    return opened[:last]


@kernel
def close_start(cost: CostGrid, opened: NDArray[np.int64]) -> None:
    """Give the cells that `open_start` opened their costs back."""
    cells = cost.reshape(-1)
    for index in range(opened.shape[0]):
        cells[opened[index, 0]] = opened[index, 1]
