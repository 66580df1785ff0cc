"""The points of a scan that say something about the pose: where beams ended, and how the wall runs there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.slam.track import Floats
from expedition.fleet.sensors import Lidar
from expedition.kernels import kernel

X, Y, NORMAL_X, NORMAL_Y, WEIGHT = 0, 1, 2, 3, 4
MOST_NEIGHBOURS = 40
SMOOTH = 0.03
"""Metres by which the points of a wall may lie off their common line, lidar noise apart."""
THIN = 0.05
"""Metres: a point nearer to the one before tells nothing new."""
MIN_WINDOW = 0.25
NOISE_WINDOW = 10.0
"""A line is fitted over at least `MIN_WINDOW` metres, and over this many standard deviations of a range."""


class Beams(NamedTuple):
    """A lidar as numbers, in the robot's frame."""

    directions: Floats  # (beams, 2): cosine and sine
    x: float
    y: float
    shortest: float  # ranges up to here may be anything nearer
    farthest: float
    sigma: float


def beams_of(lidar: Lidar, max_range: float) -> Beams:
    """The beams of a lidar, used up to `max_range` metres."""
    angles = lidar.angles + lidar.heading
    # Ranges come as 32-bit numbers: one at a limit must compare equal to it.
    shortest, farthest = float(np.float32(lidar.min_range)), float(np.float32(min(max_range, lidar.range)))
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    return Beams(directions, lidar.x, lidar.y, shortest, farthest, lidar.sigma_range)


@kernel
def end_points(beams: Beams, ranges: NDArray[np.float32], points: Floats) -> int:
    """Fill `points` with x, y in the robot's frame of the beams that ended on something; returns how many."""
    found = 0
    for beam in range(len(ranges)):
        distance = float(ranges[beam])
        if beams.shortest < distance <= beams.farthest:  # neither infinity nor NaN is
            points[found, X] = beams.x + distance * beams.directions[beam, 0]
            points[found, Y] = beams.y + distance * beams.directions[beam, 1]
            found += 1
    return found


@kernel
def surface_points(
    beams: Beams, ranges: NDArray[np.float32], points: Floats, sums: Floats, surface: Floats, sigma: float
) -> int:
    """Fill `surface` (beams, 5) with the end points around which the scan shows a line, moved onto it; return how many.

    A point's line is the principal axis of its neighbours on both sides, as many as span a window; where these do not
    lie on a line (corners, edges before a farther wall) the point is left out. Running sums in `sums` (beams + 1, 5)
    make the fit independent of the window. A point weighs the less the rougher its wall is and the larger `sigma`,
    the error that all have. `points` (beams, 2) is room to work in. Cost: the number of beams.
    """
    ends = end_points(beams, ranges, points)
    sums[0] = 0.0
    for k in range(ends):
        x, y = points[k, X], points[k, Y]
        sums[k + 1, 0] = sums[k, 0] + x
        sums[k + 1, 1] = sums[k, 1] + y
        sums[k + 1, 2] = sums[k, 2] + x * x
        sums[k + 1, 3] = sums[k, 3] + x * y
        sums[k + 1, 4] = sums[k, 4] + y * y
    window = max(MIN_WINDOW, NOISE_WINDOW * beams.sigma)
    limit = (SMOOTH + 1.5 * beams.sigma) ** 2
    found = 0
    reach = 1
    last_x, last_y = math.inf, math.inf
    for k in range(1, ends - 1):
        if (points[k, X] - last_x) ** 2 + (points[k, Y] - last_y) ** 2 < THIN * THIN:
            continue
        reach = max(reach - 1, 1)
        while True:
            low, high = max(k - reach, 0), min(k + reach, ends - 1)
            dx, dy = points[high, X] - points[low, X], points[high, Y] - points[low, Y]
            if dx * dx + dy * dy >= window * window or reach == MOST_NEIGHBOURS:
                break
            reach += 1
        number = high - low + 1.0
        mean_x = (sums[high + 1, 0] - sums[low, 0]) / number
        mean_y = (sums[high + 1, 1] - sums[low, 1]) / number
        xx = (sums[high + 1, 2] - sums[low, 2]) / number - mean_x * mean_x
        xy = (sums[high + 1, 3] - sums[low, 3]) / number - mean_x * mean_y
        yy = (sums[high + 1, 4] - sums[low, 4]) / number - mean_y * mean_y
        difference = xx - yy
        root = math.sqrt(difference * difference + 4.0 * xy * xy)
        across = max(0.5 * (xx + yy - root), 0.0)
        along = 0.5 * (xx + yy + root)
        if across > limit or across > 0.05 * along:
            continue
        # The axis of the larger spread is (cos t, sin t) with 2 t = atan2(2 xy, xx - yy); the normal is across it.
        if difference >= 0.0:
            c = math.sqrt(0.5 * (1.0 + difference / root))
            s = xy / (root * c)
        else:
            s = math.sqrt(0.5 * (1.0 - difference / root))
            c = xy / (root * s)
        last_x, last_y = points[k, X], points[k, Y]
        off = c * (last_y - mean_y) - s * (last_x - mean_x)
        surface[found, X], surface[found, Y] = last_x + s * off, last_y - c * off
        # The normal looks towards the lidar.
        side = 1.0 if c * (beams.y - last_y) - s * (beams.x - last_x) > 0.0 else -1.0
        surface[found, NORMAL_X], surface[found, NORMAL_Y] = -side * s, side * c
        surface[found, WEIGHT] = 1.0 / (sigma * sigma + across)
        found += 1
    return found
