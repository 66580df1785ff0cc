"""Where the map itself is uncertain: how well its walls are known, and coming back to those known better.

Matching ties a pose to walls that were charted from poses with errors of their own. Each block of the hit map keeps
the variance of the pose from which it was first seen; the walls that a scan is matched against hand it back. So the
covariance grows along a new road and shrinks where the robot returns to one that it knew well.
"""

from __future__ import annotations

import math

import numpy as np

from expedition.belief.slam.hits import BLOCK, HitMap, nearest_hit
from expedition.belief.slam.points import NORMAL_X, NORMAL_Y, X, Y
from expedition.belief.slam.track import Floats
from expedition.kernels import kernel

STRIDE = 3
"""One point in this many is asked for the variance of its wall."""
WORTH_SEARCHING = 0.1
"""Metres: a pose with a smaller standard deviation is within the matcher's reach."""
FARTHEST = 3.0
"""Metres that the search goes at most."""
OLDER = 0.5
"""Walls charted with less than this part of the pose's variance are older, and worth coming back to."""
CLEARLY = 4.0
"""A place must agree with this many points more than the one at hand."""


@kernel
def inherit(
    hits: HitMap, robot: int, points: Floats, number: int, pose: Floats, prior: Floats, sigma: float, variance: Floats
) -> None:
    """Move `variance` (x, y, heading) towards that of the walls around, as far as these and not the prior decide.

    Cost: one point in `STRIDE`.
    """
    c, s = math.cos(pose[2]), math.sin(pose[2])
    weight_x = weight_y = weight_t = sum_x = sum_y = sum_t = 0.0
    per_block = 1.0 / (hits.resolution * BLOCK)
    for k in range(0, number, STRIDE):
        px, py = c * points[k, X] - s * points[k, Y], s * points[k, X] + c * points[k, Y]
        row = math.floor((pose[1] + py - hits.origin_y) * per_block)
        column = math.floor((pose[0] + px - hits.origin_x) * per_block)
        if not (0 <= row < hits.blocks.shape[1] and 0 <= column < hits.blocks.shape[2]):
            continue
        if hits.blocks[robot, row, column] > 0:
            nx = c * points[k, NORMAL_X] - s * points[k, NORMAL_Y]
            ny = s * points[k, NORMAL_X] + c * points[k, NORMAL_Y]
            lever = ny * px - nx * py
            walls = hits.variance[robot, row, column]
            weight_x += nx * nx
            weight_y += ny * ny
            weight_t += lever * lever
            sum_x += nx * nx * walls[0]
            sum_y += ny * ny * walls[1]
            sum_t += lever * lever * walls[2]
    per_point = STRIDE / (sigma * sigma)
    variance[0] += _trust(weight_x * per_point, prior[0, 0]) * (sum_x / max(weight_x, 1e-12) - variance[0])
    variance[1] += _trust(weight_y * per_point, prior[1, 1]) * (sum_y / max(weight_y, 1e-12) - variance[1])
    variance[2] += _trust(weight_t * per_point, prior[2, 2]) * (sum_t / max(weight_t, 1e-12) - variance[2])


@kernel
def _trust(information: float, prior_variance: float) -> float:
    """The part that walls of that information have in an estimate whose prior has that variance."""
    share = information * prior_variance
    return share / (1.0 + share)


@kernel
def come_back(hits: HitMap, robot: int, points: Floats, number: int, pose: Floats, covariance: Floats) -> bool:
    """Look for a place that agrees clearly better with the map, along the axes of the pose's uncertainty.

    The less certain axis comes first. Moves `pose` there and returns True, or leaves it. Cost: up to eight standard
    deviations of each axis in steps of a cell, times the points.
    """
    xx, xy, yy = covariance[0, 0], covariance[0, 1], covariance[1, 1]
    root = math.sqrt((xx - yy) ** 2 + 4.0 * xy * xy)
    angle = 0.5 * math.atan2(2.0 * xy, xx - yy)
    across = np.empty((number, NORMAL_Y + 1))
    found = _shift(hits, robot, points, number, pose, angle, math.sqrt(0.5 * (xx + yy + root)), across)
    smaller = math.sqrt(max(0.5 * (xx + yy - root), 0.0))
    return _shift(hits, robot, points, number, pose, angle + 0.5 * math.pi, smaller, across) or found


@kernel
def _shift(
    hits: HitMap, robot: int, points: Floats, number: int, pose: Floats, angle: float, sigma: float, across: Floats
) -> bool:
    """Move `pose` in one direction, in which it has that standard deviation, to where the walls across it agree best.

    Walls along the direction agree wherever they were charted, which says nothing; they are not asked. Nor do walls
    count that were charted from poses about as uncertain as this one: they share its error.
    """
    if sigma < WORTH_SEARCHING:
        return False
    asked = 0
    along_x, along_y = math.cos(angle - pose[2]), math.sin(angle - pose[2])
    for k in range(number):
        if abs(along_x * points[k, NORMAL_X] + along_y * points[k, NORMAL_Y]) > 0.5:
            across[asked] = points[k, : NORMAL_Y + 1]
            asked += 1
    start_x, start_y = pose[0], pose[1]
    older = OLDER * sigma * sigma
    best = _agreement_with_older(hits, robot, across, asked, start_x, start_y, pose[2], older) + max(
        CLEARLY, 0.3 * asked
    )
    if best >= asked:
        return False
    c, s = math.cos(angle), math.sin(angle)
    steps = int(min(4.0 * sigma, FARTHEST) / hits.resolution)
    found = False
    for k in range(-steps, steps + 1):
        shift = k * hits.resolution
        x, y = start_x + c * shift, start_y + s * shift
        agree = _agreement_with_older(hits, robot, across, asked, x, y, pose[2], older)
        likely = agree - 0.5 * (shift / sigma) ** 2
        if likely > best:
            best, found = likely, True
            pose[0], pose[1] = x, y
    return found


@kernel
def _agreement_with_older(
    hits: HitMap, robot: int, points: Floats, number: int, x: float, y: float, heading: float, older: float
) -> float:
    """How many points meet a wall at a pose that was charted from a pose of less variance than `older`."""
    c, s = math.cos(heading), math.sin(heading)
    per_cell = 1.0 / hits.resolution
    column, row = (x - hits.origin_x) * per_cell, (y - hits.origin_y) * per_cell
    cells = hits.cells[robot]
    total = 0.0
    for k in range(number):
        at_column = column + (c * points[k, X] - s * points[k, Y]) * per_cell
        at_row = row + (s * points[k, X] + c * points[k, Y]) * per_cell
        nx, ny = c * points[k, NORMAL_X] - s * points[k, NORMAL_Y], s * points[k, NORMAL_X] + c * points[k, NORMAL_Y]
        dx, dy, found, _ = nearest_hit(cells, at_column, at_row, 1.0, nx, ny)
        if found:
            block_row, block_column = math.floor(at_row + dy) // BLOCK, math.floor(at_column + dx) // BLOCK
            variance = hits.variance[robot, block_row, block_column]
            if variance[0] + variance[1] < older:
                total += 1.0 - 0.5 * (dx * dx + dy * dy)
    return total
