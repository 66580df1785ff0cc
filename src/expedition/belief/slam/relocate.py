"""A lost robot looks around for where it may be: correlative search, from coarse to fine (Olson 2009)."""

from __future__ import annotations

import math

from expedition.belief.slam.hits import HitMap, nearest_hit
from expedition.belief.slam.points import NORMAL_X, NORMAL_Y, X, Y
from expedition.belief.slam.track import Floats, wrap
from expedition.kernels import kernel

COARSE_TURN = 0.1
FINE = 4
"""The fine search looks at this part of a coarse step, one coarse step to each side."""
FEWEST_POINTS = 40
"""The coarse search looks at no more than about this many points, evenly spread over the scan."""


@kernel
def agreement(
    hits: HitMap, robot: int, points: Floats, number: int, stride: int, x: float, y: float, heading: float
) -> float:
    """How many of every `stride`-th point meet a known wall at a pose; nearer counts more, up to one each."""
    c, s = math.cos(heading), math.sin(heading)
    per_cell = 1.0 / hits.resolution
    column, row = (x - hits.origin_x) * per_cell, (y - hits.origin_y) * per_cell
    cells = hits.cells[robot]
    total = 0.0
    for k in range(0, number, stride):
        px, py = c * points[k, X] - s * points[k, Y], s * points[k, X] + c * points[k, Y]
        nx, ny = c * points[k, NORMAL_X] - s * points[k, NORMAL_Y], s * points[k, NORMAL_X] + c * points[k, NORMAL_Y]
        dx, dy, found, _ = nearest_hit(cells, column + px * per_cell, row + py * per_cell, 1.0, nx, ny)
        if found:
            total += 1.0 - 0.5 * (dx * dx + dy * dy)
    return total


@kernel
def relocate(hits: HitMap, robot: int, points: Floats, number: int, pose: Floats, shift: float, turn: float) -> None:
    """Move `pose` to where the scan agrees best with the hit map, within `shift` metres and `turn` radians.

    Cost: poses looked at, in steps of a cell and `COARSE_TURN`, times at most twice `FEWEST_POINTS` points.
    """
    start_x, start_y, start_heading = pose[0], pose[1], pose[2]
    step, turn_step = hits.resolution, COARSE_TURN
    reach, turn_reach = int(shift / step), int(turn / turn_step)
    stride = max(number // FEWEST_POINTS, 1)
    for _ in range(2):
        best = -1.0
        for k in range(-turn_reach, turn_reach + 1):
            for i in range(-reach, reach + 1):
                for j in range(-reach, reach + 1):
                    x, y = start_x + i * step, start_y + j * step
                    heading = start_heading + k * turn_step
                    found = agreement(hits, robot, points, number, stride, x, y, heading)
                    if found > best:
                        best = found
                        pose[0], pose[1], pose[2] = x, y, wrap(heading)
        start_x, start_y, start_heading = pose[0], pose[1], pose[2]
        step, turn_step = step / FINE, turn_step / FINE
        reach = turn_reach = FINE
