"""The stretch that a robot drives next: of its path, aside for others, or to get free."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.giving_way import stand_aside
from expedition.navigate.local_records import BLOCKED, HOLONOMIC, WAITING, Record, Records
from expedition.navigate.progress import BACK, ESCAPE, SIDE

Floats = NDArray[np.float64]

LOCAL_POINTS = 40
"""Of the stretch of path that the search for a velocity looks at."""
STRETCH = 1.7
"""Of the path, this much is looked at from rest, in metres."""
LOOKS_AHEAD = 1.5
"""Lanes are chosen by what is so many seconds of motion farther ahead than the body's reach."""
ASIDE_SPEED = 0.6


@kernel
def local_path(
    robot: int,
    time: float,
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    speed: float,
    path: Floats,
    lengths: Floats,
    heard: Records,
    heard_at: Floats,
    local: Floats,
) -> tuple[int, float, int]:
    """Write the stretch to drive next, in the robot's frame, with lengths; returns its points, top speed and gear.

    No points: stand.
    """
    if memory.points == 0 or memory.status == BLOCKED:
        aside, dx, dy = stand_aside(robot, body, numbers, memory.status == WAITING, pose, heard, heard_at, time)
        if not aside:
            return 0, 0.0, 1
        _append(local, 0, pose, pose[0], pose[1])
        _append(local, 1, pose, pose[0] + dx, pose[1] + dy)
        gear = -1 if body.drive != HOLONOMIC and body.reverse > 0.0 and local[1, 0] < 0.0 else 1
        return 2, ASIDE_SPEED, gear
    if memory.recovery == ESCAPE:
        return 0, 0.0, 1
    if memory.recovery == BACK or memory.recovery == SIDE:
        _append(local, 0, pose, pose[0], pose[1])
        _append(local, 1, pose, memory.recovery_x, memory.recovery_y)
        gear = -1 if body.drive != HOLONOMIC and body.reverse > 0.0 and local[1, 0] < 0.0 else 1
        return 2, ASIDE_SPEED, gear
    left = memory.length - memory.along
    end_x, end_y = path[memory.points - 1, 0] - pose[0], path[memory.points - 1, 1] - pose[1]
    to_end = max(left, math.sqrt(end_x * end_x + end_y * end_y))
    if to_end < numbers.goal_tolerance:
        return 0, 0.0, 1
    top = math.sqrt(2.0 * 0.7 * body.acceleration * max(to_end - 0.3 * numbers.goal_tolerance, 0.0))
    return _stretch(memory, numbers, pose, speed, path, lengths, memory.length, local), max(top, numbers.min_speed), 0


@kernel
def _append(local: Floats, count: int, pose: Floats, x: float, y: float) -> None:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    dx, dy = x - pose[0], y - pose[1]
    local[count, 0], local[count, 1] = dx * c + dy * s, dy * c - dx * s
    if count == 0:
        local[0, 2] = 0.0
    else:
        step = math.sqrt((local[count, 0] - local[count - 1, 0]) ** 2 + (local[count, 1] - local[count - 1, 1]) ** 2)
        local[count, 2] = local[count - 1, 2] + step


@kernel
def _stretch(
    memory: Record,
    numbers: Record,
    pose: Floats,
    speed: float,
    path: Floats,
    lengths: Floats,
    until: float,
    local: Floats,
) -> int:
    """The path from the robot's place on it as far as a motion may lead."""
    end = min(until, memory.along + STRETCH + LOOKS_AHEAD * 2.0 * speed)
    x, y, k = point_along(path, lengths, memory.points, memory.along)
    _append(local, 0, pose, x, y)
    count = 1
    k += 1
    while k < memory.points - 1 and lengths[k] < end and count < LOCAL_POINTS - 1:
        if lengths[k] > memory.along + 1e-6:
            _append(local, count, pose, path[k, 0], path[k, 1])
            count += 1
        k += 1
    x, y, _ = point_along(path, lengths, memory.points, end)
    _append(local, count, pose, x, y)
    return count + 1
