"""Which beams of a scan ended on a teammate that is around, nobody knows where.

While the frames of robots in contact are unknown, what they say of their positions is of no use. But a thing of a
robot's size that stands free where the own map knows open ground has moved there: it may be one of them, and neither
maps nor localisers should take it for a wall. Things that stood there from the start stay what they are.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE
from expedition.belief.mapping import Beams
from expedition.belief.teammates import APART
from expedition.kernels import kernel

Floats = NDArray[np.float64]


@kernel
def beams_on_strangers(
    beams: Beams,
    robots: NDArray[np.int64],
    ranges: NDArray[np.float32],
    poses: Floats,
    near_strangers: NDArray[np.bool_],
    state: NDArray[np.uint8],
    grid: tuple[float, float, float],
    largest: float,
    ignore: NDArray[np.uint8],
) -> None:
    """Set `ignore` (readings, beams) to 1 where the beam ended on what may be a stranger; the rest stays.

    `near_strangers` says which robots have any around, `state` (robots, rows, columns) are their maps, `grid` their
    origin (x, y) and cells' side, `largest` the most metres across that a robot shows. Cost: the beams of these robots.
    """
    count = len(beams.directions)
    rows, columns = state.shape[1], state.shape[2]
    for k in range(len(robots)):
        robot = robots[k]
        if not near_strangers[robot]:
            continue
        heading = poses[robot, 2]
        c, s = math.cos(heading), math.sin(heading)
        x0 = poses[robot, 0] + c * beams.x - s * beams.y
        y0 = poses[robot, 1] + s * beams.x + c * beams.y
        first = 0
        while first < count:
            last = first
            while last + 1 < count and _same_thing(beams, ranges[k], last):
                last += 1
            if ranges[k, first] < beams.range and _stands_free(beams, ranges[k], first, last, largest):
                middle = (first + last) // 2
                ahead, left = beams.directions[middle, 0], beams.directions[middle, 1]
                column = math.floor((x0 + (c * ahead - s * left) * ranges[k, middle] - grid[0]) / grid[2])
                row = math.floor((y0 + (s * ahead + c * left) * ranges[k, middle] - grid[1]) / grid[2])
                if 0 <= row < rows and 0 <= column < columns and state[robot, row, column] == FREE:
                    ignore[k, first : last + 1] = 1
            first = last + 1


@kernel
def _same_thing(beams: Beams, ranges: NDArray[np.float32], beam: int) -> bool:
    """Whether a beam and the next ended less than `APART` from each other; never where one of them met nothing."""
    return bool(_between(beams, ranges, beam, beam + 1) <= APART)


@kernel
def _between(beams: Beams, ranges: NDArray[np.float32], one: int, other: int) -> float:
    """Metres between the ends of two beams, infinite where one of them met nothing."""
    a, b = ranges[one], ranges[other]
    if not (a < beams.range and b < beams.range):
        return math.inf
    ahead = b * beams.directions[other, 0] - a * beams.directions[one, 0]
    left = b * beams.directions[other, 1] - a * beams.directions[one, 1]
    return math.hypot(ahead, left)


@kernel
def _stands_free(beams: Beams, ranges: NDArray[np.float32], first: int, last: int, largest: float) -> bool:
    """Whether what the beams first to last met is small enough, and nearer than what is on both sides of it."""
    if _between(beams, ranges, first, last) > largest:
        return False
    before = first == 0 or not ranges[first - 1] <= ranges[first] + APART
    after = last + 1 == len(ranges) or not ranges[last + 1] <= ranges[last] + APART
    return bool(before and after)
