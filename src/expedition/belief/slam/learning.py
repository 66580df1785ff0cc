"""Learning: scans go into the hit map, and what beams pass through is worn off it: people gone, doors opened."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.slam.hits import PLACE, STEPS, TO_X, TO_Y, HitMap, add_hit, wear
from expedition.belief.slam.matching import Rules
from expedition.belief.slam.points import Beams, X, Y, end_points
from expedition.belief.slam.track import Floats, Integers, Track, wrap
from expedition.kernels import kernel

SWEEP = 8
"""One beam in this many looks for hits that are no longer there, in turn."""
BEFORE_END = 0.5
"""Metres before its end up to which a beam shows that nothing is there."""
THROUGH = 0.05
"""Metres: a beam that passes nearer by a mean goes through it."""


class Memory(NamedTuple):
    """What the localiser remembers of each robot besides its track and hit map."""

    lost: NDArray[np.bool_]  # (robots,)
    misses: Integers  # (robots,): scans in a row that did not agree with the map
    variance: Floats  # (robots, 3): of the walls that the pose is tied to
    learnt: Floats  # (robots, 4): the scan pose last learnt at, and how many scans were learnt


@kernel
def is_due(track: Track, memory: Memory, rules: Rules, robot: int) -> bool:
    """Whether a robot knows its place and has moved or turned enough since it last learnt a scan."""
    pose, learnt = track.scan_pose[robot], memory.learnt[robot]
    if memory.misses[robot] > 0 or memory.lost[robot]:
        return False
    moved = math.sqrt((pose[0] - learnt[0]) ** 2 + (pose[1] - learnt[1]) ** 2)
    turned = abs(wrap(pose[2] - learnt[2]))
    return learnt[3] == 0.0 or moved >= rules.learn_distance or turned >= rules.learn_turn


@kernel
def learn_scans(
    track: Track,
    hits: HitMap,
    memory: Memory,
    rules: Rules,
    beams: Beams,
    robots: Integers,
    ranges: NDArray[np.float32],
    ignore: NDArray[np.uint8],
) -> None:
    """Put the scans of robots that moved or turned enough since the last one into their hit maps.

    Robots that are lost or in doubt learn nothing. Cost: a cell a beam, and the cells that one beam in `SWEEP` crosses.
    """
    beams_used = np.empty(ranges.shape[1], dtype=np.float32)
    points = np.empty((ranges.shape[1], 2))
    for k in range(len(robots)):
        robot = robots[k]
        pose, learnt = track.scan_pose[robot], memory.learnt[robot]
        if not is_due(track, memory, rules, robot):
            continue
        c, s = math.cos(pose[2]), math.sin(pose[2])
        if rules.wear > 0:
            for beam in range(int(learnt[3]) % SWEEP, ranges.shape[1], SWEEP):
                _sweep(hits, rules, beams, robot, pose[0], pose[1], c, s, beam, ranges[k])
        for beam in range(ranges.shape[1]):
            beams_used[beam] = ranges[k, beam] if ignore[k, beam] == 0 else np.float32(np.inf)
        ends = end_points(beams, beams_used, points)
        for p in range(ends):
            x, y = points[p, X], points[p, Y]
            before, after = max(p - 1, 0), min(p + 1, ends - 1)
            dx, dy = points[after, X] - points[before, X], points[after, Y] - points[before, Y]
            length = math.sqrt(dx * dx + dy * dy) + 1e-9
            # The normal, a quarter turn to the left, is to look towards the lidar.
            if dx * (beams.y - y) - dy * (beams.x - x) < 0.0:
                dx, dy = -dx, -dy
            normal_x, normal_y = -(s * dx + c * dy) / length, (c * dx - s * dy) / length
            end_x, end_y = pose[0] + c * x - s * y, pose[1] + s * x + c * y
            add_hit(hits, robot, end_x, end_y, normal_x, normal_y, track.covariance[robot])
        learnt[0], learnt[1], learnt[2], learnt[3] = pose[0], pose[1], pose[2], learnt[3] + 1.0


@kernel
def _sweep(
    hits: HitMap,
    rules: Rules,
    beams: Beams,
    robot: int,
    x: float,
    y: float,
    c: float,
    s: float,
    beam: int,
    ranges: NDArray[np.float32],
) -> None:
    """Wear off the hits that a beam passes through, unless it grazes the wall that it meets."""
    distance = float(ranges[beam])
    if not (distance > beams.shortest) or beam == 0 or beam == len(ranges) - 1:
        return
    left, right = float(ranges[beam + 1]), float(ranges[beam - 1])
    reach = min(distance, beams.farthest, left, right) - BEFORE_END
    ahead_x, ahead_y = beams.directions[beam, 0], beams.directions[beam, 1]
    wide = (left * beams.directions[beam + 1, 0] - right * beams.directions[beam - 1, 0]) * ahead_x + (
        left * beams.directions[beam + 1, 1] - right * beams.directions[beam - 1, 1]
    ) * ahead_y
    spread = (
        distance
        * 2.0
        * abs(
            beams.directions[beam, 0] * beams.directions[beam + 1, 1]
            - beams.directions[beam, 1] * beams.directions[beam + 1, 0]
        )
    )
    if not (abs(wide) < 2.0 * spread):  # also where a neighbour met nothing
        return
    step_x, step_y = c * ahead_x - s * ahead_y, s * ahead_x + c * ahead_y
    column = (x + c * beams.x - s * beams.y - hits.origin_x) / hits.resolution
    row = (y + s * beams.x + c * beams.y - hits.origin_y) / hits.resolution
    near = THROUGH / hits.resolution
    for n in range(1, int(reach / hits.resolution)):
        at_column, at_row = column + n * step_x, row + n * step_y
        r, q = math.floor(at_row), math.floor(at_column)
        if not (0 <= r < hits.cells.shape[1] and 0 <= q < hits.cells.shape[2]):
            return
        cell = np.int64(hits.cells[robot, r, q])
        if cell != 0:
            dx = q + (((cell >> TO_X) & PLACE) + 0.5) / STEPS - at_column
            dy = r + ((cell >> TO_Y) + 0.5) / STEPS - at_row
            if abs(dx * step_y - dy * step_x) < near:
                wear(hits, robot, r, q, rules.wear)
