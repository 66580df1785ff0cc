"""The hit map: for each robot and cell, the mean of the end points that its own lidar saw there.

A cell is one 32-bit number, so that the walls around 30 robots stay in the processor's cache: 5 bits how often it was
hit, 5 bits to which side the wall faces, 11 bits each for where in the cell the mean lies. Zero is a cell that was
never hit. A face is seen from its own side only: who comes to the other side of a wall sees another face, a wall's
thickness away, and would be drawn astray by matching it with the first.
A mean no longer moves after `FIRM` hits: what was seen first, while the pose was known best, is what later scans are
matched against, and errors do not feed on themselves.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.slam.track import Floats
from expedition.kernels import kernel

FIRM = 20
COUNT, FACING, PLACE = 31, 5, 2047
"""Masks of the count and of a place, and by how many bits the facing is shifted."""
TO_X, TO_Y = 10, 21
"""By how many bits the mean's places are shifted."""
STEPS = 2048.0
"""Places along a cell's side that a mean can have."""
SECTORS = 32
"""Directions that a face can have."""
FACES = np.array(
    [(math.cos(2.0 * math.pi * k / SECTORS), math.sin(2.0 * math.pi * k / SECTORS)) for k in range(SECTORS)]
)
CROWDED = 0.5
"""Cells: no new mean comes nearer to another one. A wall does not grow thick from small errors of the pose."""
DOUBTFUL = 0.01
"""Square metres: a pose with less variance is good enough to add to any wall."""
OWN_ERROR = 0.1
"""Cells: the standard deviation of a wall in the map that is due to the map, however good the pose."""
BLOCK = 8
"""Cells along a block's side."""


class HitMap(NamedTuple):
    """Hit maps of all robots, which cover the same ground."""

    cells: NDArray[np.uint32]  # (robots, rows, columns)
    blocks: NDArray[np.int16]  # (robots, rows // BLOCK, columns // BLOCK): cells of a block that were hit
    variance: NDArray[np.float32]  # (robots, block rows, block columns, 3): of the pose when a block was first hit
    origin_x: float
    origin_y: float
    resolution: float


def hit_map_of(robots: int, frame: Frame, resolution: float) -> HitMap:
    """Empty hit maps that cover a frame, with cells of their own size."""
    rows, columns = (
        math.ceil(side * frame.resolution / (resolution * BLOCK) + 0.1) * BLOCK for side in (frame.rows, frame.columns)
    )
    cells = np.zeros((robots, rows, columns), dtype=np.uint32)
    blocks = np.zeros((robots, rows // BLOCK, columns // BLOCK), dtype=np.int16)
    variance = np.zeros((*blocks.shape, 3), dtype=np.float32)
    # Walls tend to stand on round numbers. Shifted cells keep their faces off the cells' edges, where noise would
    # share one face out among two cells, each with a mean that is off to its own side.
    shift = 0.25 * resolution
    return HitMap(cells, blocks, variance, frame.origin[0] - shift, frame.origin[1] - shift, resolution)


@kernel
def nearest_hit(
    cells: NDArray[np.uint32], column: float, row: float, gate: float, facing_x: float, facing_y: float
) -> tuple[float, float, bool, bool]:
    """The mean nearest to a point among the 3 x 3 cells around it, of faces to the same side.

    Returns its offset from the point, whether there is one, and whether there is a face to the other side. All lengths
    are in cells. Means as far as `gate` or farther do not count. Works in whole steps of a mean's place, so that
    nothing is converted but what is found.
    """
    best = np.int64(gate * gate * STEPS * STEPS)
    best_x, best_y = np.int64(0), np.int64(0)
    found = behind = False
    if not (1.0 <= row < cells.shape[0] - 1 and 1.0 <= column < cells.shape[1] - 1):
        return 0.0, 0.0, found, behind
    x, y = np.int64(column * STEPS), np.int64(row * STEPS)
    first_row, first_column = np.uint64((y >> 11) - 1), np.uint64((x >> 11) - 1)
    for r in range(first_row, first_row + np.uint64(3)):
        to_row = (np.int64(r) << 11) - y
        for c in range(first_column, first_column + np.uint64(3)):
            cell = np.int64(cells[r, c])
            if cell != 0:
                dx = (np.int64(c) << 11) - x + ((cell >> TO_X) & PLACE)
                dy = to_row + (cell >> TO_Y)
                distance = dx * dx + dy * dy
                if distance < best:
                    if is_face(cell, facing_x, facing_y):
                        best, best_x, best_y, found = distance, dx, dy, True
                    else:
                        behind = True
    return best_x / STEPS, best_y / STEPS, found, behind


@kernel
def is_face(cell: np.int64, facing_x: float, facing_y: float) -> bool:
    """Whether a cell's wall faces to the same side, as good as at right angles included."""
    sector = (cell >> FACING) & (SECTORS - 1)
    return bool(FACES[sector, 0] * facing_x + FACES[sector, 1] * facing_y > -0.2)


@kernel
def add_hit(hits: HitMap, robot: int, x: float, y: float, normal_x: float, normal_y: float, covariance: Floats) -> None:
    """Count an end point on a wall with that normal, towards the robot, seen from a pose of that covariance.

    Left out are points outside the map, next to a mean of a neighbouring cell, in a cell that holds the other face of a
    thin wall, and new ones where the walls were
    charted from a pose known far better across this wall: it is more likely one of those, seen from a wrong pose.
    Cost: the cell, and the eight around it where it is new.
    """
    column_f, row_f = (x - hits.origin_x) / hits.resolution, (y - hits.origin_y) / hits.resolution
    row, column = math.floor(row_f), math.floor(column_f)
    if not (0 <= row < hits.cells.shape[1] and 0 <= column < hits.cells.shape[2]):
        return
    cell = np.int64(hits.cells[robot, row, column])
    count = cell & COUNT
    facing = (cell >> FACING) & (SECTORS - 1)
    if count == 0:
        if nearest_hit(hits.cells[robot], column_f, row_f, CROWDED, normal_x, normal_y)[2]:
            return
        sector = math.floor(math.atan2(normal_y, normal_x) / (2.0 * math.pi) * SECTORS + 0.5) % SECTORS
        facing = np.int64(sector)
        block_row, block_column = row // BLOCK, column // BLOCK
        variance = hits.variance[robot, block_row, block_column]
        known = hits.blocks[robot, block_row, block_column]
        xx, xy, yy = normal_x * normal_x, normal_x * normal_y, normal_y * normal_y
        across = xx * covariance[0, 0] + 2.0 * xy * covariance[0, 1] + yy * covariance[1, 1]
        if known >= BLOCK and across > DOUBTFUL + 4.0 * (xx * variance[0] + yy * variance[1]):
            return
        if known == 0:
            error = OWN_ERROR * hits.resolution
            variance[0], variance[1] = covariance[0, 0] + error * error, covariance[1, 1] + error * error
            variance[2] = covariance[2, 2]
        hits.blocks[robot, block_row, block_column] += 1
    elif count >= FIRM or not is_face(cell, normal_x, normal_y):
        return
    mean_x, mean_y = float((cell >> TO_X) & PLACE) + 0.5, float((cell >> TO_Y) & PLACE) + 0.5
    share = 1.0 / (count + 1.0)
    mean_x += share * ((column_f - column) * STEPS - mean_x)
    mean_y += share * ((row_f - row) * STEPS - mean_y)
    steps_x, steps_y = int(min(mean_x, STEPS - 1.0)), int(min(mean_y, STEPS - 1.0))
    packed = (steps_y << TO_Y) | (steps_x << TO_X) | (facing << FACING) | (count + 1)
    hits.cells[robot, row, column] = np.uint32(packed)


@kernel
def wear(hits: HitMap, robot: int, row: int, column: int, amount: int) -> None:
    """Take `amount` off the count of a cell that was hit; one that falls to zero is forgotten."""
    cell = np.int64(hits.cells[robot, row, column])
    count = cell & COUNT
    if count > amount:
        hits.cells[robot, row, column] = np.uint32(cell - amount)
    elif count > 0:
        hits.cells[robot, row, column] = np.uint32(0)
        hits.blocks[robot, row // BLOCK, column // BLOCK] -= 1


@kernel
def is_charted(hits: HitMap, robot: int, column: float, row: float) -> bool:
    """Whether the block around a point (in cells) has hits enough that a wall there should be known."""
    r, c = math.floor(row) // BLOCK, math.floor(column) // BLOCK
    if not (0 <= r < hits.blocks.shape[1] and 0 <= c < hits.blocks.shape[2]):
        return False
    return int(hits.blocks[robot, r, c]) >= BLOCK


def means(hits: HitMap, robot: int) -> Floats:
    """The means of a robot's hit map, (cells hit, 2) in metres: for pictures and tests."""
    row, column = np.nonzero(hits.cells[robot])
    cell = hits.cells[robot, row, column].astype(np.int64)
    x = hits.origin_x + (column + (((cell >> TO_X) & PLACE) + 0.5) / STEPS) * hits.resolution
    y = hits.origin_y + (row + ((cell >> TO_Y) + 0.5) / STEPS) * hits.resolution
    return np.column_stack([x, y])
