"""Passing: the stretch of path ahead moved to one side where something stands or comes along on it.

A dynamic window sees a second ahead, too short to drive around what stands on the path, and two robots that meet would
both stop. So robots choose a lane first: the path itself where it is clear, else the nearest parallel to it that is, to
the right of oncoming teammates.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.dwa import to_path
from expedition.navigate.local_records import Record

Floats = NDArray[np.float64]

LANES = 8
"""Lanes tried to either side."""
LANE = 0.25
"""Metres between lanes."""
WALL_GAP = 0.08
"""What a lane leaves beside the body to obstacles, in metres."""
TEAMMATE_GAP = 0.2
"""And to teammates."""
LEFT = 0.6
"""A lane to the left of an oncoming teammate counts as so many metres farther away."""
STAY = 0.2
"""The lane taken before counts as so many metres nearer, that robots do not waver."""
BESIDE = 0.15
"""What lies beside the robot already is not ahead, in metres."""
CHANGE = 0.8
"""A robot changes lanes within about this distance, in metres."""
BLOCKED_LANE = 4.0
"""A lane with no room at all counts as so many metres farther away."""
MEETS = (0.0, 0.5, 1.0, 1.5)
"""When oncoming teammates are looked for, in seconds from now."""


@kernel
def choose_lane(
    body: Record,
    memory: Record,
    local: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    shifted: Floats,
) -> int:
    """Move `local`, the path ahead in the robot's frame, to the best lane; returns its number of points.

    Costs obstacles and teammates times the path's segments where the path is clear, and that for every lane where not.
    """
    if obstacles + teammates == 0:
        memory.lane = 0.0
        return count
    room, _ = _room(body, local, count, points, obstacles, discs, teammates)
    if room >= 1.0:
        memory.lane = 0.0
        return count
    best, lane, taken = math.inf, 0.0, count
    for k in range(2 * LANES + 1):
        offset = LANE * ((k + 1) // 2) * (1.0 if k % 2 == 0 else -1.0)
        if abs(offset) - STAY >= best:
            break
        kept = _lane(local, count, offset, shifted)
        room, oncoming = _room(body, shifted, kept, points, obstacles, discs, teammates)
        cost = abs(offset) + BLOCKED_LANE * (1.0 - room)
        if oncoming and offset > 0.0:
            cost += LEFT
        if abs(offset - memory.lane) < 0.01:
            cost -= STAY
        if cost < best:
            best, lane = cost, offset
    memory.lane = lane
    if lane != 0.0:
        taken = _lane(local, count, lane, shifted)
        for k in range(taken):
            local[k, 0], local[k, 1], local[k, 2] = shifted[k, 0], shifted[k, 1], shifted[k, 2]
    return taken


@kernel
def _lane(local: Floats, count: int, offset: float, shifted: Floats) -> int:
    """From the robot over to the parallel of the path at an offset to the left, and along it; returns its points."""
    length = local[count - 1, 2]
    steps = min(max(math.ceil(length / CHANGE), 1), len(shifted) - 1)
    shifted[0, 0] = shifted[0, 1] = shifted[0, 2] = 0.0
    for k in range(1, steps + 1):
        along = length * k / steps
        x, y, segment = point_along(local, local[:, 2], count, along)
        dx, dy = local[segment + 1, 0] - local[segment, 0], local[segment + 1, 1] - local[segment, 1]
        long = max(math.sqrt(dx * dx + dy * dy), 1e-9)
        shifted[k, 0], shifted[k, 1] = x - offset * dy / long, y + offset * dx / long
        dx, dy = shifted[k, 0] - shifted[k - 1, 0], shifted[k, 1] - shifted[k - 1, 1]
        shifted[k, 2] = shifted[k - 1, 2] + math.sqrt(dx * dx + dy * dy)
    return int(steps + 1)


@kernel
def _room(
    body: Record, path: Floats, count: int, points: Floats, obstacles: int, discs: Floats, teammates: int
) -> tuple[float, bool]:
    """The room along a lane, from 0 (blocked) to 1 (enough), and whether a teammate comes along near it."""
    half = body.half_width if body.half_width >= 0.0 else body.half_length
    room = 1.0
    for k in range(obstacles):
        away, along = to_path(path, count, points[k, 0], points[k, 1])
        if along > BESIDE and away - half < WALL_GAP * room:
            room = max(away - half, 0.0) / WALL_GAP
            if room == 0.0:
                return 0.0, False
    oncoming = False
    for k in range(teammates):
        x, y, vx, vy = discs[k, 0], discs[k, 1], discs[k, 2], discs[k, 3]
        _, along = to_path(path, count, x, y)
        if along <= 0.0:
            continue
        dx, dy = _direction(path, count, along)
        pace = vx * dx + vy * dy
        if pace > 0.4:
            # It drives the same way: to be followed, not passed.
            continue
        oncoming = oncoming or pace < -0.1
        for time in MEETS:
            away, along = to_path(path, count, x + time * vx, y + time * vy)
            gap = away - half - discs[k, 4]
            if along > BESIDE and gap < TEAMMATE_GAP * room:
                room = max(gap, 0.0) / TEAMMATE_GAP
            if pace >= -0.1:
                break
    return room, oncoming


@kernel
def _direction(path: Floats, count: int, along: float) -> tuple[float, float]:
    k = 0
    while k < count - 2 and path[k + 1, 2] < along:
        k += 1
    length = max(path[k + 1, 2] - path[k, 2], 1e-9)
    return (path[k + 1, 0] - path[k, 0]) / length, (path[k + 1, 1] - path[k, 1]) / length
