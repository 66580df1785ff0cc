"""One map laid over another: how well walls fall on walls, and how often they fall on open ground.

A map is reduced to the cells where it saw a wall and a field that says what a wall of the other map is worth there:
towards 1 near a wall (the likelihood field of Thrun, Burgard and Fox, Probabilistic Robotics, 2005, section 6.4),
-`AGAINST` on ground that is open for certain, 0 where nothing is known. Positions are in cells (x right, y up) from a
grid's lower left corner.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, gaussian_filter

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.kernels import kernel

Floats = NDArray[np.float64]

AGAINST = 2.0
"""A wall where the other robot looked through counts more than one it saw too: chance makes many of the latter."""
SPREAD = 1.0
"""Cells that a wall may be off by: both maps round it to cells, and each has its noise."""
OPEN = 2.5
"""Cells from the nearest wall or unknown ground at which free ground counts as open: nearer to a wall the two are often
confused, and beams along a wall that pass through its cells make them look free at the border of what is known."""
BEFORE = 2.0
"""Cells before a wall, where the other map must be free too: else the two robots saw its two sides, or two walls."""


class Sheet(NamedTuple):
    """A map made ready to be laid on another."""

    walls: Floats  # (n, 4): x and y of the middles of wall cells, and of a point before each, on its open side
    worth: NDArray[np.float32]  # (rows, columns): what a wall of the other map is worth there
    state: NDArray[np.uint8]  # (rows, columns)
    clear: NDArray[np.uint8]  # (rows, columns): the state, but free ground near walls is UNKNOWN


class Fit(NamedTuple):
    """What two maps say about each other under one hypothesis."""

    walls: float  # wall cells, averaged over both maps, that lie on walls of the other
    against: float  # wall cells that lie on open ground of the other
    open: float  # cells open in both


def sheet(state: NDArray[np.uint8]) -> Sheet:
    """The sheet of a state grid. Cost: some passes over the cells."""
    occupied = state == OCCUPIED
    rows, columns = np.nonzero(occupied)
    middles = np.stack([columns, rows], axis=1) + 0.5
    free = gaussian_filter((state == FREE).astype(np.float32), 1.5)
    slope = np.stack([np.gradient(free, axis=1)[occupied], np.gradient(free, axis=0)[occupied]], axis=1)
    steepness = np.hypot(slope[:, :1], slope[:, 1:])
    before = middles + np.where(steepness > 0.02, BEFORE * slope / np.maximum(steepness, 1e-9), 0.0)
    distance = distance_transform_edt(~occupied) if len(rows) else np.full(state.shape, np.inf)
    worth = np.exp(-0.5 * np.square(distance / SPREAD))
    is_open = distance_transform_edt(state == FREE) > OPEN
    worth[is_open] = -AGAINST
    worth[~is_open & (distance > OPEN)] = 0.0
    clear = np.where(is_open, np.uint8(FREE), np.where(occupied, np.uint8(OCCUPIED), np.uint8(UNKNOWN)))
    return Sheet(np.hstack([middles, before]), worth.astype(np.float32), state, clear)


@kernel
def weigh(mine: Sheet, theirs: Sheet, pose: Floats, pivot: Floats, stride: int) -> tuple[float, float]:
    """How much of the walls of both maps speaks for and against `pose` (turn, x, y), in wall cells of one map.

    Their point p lies at R (p - pivot) + (x, y). Every `stride`th wall cell is looked up in the other map. Cost: two
    look-ups for each wall cell used.
    """
    c, s = math.cos(pose[0]), math.sin(pose[0])
    one = _weigh_walls(theirs.walls, mine.worth, mine.state, c, s, pivot[0], pivot[1], pose[1], pose[2], stride)
    two = _weigh_walls(mine.walls, theirs.worth, theirs.state, c, -s, pose[1], pose[2], pivot[0], pivot[1], stride)
    return 0.5 * stride * (one[0] + two[0]), 0.5 * stride * (one[1] + two[1]) / AGAINST


@kernel
def evidence_for(mine: Sheet, theirs: Sheet, pose: Floats, pivot: Floats, stride: int) -> float:
    """What speaks for a pose less what speaks against it."""
    agreed, against = weigh(mine, theirs, pose, pivot, stride)
    return agreed - AGAINST * against


@kernel
def _weigh_walls(
    walls: Floats,
    worth: NDArray[np.float32],
    state: NDArray[np.uint8],
    c: float,
    s: float,
    from_x: float,
    from_y: float,
    to_x: float,
    to_y: float,
    stride: int,
) -> tuple[float, float]:
    """Add up what one map's walls are worth on the other, gains and losses, when turned about one point and moved to
    the other. A wall gains only where the other map knows the ground before it."""
    rows, columns = state.shape
    gain, loss = 0.0, 0.0
    for k in range(0, len(walls), stride):
        x, y = walls[k, 0] - from_x, walls[k, 1] - from_y
        value = _between_cells(worth, c * x - s * y + to_x, s * x + c * y + to_y)
        if value < 0.0:
            loss -= value
        elif value > 0.0:
            x, y = walls[k, 2] - from_x, walls[k, 3] - from_y
            column, row = math.floor(c * x - s * y + to_x), math.floor(s * x + c * y + to_y)
            if 0 <= row < rows and 0 <= column < columns and state[row, column] != UNKNOWN:
                gain += value
    return gain, loss


@kernel
def _between_cells(field: NDArray[np.float32], x: float, y: float) -> float:
    """The field at a point, linear between the middles of cells; 0 beyond them."""
    x -= 0.5
    y -= 0.5
    column, row = math.floor(x), math.floor(y)
    if row < 0 or column < 0 or row >= field.shape[0] - 1 or column >= field.shape[1] - 1:
        return 0.0
    right, up = x - column, y - row
    low = (1.0 - right) * field[row, column] + right * field[row, column + 1]
    high = (1.0 - right) * field[row + 1, column] + right * field[row + 1, column + 1]
    return float((1.0 - up) * low + up * high)


@kernel
def climb(mine: Sheet, theirs: Sheet, pose: Floats, pivot: Floats, steps: Floats, finest: float, stride: int) -> float:
    """Move `pose` uphill on the evidence, one number at a time, halving `steps` until they are below `finest` of
    what they were. Returns the evidence reached, which never falls. Cost: six look-ups of all walls for each step.
    """
    best = evidence_for(mine, theirs, pose, pivot, stride)
    scale = 1.0
    while scale >= finest:
        moved = False
        for axis in range(3):
            kept = pose[axis]
            for sign in (-1.0, 1.0):
                pose[axis] = kept + sign * scale * steps[axis]
                found = evidence_for(mine, theirs, pose, pivot, stride)
                if found > best + 1e-9:
                    best, moved = found, True
                    break
                pose[axis] = kept
        if not moved:
            scale *= 0.5
    return best


@kernel
def lay_over(mine: Sheet, theirs: Sheet, pose: Floats, pivot: Floats) -> Fit:
    """Count what agrees and what does not under `pose`. Cost: a look-up or two for each cell of their map."""
    c, s = math.cos(pose[0]), math.sin(pose[0])
    agreed, against = weigh(mine, theirs, pose, pivot, 1)
    both_open = 0
    rows, columns = mine.clear.shape
    for row in range(theirs.clear.shape[0]):
        for column in range(theirs.clear.shape[1]):
            if theirs.clear[row, column] == 1:
                x, y = column + 0.5 - pivot[0], row + 0.5 - pivot[1]
                at_row, at_column = math.floor(s * x + c * y + pose[2]), math.floor(c * x - s * y + pose[1])
                if 0 <= at_row < rows and 0 <= at_column < columns:
                    both_open += mine.clear[at_row, at_column] == 1
    return Fit(agreed, against, float(both_open))
